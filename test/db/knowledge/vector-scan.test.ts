import { expect } from 'chai';
import { dotProduct } from '../../../db/knowledge/vector-bytes.js';
import { openPage, packPage, type VectorPage } from '../../../db/knowledge/vector-page.js';
import { nominate } from '../../../db/knowledge/vector-scan.js';
import { aVector, between } from './embedded.js';

/** Topics, and passages about them, as vectors of texts lie: in heaps, all of them leaning the same way. */
function heaps(lean: number, count: number) {
  const common = aVector(99_991, 384);
  return Array.from({ length: count }, (_, i) => {
    const topic = aVector(Math.floor(i / 25) + 1_000, 384);
    return { passageId: i + 1, vector: between(common, between(topic, aVector(i + 5_000, 384), 0.5), lean) };
  });
}

type Row = ReturnType<typeof heaps>[number];

async function* paged(rows: readonly Row[], size: number): AsyncGenerator<VectorPage, void> {
  for (let start = 0; start < rows.length; start += size)
    yield openPage(await Promise.resolve(packPage(rows.slice(start, start + size))));
}

async function recall(rows: readonly Row[], size: number): Promise<number> {
  const questions = Array.from({ length: 30 }, (_, i) => {
    const near = rows[Math.floor(((i + 0.5) * rows.length) / 30)]!.vector;
    return between(near, aVector(i + 900_000, 384), 0.6);
  });
  let found = 0;
  for (const question of questions) {
    const exact = [...rows].sort((a, b) => dotProduct(b.vector, question) - dotProduct(a.vector, question));
    const nominated = new Set((await nominate(paged(rows, size), question, 200)).map((one) => one.passageId));
    found += exact.slice(0, 10).filter(({ passageId }) => nominated.has(passageId)).length / 10;
  }
  return found / questions.length;
}

describe('looking through outlines', () => {
  it('nominates at least 95 of 100 of the ten nearest', async () => {
    expect(await recall(heaps(0.1, 6_000), 96)).to.be.at.least(0.95);
  });

  it('does so for models whose vectors all point much the same way', async () => {
    expect(await recall(heaps(0.6, 6_000), 96)).to.be.at.least(0.95);
  });

  it('does so in pages too small to have a middle', async () => {
    expect(await recall(heaps(0.1, 3_000), 5)).to.be.at.least(0.95);
  });

  it('takes vectors whose length is no multiple of eight', async () => {
    const rows = [1, 2, 3].map((id) => ({ passageId: id, vector: aVector(id, 13) }));

    const found = await nominate(paged(rows, 3), aVector(2, 13), 1);

    expect(found.map(({ passageId }) => passageId)).to.deep.equal([2]);
  });

  it('gives everybody else a turn before it is through', async () => {
    const rows = heaps(0.1, 20_000);
    const pages: VectorPage[] = [];
    for await (const page of paged(rows, 96)) pages.push(page);
    let turns = 0;
    const count = setInterval(() => (turns += 1), 0);
    async function* often() {
      for (let i = 0; i < 20; i += 1) for (const page of pages) yield await Promise.resolve(page);
    }

    await nominate(often(), rows[0]!.vector, 10);
    clearInterval(count);

    expect(turns).to.be.greaterThan(1);
  });
});
