import { expect } from 'chai';
import fc from 'fast-check';
import { createRedactor, type Redactor } from '../../src/core/redactor.js';
import { createLogger } from '../../src/log.js';

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
    const both = redactorFor('secret-one', 'secret-one-and-more');

    expect(both.redact('secret-one secret-one-and-more secret-one')).to.equal(
      '[redacted] [redacted] [redacted]',
    );
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
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

  for (const [what, secret] of Object.entries({
    'a bearer token': 'Bearer abcDEF0123456789',
    'a bearer token in lower case': 'bearer abcDEF0123456789',
    'an OpenAI key': 'sk-proj-abcDEF0123456789',
    'a key of ours': `bw_${'0af9'.repeat(12)}`,
    'a session token of ours': `bws_${'0af9'.repeat(16)}`,
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
      minLength: 8,
      maxLength: 60,
    })
    .filter((text) => text.trim() === text && !'[redacted]'.includes(text));
  const around = fc.string({ unit: 'binary', maxLength: 60 });

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
      { numRuns: 5_000 },
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
      { numRuns: 5_000 },
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
        fc.constantFrom('abcdefgh12345678', 'a', 'school.example', 'localhost', 'é', '\ud800', '[redacted]'),
      ),
      { maxLength: 14 },
    )
    .map((parts) => parts.join(''));

  it('changes nothing the second time', () => {
    const { redact } = redactorFor('abcdefgh1234');
    fc.assert(
      fc.property(telling, (text) => {
        const once = redact(text);

        expect(redact(once)).to.equal(once);
      }),
      { numRuns: 10_000 },
    );
  });

  it('leaves a log line that can still be read', () => {
    const redactor = redactorFor('abcdefgh1234', 'nobody-knows-it');
    const text = fc.oneof(telling, around, fc.constantFrom('\nobody-knows-it', '\\nobody-knows-it'));
    fc.assert(
      fc.property(text, (note) => {
        const line = logged(note, redactor);

        expect(() => JSON.parse(line) as unknown, line).not.to.throw();
      }),
      { numRuns: 10_000 },
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
