import { expect } from 'chai';
import { citedIn, renumber } from '../../agents/gate/citations.js';

const FIVE = [1, 2, 3, 4, 5].map((n) => ({ n, title: `Source ${String(n)}` }));

const CODE: readonly (readonly [string, string])[] = [
  ['a block of code', 'Look:\n```js\na = [1]\n\nb = [2]\n```\nDone.'],
  ['a block of code in a list', '1. First\n\n   ```\n   [1]\n\n   [2]\n   ```\n'],
  ['a block of code that opens an item', '- ```js\n  x = [1]\n\n  y = [2]\n  ```\n'],
  ['a quoted block of code', '> ~~~\n> [1]\n> ~~~\n'],
  ['a block of code that is never closed', 'See\n\n````\n[1]\n```\n[2]'],
  ['code within a sentence', 'Take `a = [1]` and ``b = ` [2]``.'],
  ['the element of a list', 'Then a[1] and m[i][2], x_1[3].'],
  ['an interval', 'With x in [0, 1], [1.5, 2] and [-1, 2].'],
  ['what is written out', String.raw`\[1] and ![2](x.png)`],
  ['a footnote, a year and words', '[^1] [2024] [see 1] [1a] [] [ ] (1)'],
];

describe('marks that cite', () => {
  const cited = (answer: string) =>
    citedIn(answer, FIVE)
      .filter((source) => source.cited)
      .map(({ n }) => n);

  for (const [answer, numbers] of [
    ['Cells divide [2].', [2]],
    ['Cells divide.[2]', [2]],
    ['Both [1, 3] say so.', [1, 3]],
    ['Both [1;3] say so.', [1, 3]],
    ['Both [1][4] say so.', [1, 4]],
    ['All [1–3] and [4-5].', [1, 2, 3, 4, 5]],
    ['Several [1, 3—5].', [1, 3, 4, 5]],
    ['In brackets of another kind【2】【4, 5】.', [2, 4, 5]],
    ['细胞分裂[3]。', [3]],
    ['As a link: [1](https://example.edu).', [1]],
    ['A tick ` that nothing closes [1].\n\nAnd ` another [2].', [1, 2]],
    ['```\n[1]\n```\nAfter it [2].', [2]],
    ['Two in one line: ```code``` then [3]', [3]],
    ['Beyond the list: [6], [2, 9], [4-9999].', [2, 4, 5]],
    ['Nothing at all.', []],
    ['', []],
  ] as const) {
    it(`are found in ${JSON.stringify(answer)}`, () => {
      expect(cited(answer)).to.deep.equal(numbers);
    });
  }

  for (const [what, text] of CODE) {
    it(`are none in ${what}`, () => {
      const others = new Map([1, 2, 3].map((n) => [n, n + 10]));

      expect(cited(text)).to.deep.equal([]);
      expect(renumber(text, others)).to.equal(text);
    });
  }

  it('leave every source in the list, whether cited or not', () => {
    expect(citedIn('[2]', FIVE.slice(0, 2))).to.deep.equal([
      { n: 1, title: 'Source 1', cited: false },
      { n: 2, title: 'Source 2', cited: true },
    ]);
    expect(citedIn('[1]', [])).to.deep.equal([]);
  });

  it('get other numbers all at once, so that none is changed twice', () => {
    const swapped = new Map([
      [1, 2],
      [2, 1],
      [3, 12],
    ]);

    const text = 'A [1], B [2], C [1, 3], D [1][2], E [1–3], F【3】, `[1]`, a[1].';

    expect(renumber(text, swapped)).to.equal(
      'A [2], B [1], C [2, 12], D [2][1], E [2, 1, 12], F【12】, `[1]`, a[1].',
    );
  });

  it('keep numbers that are of no source, and everything beside the marks as it was', () => {
    const numbers = new Map([[1, 7]]);

    expect(renumber('[2] [1, 2] [1–2] $& {context} \\frac{a}{b} [1]', numbers)).to.equal(
      '[2] [1, 2] [1–2] $& {context} \\frac{a}{b} [7]',
    );
  });

  it('are found in time that grows with the text, whatever it is made of', () => {
    const size = 200_000;
    for (const piece of ['a[', '[1', '`', '``` ', '\n```x', '[1, ', '[1-', '~~~\n', '> ', '1. ', '【']) {
      expect(cited(piece.repeat(size / piece.length))).to.be.an('array');
    }
  });
});
