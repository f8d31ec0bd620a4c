import { expect } from 'chai';
import fc from 'fast-check';
import type { Ranked } from '../../src/knowledge/search/bm25.js';
import { fuse, mergeBySimilarity } from '../../src/knowledge/search/fuse.js';

const ranked = (...entries: readonly (readonly [number, number])[]): readonly Ranked[] =>
  entries.map(([passageId, similarity]) => ({ passageId, similarity }));

describe('the fusion of two rankings', () => {
  it('puts what both found above what one found first, and tells each rank and worth', () => {
    const fused = fuse({ lexical: ranked([1, 0.9], [2, 0.5]), vector: ranked([3, 0.8], [2, 0.7]) });

    expect(fused.map(({ passageId }) => passageId)).to.deep.equal([2, 1, 3]);
    expect(fused[0]).to.deep.include({
      similarity: 0.7,
      reasons: { lexical: { rank: 2, similarity: 0.5 }, vector: { rank: 2, similarity: 0.7 } },
    });
    expect(fused[1]?.reasons).to.deep.equal({ lexical: { rank: 1, similarity: 0.9 } });
  });

  it('weighs ranks by 1/(60 + rank)', () => {
    const first = Array.from({ length: 100 }, (_, i) => [i, 0.5] as const);
    // The first of one list alone is worth as much as rank 62 of both.
    const second = (rank: number) =>
      Array.from({ length: rank }, (_, i) => [i + 1 === rank ? rank : 1000 + i, 0.5] as const);

    const place = (rank: number) => {
      const lexical = first.map(([id, worth]) => [id + 1, worth] as const);
      const order = fuse({ lexical: ranked(...lexical), vector: ranked(...second(rank)) });
      return (
        order.findIndex(({ passageId }) => passageId === rank) -
        order.findIndex(({ passageId }) => passageId === 1)
      );
    };

    expect(place(61)).to.be.lessThan(0);
    expect(place(63)).to.be.greaterThan(0);
  });

  it('lets a list in which even the first is hardly similar say little', () => {
    const fused = fuse({ lexical: ranked([1, 0.1], [2, 0.1]), vector: ranked([3, 0.9], [1, 0.2]) });

    expect(fused.map(({ passageId }) => passageId)).to.deep.equal([3, 1, 2]);
  });

  it('keeps the order of one list when there is no other, and loses or doubles nothing', () => {
    const list = fc
      .uniqueArray(fc.nat(50), { maxLength: 30 })
      .map((ids) => ranked(...ids.map((id) => [id, 0.5] as const)));
    fc.assert(
      fc.property(list, list, (lexical, vector) => {
        const alone = fuse({ lexical, vector: [] }).map(({ passageId }) => passageId);
        const both = fuse({ lexical, vector }).map(({ passageId }) => passageId);

        expect(alone).to.deep.equal(lexical.map(({ passageId }) => passageId));
        expect(new Set(both)).to.deep.equal(
          new Set([...lexical, ...vector].map(({ passageId }) => passageId)),
        );
        expect(both).to.have.length(new Set(both).size);
      }),
    );
  });
});

describe('the merging of several lists', () => {
  const item = fc.record({ similarity: fc.double({ min: 0, max: 1, noNaN: true }), name: fc.uuid() });

  it('takes the best head each time, keeps the order of each list, and no more than asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.array(item, { maxLength: 8 }), { maxLength: 5 }), fc.nat(20), (lists, most) => {
        const merged = mergeBySimilarity(lists, most);

        const all = lists.flat();
        expect(merged).to.have.length(Math.min(most, all.length));
        for (const list of lists) {
          const places = list.map((one) => merged.indexOf(one)).filter((place) => place >= 0);
          expect(places).to.deep.equal([...places].sort((a, b) => a - b));
          expect(places.length).to.equal(
            list.filter((_, i) => i < places.length && merged.includes(list[i]!)).length,
          );
        }
      }),
    );
  });

  it('is a sorted list when its lists are sorted', () => {
    const of = (...similarities: number[]) => similarities.map((similarity) => ({ similarity }));

    const merged = mergeBySimilarity([of(0.9, 0.4), of(0.7, 0.6, 0.1), []], 4);

    expect(merged).to.deep.equal(of(0.9, 0.7, 0.6, 0.4));
  });
});
