import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { canBeHiddenAnywhere, createRedactor, type Redactor } from '../../src/core/base/redactor.js';
import { createLogger } from '../../src/log.js';
import {
  createOAuthSecrets,
  newAuthorizationCode,
  newTokenFamily,
} from '../../src/security/oauth-secrets.js';
import { launchToken, newApiKey, newSessionToken, newVisitToken } from '../../src/security/tokens.js';
import { anyCharacter } from './any-character.js';

const SECRET = 'p4ss/w0rd+of"the school&co=ñ';

const redactorFor = (...secrets: string[]): Redactor => {
  const redactor = createRedactor();
  secrets.forEach((secret) => {
    redactor.protect(secret);
  });
  return redactor;
};

/** The line that the service's log would hold. */
function logged(note: string, redactor: Redactor): string {
  const lines: string[] = [];
  createLogger('info', redactor, { write: (line) => lines.push(line) }).info({ note }, 'a line');
  return lines.join('');
}

/** What nobody should be able to read off the output: any eight characters of the secret in a row. */
const tellsOf = (shown: string, secret: string) =>
  Array.from({ length: Math.max(0, secret.length - 7) }, (_, i) => secret.slice(i, i + 8)).some((part) =>
    shown.includes(part),
  );

describe('the redactor, for a protected secret', () => {
  const { redact } = redactorFor(SECRET);

  for (const [spelling, write] of Object.entries({
    'as it is': (secret: string) => secret,
    'in JSON': (secret: string) => JSON.stringify({ key: secret }),
    'URL-encoded': (secret: string) => `?key=${encodeURIComponent(secret)}&x=1`,
    'as a form field': (secret: string) => new URLSearchParams({ key: secret }).toString(),
    'in hexadecimal': (secret: string) => Buffer.from(secret).toString('hex'),
    'in upper-case hexadecimal': (secret: string) => Buffer.from(secret).toString('hex').toUpperCase(),
    'URL-encoded in lower case': (secret: string) =>
      encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
  })) {
    it(`hides it ${spelling}`, () => {
      const written = write(SECRET);

      const shown = redact(`before ${written} after`);

      expect(shown).to.match(/^before .*\[redacted\].* after$/s);
      expect(tellsOf(shown, written.replace(/^.*?key"?[:=]"?/, '').slice(0, 20))).to.equal(false);
    });
  }

  for (const offset of [0, 1, 2]) {
    for (const encoding of ['base64', 'base64url'] as const) {
      it(`hides it in ${encoding} after ${String(offset)} byte(s) more`, () => {
        const written = Buffer.from(`${'u:'.repeat(3)}${'x'.repeat(offset)}${SECRET}:and more`).toString(
          encoding,
        );

        const shown = redact(`Basic ${written}`);

        expect(shown).to.include('[redacted]');
        const rest = shown
          .split('[redacted]')
          .map((part) => Buffer.from(part.replace('Basic ', ''), 'base64').toString());
        for (const part of rest) expect(tellsOf(part, SECRET)).to.equal(false);
      });
    }
  }

  it('hides it every time it occurs, and one secret within another', () => {
    const [one, more] = ['s3cRet-0ne-x9Q7', 's3cRet-0ne-x9Q7-aNd-m0re'];
    const both = redactorFor(one, more);

    expect(both.redact(`${one} ${more} ${one}`)).to.equal('[redacted] [redacted] [redacted]');
  });

  it('does not take what is in it for a pattern', () => {
    const { redact: hide } = redactorFor('$&.*+?^(x)[a-z]\\d$1');

    expect(hide('a $&.*+?^(x)[a-z]\\d$1 b')).to.equal('a [redacted] b');
    expect(hide('abc')).to.equal('abc');
  });

  it('leaves ordinary words alone when a secret is too short to be one', () => {
    const { redact: hide } = redactorFor('', 'a', 'the');

    expect(hide('the cat sat on a mat')).to.equal('the cat sat on a mat');
  });
});

