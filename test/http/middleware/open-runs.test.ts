import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { createOpenRuns } from '../../../src/http/middleware/open-runs.js';

const ANSWERS = 3_000;
const AT_ONCE = 16;
const BYTES = 16_384;

/** An answer with so much to it. */
class Answer extends EventEmitter {
  readonly closed = false;
  readonly writableFinished = true;
  readonly history = new Array<number>(BYTES / 8).fill(0.5);
}

describe('the answers that are being given', () => {
  let collectAll: () => void;
  before(() => {
    setFlagsFromString('--expose-gc');
    collectAll = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
  });

  const oldBytes = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size;

  it('are let go of when they are over, before V8 goes through the whole heap', () => {
    const openRuns = createOpenRuns();
    const open: (() => void)[] = [];
    const answerOne = () => {
      const answer = new Answer();
      const { over } = openRuns.begin(answer as unknown as ServerResponse);
      open.push(() => {
        answer.emit('close');
        over();
      });
      if (open.length > AT_ONCE) open.shift()!();
    };
    // What is there now is old from then on, as it is in a service that has been running.
    for (let i = 0; i < AT_ONCE; i++) answerOne();
    collectAll();
    collectAll();

    const before = oldBytes();
    for (let i = 0; i < ANSWERS; i++) answerOne();

    expect((oldBytes() - before) / (ANSWERS * BYTES)).to.be.below(0.1);
  });
});
