import { expect } from 'chai';
import { dotProduct, openPage, packPage, type VectorPage } from '../../../db/knowledge/vectors/pages.js';
import { nominate } from '../../../db/knowledge/vectors/scan.js';
import { aVector, between } from './embedded.js';

/** Topics, and passages about them, as vectors of texts lie: in heaps. */
const ABOUT_TOPICS = Array.from({ length: 1_500 }, (_, i) =>
  between(aVector(Math.floor(i / 25) + 1_000, 384), aVector(i + 5_000, 384), 0.5),
);

/** All of them leaning the same way. */
function heaps(lean: number, count = ABOUT_TOPICS.length) {
  const common = aVector(99_991, 384);
  return ABOUT_TOPICS.slice(0, count).map((vector, i) => ({
    passageId: i + 1,
    vector: between(common, vector, lean),
  }));
}

const QUESTIONS = 20;

type Row = ReturnType<typeof heaps>[number];

function paged(rows: readonly Row[], size: number): readonly VectorPage[] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, i) =>
    openPage(packPage(rows.slice(i * size, (i + 1) * size))),
  );
}

async function* each(pages: readonly VectorPage[], times = 1): AsyncGenerator<VectorPage, void> {
  for (let i = 0; i < times; i += 1) for (const page of pages) yield await Promise.resolve(page);
}

async function recall(rows: readonly Row[], size: number): Promise<number> {
  const pages = paged(rows, size);
  let found = 0;
  for (let i = 0; i < QUESTIONS; i += 1) {
    const near = rows[Math.floor(((i + 0.5) * rows.length) / QUESTIONS)]!.vector;
    const question = between(near, aVector(i + 900_000, 384), 0.6);
    const nominated = new Set((await nominate(each(pages), question, 40)).map((one) => one.passageId));
    found += nearestOf(rows, question).filter((id) => nominated.has(id)).length / 10;
  }
  return found / QUESTIONS;
}

function nearestOf(rows: readonly Row[], question: Float32Array): readonly number[] {
  const measured = rows.map(({ passageId, vector }) => ({ passageId, cosine: dotProduct(vector, question) }));
  return measured
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, 10)
    .map(({ passageId }) => passageId);
}

describe('looking through outlines', () => {
  it('nominates at least 95 of 100 of the ten nearest', async () => {
    expect(await recall(heaps(0.1), 96)).to.be.at.least(0.95);
  });

  it('does so for models whose vectors all point much the same way', async () => {
    expect(await recall(heaps(0.6), 96)).to.be.at.least(0.95);
  });

  it('does so in pages too small to have a middle', async () => {
    expect(await recall(heaps(0.1), 5)).to.be.at.least(0.95);
  });

  it('guesses cosines that are right on average, also where all vectors point much the same way', async () => {
    const rows = heaps(0.6, 400);
    const question = rows[7]!.vector;

    const guesses = await nominate(each(paged(rows, 96)), question, rows.length);

    const errors = guesses.map(
      ({ passageId, guess }) => guess - dotProduct(rows[passageId - 1]!.vector, question),
    );
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(guesses).to.have.length(rows.length);
    expect(mean(errors)).to.be.within(-0.005, 0.005);
    expect(mean(errors.map(Math.abs))).to.be.lessThan(0.02);
  });

  it('takes vectors whose length is no multiple of eight', async () => {
    const rows = [1, 2, 3].map((id) => ({ passageId: id, vector: aVector(id, 13) }));

    const found = await nominate(each(paged(rows, 3)), aVector(2, 13), 1);

    expect(found.map(({ passageId }) => passageId)).to.deep.equal([2]);
  });

  it('gives everybody else a turn before it is through', async () => {
    const rows = heaps(0.1, 1_000);
    let turns = 0;
    const count = setInterval(() => (turns += 1), 0);

    await nominate(each(paged(rows, 96), 200), rows[0]!.vector, 10);
    clearInterval(count);

    expect(turns).to.be.greaterThan(1);
  });
});