describe('the redactor, for what nobody told it of', () => {
  const { redact } = createRedactor();
  const issued = createOAuthSecrets(randomBytes(32)).tokensOf(newTokenFamily(), 7);
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

  for (const [what, secret] of Object.entries({
    'a bearer token': 'Bearer abcDEF0123456789',
    'a bearer token in lower case': 'bearer abcDEF0123456789',
    'an OpenAI key': 'sk-proj-abcDEF0123456789',
    'a key of ours': newApiKey(),
    'a session token of ours': newSessionToken(),
    'what opens a visit from a course': launchToken('secret of a browser', 'launch 1'),
    'what opens a visit by a link': newVisitToken(),
    "a program's code": newAuthorizationCode(),
    "a program's access token": issued.accessToken,
    "a program's refresh token": issued.refreshToken,
    'a signed token': jwt,
    'an e-mail address': 'ada.lovelace+exam@school.example',
    'an e-mail address with letters of another alphabet': 'zoë.müller@schüle.example',
  })) {
    for (const [where, around] of Object.entries({
      'in a sentence': (text: string) => `it was ${text}, they said`,
      'in JSON': (text: string) => JSON.stringify({ note: text }),
      'in a log line, after a line break': (text: string) => logged(`first line\n${text}`, createRedactor()),
      'in a log line, after a tab': (text: string) => logged(`a\t${text}`, createRedactor()),
    })) {
      it(`hides ${what} ${where}`, () => {
        const shown = redact(around(secret));

        expect(shown).to.include('[redacted]');
        expect(tellsOf(shown, secret)).to.equal(false);
      });
    }
  }

  for (const url of [
    'postgres://bellwether:hunter2hunter2@db.school.example:5432/app',
    'postgres://bellwether:hunter2hunter2@localhost/app',
    'redis://:hunter2hunter2@localhost:6379',
    'smtp://ada@school.example:hunter2hunter2@localhost',
    'https://user:hunter2hunter2:and@localhost/',
    'https://u:hunter2hunter2@[::1]/',
    'amqp+ssl://u:hunter2hunter2@mq/',
  ]) {
    it(`hides the password in ${url.replace('hunter2hunter2', '…')}`, () => {
      const shown = redact(`connecting to ${url} failed`);

      expect(shown).not.to.include('hunter2');
      expect(shown).to.match(/^connecting to [a-z+]+:\/\/.* failed$/);
    });
  }

  it('leaves ordinary text as it is', () => {
    const plain =
      'Photosynthesis needs light: 6 CO2 + 6 H2O. See https://example.org/a?b=c#d at 9:00, task-force, Bearer of news.';

    expect(redact(plain)).to.equal(plain);
  });
});

