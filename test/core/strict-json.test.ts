import { expect } from 'chai';
import fc from 'fast-check';
import { isNoDeeperThan, MAX_ARGUMENT_BYTES, MAX_DEPTH, parseStrictJson } from '../../src/core/base/json.js';
import { anyCharacter } from './any-character.js';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('parseStrictJson', () => {
  it('agrees with JSON.parse on ordinary values', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);

        expect(parseStrictJson(text)).to.deep.equal({ ok: true, value: JSON.parse(text) as unknown });
      }),
      { numRuns: 500 },
    );
  });

  it('never throws and never takes what JSON.parse refuses', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '\\',
      '"a"',
      '"\\u0061"',
      '1',
      'null',
      ' ',
      'é',
      '\n',
      '😀',
    );
    const text = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (json) => {
        const parsed = parseStrictJson(json);

        if (parsed.ok) expect(parsed.value).to.deep.equal(JSON.parse(json));
        else expect(parsed.reason).to.be.a('string').that.is.not.empty;
      }),
      { numRuns: 1_000 },
    );
  });

  it('refuses one key twice at any depth, also when spelled with escapes', () => {
    const twice = [
      '{"a":1,"a":2}',
      '{"a":1,"\\u0061":2}',
      '{"\\u0061":1,"a":2}',
      '{"a\\/b":1,"a/b":2}',
      '{"":1,"":2}',
      '{"__proto__":1,"__proto__":2}',
      '{"x":[{"y":{"a":1 , "b":"a", "a" : {}}}]}',
      '{"a":{"b":1},"a":1}',
      '{"a":"\\"","a":1}',
      '{"é":1,"\\u00e9":2}',
      '{"😀":1,"\\ud83d\\ude00":2}',
    ];

    for (const text of twice)
      expect(parseStrictJson(text), text).to.include({ ok: false, reason: 'names one key twice' });
  });

  it('takes one key in two objects, and a text that looks like a key', () => {
    const fine = [
      '{"a":{"a":1}}',
      '[{"a":1},{"a":2}]',
      '{"a":"b","b":"a"}',
      '{"a":"{\\"a\\":1,\\"a\\":2}"}',
      '{"a":["a","a"]}',
      '{"a":1,"A":2}',
    ];

    for (const text of fine)
      expect(parseStrictJson(text), text).to.deep.equal({ ok: true, value: JSON.parse(text) as unknown });
  });

  it('finds a key repeated anywhere in an object', () => {
    const keys = fc.uniqueArray(fc.string({ unit: anyCharacter }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(keys, fc.nat(), (names, pick) => {
        const again = names[pick % names.length]!;
        const members = [...names, again].map((name) => `${JSON.stringify(name)}:0`);

        expect(parseStrictJson(`{${members.slice(0, -1).join()}}`)).to.have.property('ok', true);
        expect(parseStrictJson(`{${members.join()}}`)).to.include({
          ok: false,
          reason: 'names one key twice',
        });
      }),
      { numRuns: 500 },
    );
  });

  it('takes 32 levels and refuses 33, in arrays and in objects', () => {
    const objects = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

    expect(parseStrictJson(nested(MAX_DEPTH))).to.have.property('ok', true);
    expect(parseStrictJson(objects(MAX_DEPTH))).to.have.property('ok', true);
    expect(parseStrictJson(nested(MAX_DEPTH + 1))).to.have.property('ok', false);
    expect(parseStrictJson(objects(MAX_DEPTH + 1))).to.have.property('ok', false);
    expect(parseStrictJson('['.repeat(30_000))).to.have.property('ok', false);
    expect(parseStrictJson('"' + '['.repeat(100) + '"')).to.have.property('ok', true);
  });

  it('takes 64 KiB and refuses one byte more, counted in UTF-8', () => {
    const fits = JSON.stringify('x'.repeat(MAX_ARGUMENT_BYTES - 2));
    const tooLarge = JSON.stringify('é'.repeat(MAX_ARGUMENT_BYTES / 2));

    expect(parseStrictJson(fits)).to.have.property('ok', true);
    expect(parseStrictJson(`${fits} `)).to.have.property('ok', false);
    expect(parseStrictJson(tooLarge)).to.have.property('ok', false);
  });

  it('keeps "__proto__" an ordinary key', () => {
    const parsed = parseStrictJson('{"__proto__":{"polluted":true}}');

    expect(parsed).to.have.property('ok', true);
    expect({}).not.to.have.property('polluted');
    expect(Object.keys((parsed as { value: object }).value)).to.deep.equal(['__proto__']);
  });

  const HALF = MAX_ARGUMENT_BYTES / 2 - 1;
  for (const [what, text] of [
    ['a text that is never closed, full of escaped quotes', '"' + '\\"'.repeat(HALF)],
    ['quotes alone', '"'.repeat(MAX_ARGUMENT_BYTES)],
    ['backslashes', '"' + '\\'.repeat(MAX_ARGUMENT_BYTES - 1)],
    ['colons', ':'.repeat(MAX_ARGUMENT_BYTES)],
    ['many keys', `{${Array.from({ length: 6_000 }, (_, i) => `"${String(i)}":0`).join()}}`],
  ] as const) {
    it(`reads the largest hostile input at once: ${what}`, () => {
      // The least of three: what else the machine does at the moment is not what is measured.
      const took = [1, 2, 3].map(() => {
        const startedAt = performance.now();
        parseStrictJson(text);
        return performance.now() - startedAt;
      });

      expect(Math.min(...took)).to.be.lessThan(200);
    });
  }
});

describe('isNoDeeperThan', () => {
  it('counts the containers around the innermost value', () => {
    for (const depth of [1, 31, 32, 33, 40]) {
      const value = JSON.parse('['.repeat(depth) + '1' + ']'.repeat(depth)) as unknown;

      expect(isNoDeeperThan(value, MAX_DEPTH), String(depth)).to.equal(depth <= MAX_DEPTH);
    }
  });

  it('walks a very deep value without overflowing', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 200_000; i++) deep = [deep];

    expect(isNoDeeperThan(deep, MAX_DEPTH)).to.equal(false);
  });
});
