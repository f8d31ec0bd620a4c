import { expect } from 'chai';
import { createNovelty } from '../../src/knowledge/search/fuse.js';

const LONG = Array.from({ length: 60 }, (_, i) => `word${String(i)}`);
let place = 0;
const passage = (text: string, more: object = {}) => {
  place += 10_000;
  return {
    documentId: `doc-${String(place)}`,
    sectionId: place,
    start: place,
    end: place + text.length,
    text,
    ...more,
  };
};

describe('near-duplicates', () => {
  const judge = (...passages: ReturnType<typeof passage>[]) =>
    passages.map(createNovelty({ oncePerSection: false }));

  it('are the same words in other letters, marks and spaces', () => {
    expect(judge(passage('The Café, at night.'), passage('the cafe — at NIGHT!'))).to.deep.equal([
      true,
      false,
    ]);
  });

  it('are texts that share nine tenths of their word groups with a better one, and no others', () => {
    const almost = [...LONG.slice(0, 59), 'other'];
    const similar = [...LONG.slice(0, 56), 'a', 'b', 'c', 'd'];

    const verdicts = judge(passage(LONG.join(' ')), passage(almost.join(' ')), passage(similar.join(' ')));

    expect(verdicts).to.deep.equal([true, false, true]);
  });

  it('are neighbours of one document that share most of their text, but not those that merely touch', () => {
    const at = (start: number, documentId = 'one') =>
      passage(`text at ${String(start)}`, { documentId, start, end: start + 100 });

    expect(judge(at(0), at(40), at(80), at(40, 'another'))).to.deep.equal([true, false, true, true]);
  });

  it('are, where sections are brought, passages of one section', () => {
    const isNovel = createNovelty({ oncePerSection: true });

    expect(
      [passage('one thing', { sectionId: 1 }), passage('quite another', { sectionId: 1 })].map(isNovel),
    ).to.deep.equal([true, false]);
  });

  it('are not all the texts that hold no words', () => {
    expect(judge(passage('---'), passage('***'), passage('---'))).to.deep.equal([true, true, false]);
  });
});