describe('the redactor, whatever the text', () => {
  const key = fc
    .string({
      unit: fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_/+="\\ñ😀 ')),
      minLength: 12,
      maxLength: 60,
    })
    .filter((text) => text.trim() === text && canBeHiddenAnywhere(text));
  const around = fc.string({ unit: anyCharacter, maxLength: 60 });

  it('lets no protected secret survive in any surroundings', () => {
    fc.assert(
      fc.property(key, around, around, (secret, before, after) => {
        const { redact } = redactorFor(secret);

        expect(redact(before + secret + after)).not.to.include(secret);
        expect(redact(JSON.stringify(before + secret + after))).not.to.include(
          JSON.stringify(secret).slice(1, -1),
        );
        expect(redact(before + encodeURIComponent(secret) + after)).not.to.include(
          encodeURIComponent(secret),
        );
        expect(redact(before + Buffer.from(secret).toString('hex') + after)).not.to.include(
          Buffer.from(secret).toString('hex'),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('lets no protected secret survive in base64, whatever was encoded with it', () => {
    const long = key.filter((text) => Buffer.byteLength(text) >= 12);
    fc.assert(
      fc.property(long, around, around, (secret, before, after) => {
        const { redact } = redactorFor(secret);
        for (const encoding of ['base64', 'base64url'] as const) {
          const shown = redact(Buffer.from(before + secret + after).toString(encoding));

          expect(shown).to.include('[redacted]');
        }
      }),
      { numRuns: 1_000 },
    );
  });

  const telling = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'Bearer ',
          'sk-',
          'bw_',
          'eyJ',
          '://',
          '@',
          ':',
          '.',
          '/',
          ' ',
          '\n',
          '\t',
          '"',
          "'",
          '\\',
          'http',
          'redis',
        ),
        fc.constantFrom(
          'aBcd3fgh12x4',
          'abcdefgh12345678',
          'a',
          'school.example',
          'localhost',
          'é',
          '\ud800',
          '[redacted]',
        ),
      ),
      { maxLength: 14 },
    )
    .map((parts) => parts.join(''));

  it('changes nothing the second time', () => {
    const { redact } = redactorFor('aBcd3fgh12x4');
    fc.assert(
      fc.property(telling, (text) => {
        const once = redact(text);

        expect(redact(once)).to.equal(once);
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves a log line that can still be read', () => {
    const redactor = redactorFor('aBcd3fgh12x4', 'nob0dy-Kn0ws-It');
    const text = fc.oneof(telling, around, fc.constantFrom('\nob0dy-Kn0ws-It', '\\nob0dy-Kn0ws-It'));
    fc.assert(
      fc.property(text, (note) => {
        const line = logged(note, redactor);

        expect(() => JSON.parse(line) as unknown, line).not.to.throw();
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes a megabyte of anything at once', () => {
    const { redact } = redactorFor(SECRET);
    const megabyte = 1_000_000;

    for (const unit of [
      'a',
      'a@',
      '@a.',
      'a.',
      'http://a',
      ':',
      'Bearer ',
      'eyJaaaaaaaa.',
      '-',
      'a:b@',
      '://a:',
    ]) {
      const startedAt = performance.now();
      redact(unit.repeat(megabyte / unit.length));
      expect(performance.now() - startedAt, unit).to.be.lessThan(1_500);
    }
  });
});

describe('what is looked for in everything that is said', () => {
  for (const weak of [
    ...[
      'redact',
      'redacted',
      '[redacted]',
      'completed',
      'data',
      'a',
      'hunter2',
      'password',
      'aaaaaaaaaaaaaaaaaaaaaaaa',
    ],
    ...[
      'run.completed',
      'tool.completed',
      'placeholder.completed',
      'chat.completion',
      'chat.completion.chunk',
    ],
    ...['invalid_request_error', 'authentication_error', 'rate_limit_exceeded', 'invalid_configuration'],
    ...[
      'unsupported_media_type',
      'finish_reason',
      'x_bellwether',
      'data: [DONE]',
      '            ',
      '000000000000',
    ],
  ]) {
    it(`is never "${weak}"`, () => {
      const { redact } = redactorFor(weak);
      const text = `it says ${weak} and data: {"type":"run.completed"}`;

      expect(redact(text)).to.equal(text);
    });
  }

  for (const strong of [
    ...['0123456789abcdef0123456789abcdef', 'sk-proj-abcDEF0123456789', 'correct horse battery staple 42'],
    ...['Zq7kX9w2pLm4', '9f86d081884c7d65'],
  ]) {
    it(`may be ${strong}`, () => {
      expect(redactorFor(strong).redact(`<${strong}>`)).to.equal('<[redacted]>');
    });
  }
});

describe('the secrets of an organisation', () => {
  const [A, B] = [1, 2];
  const secret = 'Zq7-kX9w2pLm4vB8';

  it('are hidden from what goes out for it, and from nothing else', () => {
    const redactor = createRedactor();
    redactor.renew(A, [secret]);

    expect(redactor.of(A).redact(secret)).to.equal('[redacted]');
    expect(redactor.of(B).redact(secret)).to.equal(secret);
    expect(redactor.of(undefined).redact(secret)).to.equal(secret);
    expect(redactor.redact(secret)).to.equal(secret);
  });

  it('are forgotten when they are replaced, but not by what is under way', () => {
    const redactor = createRedactor();
    redactor.renew(A, [secret]);
    const underWay = redactor.of(A);

    redactor.renew(A, ['another-0ne-X9w2']);

    expect(redactor.of(A).redact(secret)).to.equal(secret);
    expect(underWay.redact(secret)).to.equal('[redacted]');
  });

  it('leave whatever is JSON JSON, with its keys and the words of the protocol', () => {
    const words = fc.constantFrom('run.completed', 'tool.started', 'status', 'chat.completion.chunk', 'stop');
    const text = fc.string({ unit: anyCharacter, maxLength: 30 });
    const value = fc.record({
      type: words,
      object: words,
      label: text,
      sources: fc.array(fc.dictionary(text, text)),
    });
    fc.assert(
      fc.property(
        value,
        fc.array(fc.oneof(text, words, fc.constantFrom('"', '{"type":"', '":"')), { maxLength: 4 }),
        fc.nat(),
        (facts, parts, at) => {
          const whole = JSON.stringify(facts);
          const redactor = createRedactor();
          redactor.renew(A, [...parts, whole.slice(at % whole.length, (at % whole.length) + 30)]);

          const shown = JSON.parse(redactor.of(A).json(facts)) as typeof facts;

          expect(Object.keys(shown)).to.deep.equal(Object.keys(facts));
          expect([shown.type, shown.object]).to.deep.equal([facts.type, facts.object]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('end, and change nothing the second time, whatever they are', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('[redact]d aB3')), maxLength: 60 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), text, (secrets, said) => {
        const redactor = createRedactor();
        redactor.renew(A, secrets);
        const once = redactor.of(A).redact(secrets.join('') + said);

        expect(redactor.of(A).redact(once)).to.equal(once);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are found in time that grows with the text alone', () => {
    const periodic = 'aB3$xY7!kL9?'.repeat(300);
    const redactor = createRedactor();
    redactor.renew(A, [`${periodic}1`, `${periodic}2`, `${periodic}3`, '(a+)+$(a+)+$(a+)+$B3x']);
    const timeFor = (length: number) => {
      const text = 'aB3$xY7!kL9?'.repeat(length / 12);
      const startedAt = performance.now();
      redactor.of(A).redact(text);
      return performance.now() - startedAt;
    };
    timeFor(12_000);

    expect(timeFor(1_200_000)).to.be.lessThan(1_500);
  });
});
