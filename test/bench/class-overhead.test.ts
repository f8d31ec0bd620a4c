import { expect } from 'chai';
import { mostOpen, openAt, overheadOf } from '../../bench/class/overhead.js';
import type { Turn } from '../../bench/model-turns.js';

/** A question sent at 100, each of whose gaps is a power of ten of its own. */
const ANSWERED = { id: 'u0-0', sentAt: 100, endedAt: 9000, wordsAt: [5111, 5150] };
const CALLS: Turn = { id: 'u0-0', step: 'calls', askedAt: 1100, wroteAt: [1100, 1500], endedAt: 2000 };
const CHILD: Turn = { id: 'u0-0', step: 'plain', askedAt: 2100, wroteAt: [2100], endedAt: 3000 };
const ANSWER: Turn = {
  id: 'u0-0',
  step: 'answer',
  askedAt: 3010,
  wroteAt: [5000, 5110, 5130],
  endedAt: 8000,
};

describe('what the benchmark of a class counts against the service', () => {
  it('is all the time until the first word in which no model was at work', () => {
    const overhead = overheadOf(ANSWERED, [CALLS, CHILD, ANSWER]);

    expect(overhead).to.deep.include({
      firstMs: 1111,
      gaps: { toModel: 1000, toChild: 100, toAnswer: 10, toClient: 1 },
    });
  });

  it('is, for every word, the time from its being written to its arrival', () => {
    const overhead = overheadOf(ANSWERED, [CALLS, CHILD, ANSWER]);

    expect(overhead).to.deep.include({ wordsMs: [1, 20] });
  });

  it('cannot be told of an answer for which the model was asked less, more, or not to the end', () => {
    const { endedAt: _, ...cut } = CHILD;

    expect(overheadOf(ANSWERED, [CALLS, ANSWER])).to.equal('the model was asked calls, answer');
    expect(overheadOf(ANSWERED, [CALLS, CHILD, CHILD, ANSWER])).to.match(/plain, plain/);
    expect(overheadOf(ANSWERED, [CALLS, cut, ANSWER])).to.equal('the model was cut short');
  });

  it('counts streams as open from their first moment up to their end', () => {
    const spans = [
      { from: 0, to: 10 },
      { from: 5, to: 20 },
      { from: 10, to: 12 },
    ];

    expect(openAt(spans, [0, 5, 10, 20])).to.deep.equal([1, 2, 2, 0]);
    expect(mostOpen(spans)).to.equal(2);
  });
});
