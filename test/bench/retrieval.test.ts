import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { createCorpus } from '../../bench/knowledge/corpus.js';
import { readTestCollection } from '../../bench/retrieval/beir.js';
import { openFts5 } from '../../bench/retrieval/fts5.js';
import { meanQuality, qualityOf } from '../../bench/retrieval/metrics.js';
import { createPlainBm25 } from '../../bench/retrieval/plain-bm25.js';
import { createMistyping } from '../../bench/retrieval/typing.js';

const judgements = new Map([
  ['a', 2],
  ['b', 1],
  ['c', 0],
]);

describe('measuring retrieval', () => {
  it('counts as trec_eval does: grades by place, and what was not judged as nothing', () => {
    const quality = qualityOf(['x', 'b', 'c', 'a'], judgements);

    const ideal = 2 / Math.log2(2) + 1 / Math.log2(3);
    expect(quality.ndcg10).to.be.closeTo((1 / Math.log2(3) + 2 / Math.log2(5)) / ideal, 1e-12);
    expect(quality.recall10).to.equal(1);
    expect(quality.mrr10).to.equal(1 / 2);
  });

  it('looks only as far as the measure says', () => {
    const far = [...Array.from({ length: 10 }, (_, i) => `x${String(i)}`), 'a'];

    const quality = qualityOf(far, judgements);

    expect(quality).to.deep.equal({ ndcg10: 0, recall10: 0, recall100: 0.5, mrr10: 0 });
    expect(meanQuality([quality, qualityOf(['a', 'b'], judgements)]).ndcg10).to.equal(0.5);
  });

  it('ranks by plain BM25 as worked out by hand', () => {
    const rank = createPlainBm25([
      { id: 'long', title: '', text: 'cells divide and grow and divide again in tissue of many kinds' },
      { id: 'short', title: 'Cells', text: 'divide' },
      { id: 'other', title: '', text: 'light and water' },
    ]);

    expect(rank('dividing cell', 10)).to.deep.equal(['short', 'long']);
    expect(rank('the', 10)).to.deep.equal([]);
  });

  for (const name of ['campus', 'courses', 'languages', 'pages']) {
    it(`ships a collection whose judgements name documents that are there (${name})`, async () => {
      const folder = fileURLToPath(new URL(`../../bench/retrieval/${name}`, import.meta.url));
      const { documents, questions, offTopic } = await readTestCollection(folder);
      const ids = new Set(documents.map(({ id }) => id));

      expect(ids.size).to.equal(documents.length);
      expect(questions.length).to.be.greaterThan(30);
      expect(offTopic.length).to.be.greaterThan(5);
      for (const question of [...questions, ...offTopic])
        for (const id of question.judgements.keys()) expect(ids.has(id), id).to.equal(true);
    });
  }

  it('makes the same typing errors each time, in long words and never in short ones', () => {
    const text = 'the mitochondria of photosynthesising plants';

    const typed = createMistyping(7)(text);

    expect(typed).to.equal(createMistyping(7)(text)).and.not.to.equal(text);
    expect(typed).to.match(/^the \S+ of photosynthesising \S+$/);
  });

  it('ranks by FTS5 as SQLite does: the words as they are, or by their stems', async () => {
    const documents = [
      { id: 'cells', text: 'Cells: They divide' },
      { id: 'light', text: 'light and water' },
    ];
    for (const [tokenizer, found] of [
      ['unicode61', []],
      ['porter unicode61', ['cells']],
    ] as const) {
      const fts5 = await openFts5(tokenizer);
      await fts5.add(documents);
      const best = await fts5.find('a "dividing" cell?', 5);
      expect(
        best.map(({ id }) => id),
        tokenizer,
      ).to.deep.equal(found);
      await fts5.close();
    }
  });

  it('makes up the same pages and questions each time, each question of words of the passage it is to find', () => {
    const [one, other] = [createCorpus(), createCorpus()];
    const part = one.growTo(100);
    const questions = one.questions(20);

    expect(part).to.deep.equal(other.growTo(100));
    expect(questions).to.deep.equal(other.questions(20));
    expect(part.passages.length).to.be.at.least(100);
    for (const { text, passage } of questions) {
      expect(part.passages).to.include(passage);
      expect(passage.split(/\W+/)).to.include.members(text.split(' '));
    }
    expect(one.growTo(200).passages).not.to.include(part.passages[0]);
  });
});
