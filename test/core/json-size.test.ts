import { expect } from 'chai';
import fc from 'fast-check';
import { faultOfJson, faultOfSize } from '../../src/core/base/json-size.js';

const LIMITS = { bytes: 1_000, values: 20, depth: 4 };

describe('the size of a value from outside', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
  const cases: [string, unknown, string | undefined][] = [
    ['fits', { a: [1, 2, { b: 'c' }] }, undefined],
    ['fits at its deepest', nested(4), undefined],
    ['is too deep', nested(5), 'depth'],
    ['has too many keys', Object.fromEntries(Array.from({ length: 21 }, (_, i) => [i, 0])), 'values'],
    ['has too many items', Array.from({ length: 22 }, () => 0), 'values'],
    ['has too long a text', 'x'.repeat(1_000), 'bytes'],
    ['has commas and brackets in texts alone', { a: '[{,"[{,\\'.repeat(30) }, undefined],
  ];
  for (const [what, value, limit] of cases) {
    it(`${what}: ${limit ?? 'no fault'}, parsed or not`, () => {
      expect(faultOfSize(value, LIMITS)?.limit).to.equal(limit);
      expect(faultOfJson(Buffer.from(JSON.stringify(value)), LIMITS)?.limit).to.equal(limit);
    });
  }

  it('is judged alike before and after it is parsed, give or take one', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const bytes = Buffer.from(JSON.stringify(value));
        const roomy = { bytes: Infinity, values: Infinity, depth: 20 };
        expect(faultOfSize(value, roomy)).to.equal(undefined);
        expect(faultOfJson(bytes, roomy)).to.equal(undefined);
        const depth = depthOf(value);
        if (depth > 0) {
          const tight = { ...roomy, depth: depth - 1 };
          expect(faultOfSize(value, tight)?.limit).to.equal('depth');
          expect(faultOfJson(bytes, tight)?.limit).to.equal('depth');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('of anything at all is told without throwing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        faultOfJson(Buffer.from(bytes), LIMITS);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is known at once of a long run of backslashes', () => {
    const text = Buffer.from(`["${'\\'.repeat(2_000_000)}"${'"\\"'.repeat(300_000)}`);
    const startedAt = performance.now();

    faultOfJson(text, { bytes: Infinity, values: 10, depth: 10 });

    expect(performance.now() - startedAt).to.be.lessThan(1_500);
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
