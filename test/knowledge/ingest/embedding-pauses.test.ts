import { expect } from 'chai';
import { createEmbeddingPauses } from '../../../src/knowledge/ingest/embed.js';

const MINUTE = 60_000;

describe('a pause for an embedding model that does not answer', () => {
  let now = 0;
  const pauses = createEmbeddingPauses(() => now);
  const SCHOOL = 1;
  /** How long the model is left alone after one more failure. */
  const pauseAfterFailure = () => {
    pauses.failed(SCHOOL);
    const began = now;
    while (pauses.isPaused(SCHOOL)) now += MINUTE / 2;
    expect(pauses.takeOver()).to.deep.equal([SCHOOL]);
    return now - began;
  };

  it('doubles with each failure in a row up to half an hour, and is told to be over once', () => {
    const lengths = Array.from({ length: 7 }, pauseAfterFailure);

    expect(lengths.map((ms) => ms / MINUTE)).to.deep.equal([1, 2, 4, 8, 16, 30, 30]);
    expect(pauses.takeOver()).to.deep.equal([]);
  });

  it('concerns one organisation alone, and is forgotten when its model answers', () => {
    pauses.failed(SCHOOL);
    const others = pauses.isPaused(2);
    pauses.forget(SCHOOL);

    expect([others, pauses.isPaused(SCHOOL), pauses.takeOver()]).to.deep.equal([false, false, []]);
    expect(pauseAfterFailure()).to.equal(MINUTE);
  });
});
