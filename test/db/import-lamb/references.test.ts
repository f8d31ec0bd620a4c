import { expect } from 'chai';
import fc from 'fast-check';
import { assistantsNamedIn, rewriteReferences } from '../../../db/import-lamb/references.js';
import { integerOf, rewriteJson, textOf, timeOf } from '../../../db/import-lamb/values.js';

const indents = fc.constantFrom('', ' ', '\t', '  ');

describe('values in the text of JSON', () => {
  it('are each found once, where they stand, and nothing changes that is not asked for', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), indents, (compact, indent) => {
        const text = JSON.stringify(JSON.parse(compact), undefined, indent);
        const found: unknown[] = [];

        const same = rewriteJson(text, (path, raw) => {
          found.push([[...path], JSON.parse(raw)]);
          return undefined;
        });

        expect(same).to.equal(text);
        expect(found).to.deep.equal(leavesOf(JSON.parse(text), []));
      }),
      { numRuns: 500 },
    );
  });

  it('are replaced without a change around them', () => {
    const text = '{ "a" : [1 ,2,{"a":"\\"1,{"}],\r\n\t"b":1e3 , "c":12345678901234567890}';

    const written = rewriteJson(text, (path, raw) => (raw === '2' || path.at(-1) === 'b' ? 'X' : undefined));

    expect(written).to.equal('{ "a" : [1 ,X,{"a":"\\"1,{"}],\r\n\t"b":X , "c":12345678901234567890}');
  });
});

describe('assistants that metadata names', () => {
  const double = (id: number) => id * 2;

  it('are renamed in every shape they were ever stored in, wherever they stand', () => {
    const text =
      '{"tools": [{"type":"assistant","assistant_id": 4}, {"type":"assistant","config":{ "assistant_id":"5" }},' +
      '{"plugin":"assistant","config":{"assistant_id":"lamb_assistant.6"}}], "assistant_ids": [7, "8"], "n": 4}';

    expect(assistantsNamedIn(text)).to.deep.equal([4, 5, 6, 7, 8]);
    expect(rewriteReferences(text, double)).to.equal(
      '{"tools": [{"type":"assistant","assistant_id": 8}, {"type":"assistant","config":{ "assistant_id":"10" }},' +
        '{"plugin":"assistant","config":{"assistant_id":"lamb_assistant.12"}}], "assistant_ids": [14, "16"], "n": 4}',
    );
  });

  for (const text of [
    null,
    '',
    '{"assistant_id": 4',
    '[{"assistant_id":4}]',
    '"assistant_id"',
    '{"a":"assistant_id"}',
  ]) {
    it(`are none in ${JSON.stringify(text)}, which stays as it is`, () => {
      expect(assistantsNamedIn(text)).to.deep.equal([]);
      expect(rewriteReferences(text, double)).to.equal(text);
    });
  }

  it('are none where the value is no number of an assistant', () => {
    const text =
      '{"assistant_id":null,"x":{"assistant_id":"four"},"y":{"assistant_id":-4},"z":{"assistant_id":1.5}}';

    expect(rewriteReferences(text, double)).to.equal(text);
  });
});

describe("LAMB's columns", () => {
  it('are read whatever type SQLite has stored in them', () => {
    expect([textOf(5), textOf(null), textOf(Buffer.from('é')), textOf('a\0b')]).to.deep.equal([
      '5',
      undefined,
      'é',
      'a\uFFFDb',
    ]);
    expect([integerOf('7'), integerOf(7), integerOf(' 7 '), integerOf(7.5), integerOf(1e12)]).to.deep.equal([
      ...[7, 7, 7, undefined, undefined],
    ]);
    expect([
      timeOf(0),
      timeOf('1715947200'),
      timeOf(1_715_947_200_000),
      timeOf('2024-05-17 12:00:00'),
    ]).to.deep.equal([
      '1970-01-01T00:00:00.000Z',
      ...Array.from({ length: 3 }, () => '2024-05-17T12:00:00.000Z'),
    ]);
    expect([timeOf('soon'), timeOf(-5), timeOf(1e20), timeOf('')]).to.deep.equal(Array(4).fill(undefined));
  });
});

/** Every value that holds no others, with the way to it. */
function leavesOf(value: unknown, path: readonly (string | number)[]): unknown[] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return inner.flatMap(([key, item]: [string | number, unknown]) => leavesOf(item, [...path, key]));
}
