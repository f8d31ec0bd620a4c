import { expect } from 'chai';
import fc from 'fast-check';
import type { LexicalCandidate, TermGroup, TermStatistics } from '../../src/core/knowledge/passage.js';
import { rankByWords } from '../../src/knowledge/search/bm25.js';

const group = (...forms: string[]): TermGroup => ({ forms });
const candidate = (passageId: number, terms: string): LexicalCandidate => ({ passageId, terms });

function statisticsOf(candidates: readonly LexicalCandidate[]): TermStatistics {
  const frequencies = new Map<string, number>();
  const lengths = candidates.map(({ terms }) => terms.split(' ').length);
  for (const { terms } of candidates)
    for (const term of new Set(terms.split(' '))) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const averageTerms = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return { passages: candidates.length, averageTerms, frequencies };
}

/** As the books have it, written a second time and in another way. */
function okapi(
  terms: string,
  words: readonly string[],
  { passages, averageTerms, frequencies }: TermStatistics,
) {
  const all = terms.split(' ');
  return words
    .map((word) => {
      const holding = frequencies.get(word) ?? 0;
      const idf = Math.log(1 + (passages - holding + 0.5) / (holding + 0.5));
      const count = all.filter((term) => term === word).length;
      return (idf * count) / (count + 0.9 * (1 - 0.4 + 0.4 * (all.length / averageTerms)));
    })
    .reduce((sum, part) => sum + part, 0);
}

const word = fc.constantFrom('cell', 'light', 'sugar', 'leaf', 'root', 'water');
const passages = fc
  .array(fc.array(word, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 12 })
  .map((texts) => texts.map((terms, i) => candidate(i, terms.join(' '))));

describe('the ranking by words', () => {
  it('is that of BM25 with k1 0.9 and b 0.4, and its similarities follow it', () => {
    fc.assert(
      fc.property(passages, fc.array(word, { minLength: 1, maxLength: 5 }), (candidates, words) => {
        const statistics = statisticsOf(candidates);
        const scores = new Map(
          candidates.map(({ passageId, terms }) => [passageId, okapi(terms, words, statistics)]),
        );

        const ranked = rankByWords(
          candidates,
          words.map((one) => group(one)),
          statistics,
        );

        const expected = [...scores].filter(([, score]) => score > 0).sort((a, b) => b[1] - a[1]);
        const close = (a = 0, b = 0) => Math.abs(a - b) < 1e-9;
        expect(ranked).to.have.length(expected.length);
        ranked.forEach(({ passageId }, i) => {
          expect(close(scores.get(passageId), expected[i]?.[1])).to.equal(true);
        });
        const similarities = ranked.map(({ similarity }) => similarity);
        expect(similarities).to.deep.equal([...similarities].sort((a, b) => b - a));
        expect(similarities.every((one) => one > 0 && one <= 1)).to.equal(true);
      }),
      { numRuns: 500 },
    );
  });

  it('counts the forms of a word as that one word, as common as the commonest of them', () => {
    const candidates = [candidate(1, 'cells cell x x'), candidate(2, 'cell y y y'), candidate(3, 'z z z z')];
    const statistics = statisticsOf(candidates);

    const ranked = rankByWords(candidates, [group('cell', 'cells')], statistics);

    const idf = Math.log(1 + (3 - 2 + 0.5) / 2.5);
    expect(ranked.map(({ passageId }) => passageId)).to.deep.equal([1, 2]);
    expect(ranked[0]?.similarity).to.equal(Math.round(((idf * 2) / 2.9 / idf) * 10_000) / 10_000);
  });

  it('is 1 for a passage that is full of all that was asked for, and less for each word that is missing', () => {
    const candidates = [
      candidate(1, 'cell light '.repeat(5_000).trim()),
      candidate(2, 'cell '.repeat(10_000).trim()),
      candidate(3, 'x'),
    ];
    const statistics = {
      passages: 3,
      averageTerms: 10_000,
      frequencies: new Map([
        ['cell', 2],
        ['light', 1],
      ]),
    };

    const [all, half] = rankByWords(candidates, [group('cell'), group('light')], statistics);
    const [missing] = rankByWords(candidates, [group('cell'), group('light'), group('nowhere')], statistics);

    expect(all?.similarity).to.be.greaterThan(0.999);
    expect(half?.similarity).to.be.lessThan(0.5);
    expect(missing?.similarity).to.be.lessThan(0.7);
  });

  it('leaves out what has none of the words, and takes odd counts without breaking', () => {
    const none = { passages: 0, averageTerms: 0, frequencies: new Map<string, number>() };
    const stale = { passages: 1, averageTerms: 1, frequencies: new Map([['cell', 5]]) };

    expect(rankByWords([candidate(1, 'x'), candidate(2, '')], [group('cell')], none)).to.deep.equal([]);
    expect(rankByWords([candidate(1, 'cell')], [group('cell')], none)).to.have.length(1);
    expect(rankByWords([candidate(1, 'cell')], [group('cell')], stale)[0]?.similarity).to.be.within(0, 1);
  });
});
