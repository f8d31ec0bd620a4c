import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { Run } from '../../../agents/run-assistant.js';
import type { Ending, Listener } from '../../../src/core/runs/event.js';
import type { FrameBatch, RunFrameStore } from '../../../src/core/runs/run-frames.js';
import type { Frames } from '../../../src/http/chat/openai-wire.js';
import { sendResumable } from '../../../src/http/chat/resumable.js';
import { createFrameReader } from '../../../src/runs/frame-reader.js';
import { createFrameWriter } from '../../../src/runs/frame-writer.js';
import { framesIn, textIn } from '../support/resumable-client.js';

const FRAMES: Frames = {
  role: () => 'data: {}\n\n',
  text: (text) => `data: {"choices":[{"delta":{"content":${JSON.stringify(text)}}}]}\n\n`,
  status: () => '',
  heartbeat: () => '',
  end: () => 'data: {}\n\n',
  usage: () => '',
  error: ({ message }) => `data: ${JSON.stringify({ error: message })}\n\n`,
  done: () => 'data: [DONE]\n\n',
};
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** A reader who takes nothing until told to. */
function aSlowReader() {
  const reader = Object.assign(new EventEmitter(), {
    ...{ received: '', writableLength: 0, destroyed: false, closed: false, isSlow: true },
    writeHead: () => undefined,
    write(text: string) {
      reader.received += text;
      if (reader.isSlow) reader.writableLength += text.length;
      return !reader.isSlow;
    },
    end(text = '') {
      reader.received += text;
      reader.emit('close');
    },
  });
  return reader;
}

function framesInMemory(): RunFrameStore {
  const batches: FrameBatch[] = [];
  let isEnded = false;
  return {
    begin: () => Promise.resolve(),
    append: (more) => Promise.resolve(void batches.push(...more)),
    end: () => Promise.resolve(void (isEnded = true)),
    wanted: (ids) => Promise.resolve(new Set(ids)),
    get: () => Promise.resolve(undefined),
    underWayIn: () => Promise.resolve(undefined),
    cancel: () => Promise.resolve(),
    since: ([place]) => {
      const { runId, lastId } = place!;
      const found = batches.filter((batch) => batch.lastId > lastId);
      return Promise.resolve(new Map([[runId, { batches: found, isEnded, isNoted: true }]]));
    },
    sweep: () => Promise.resolve(0),
  };
}

describe('a resumable run and a reader who is slow', () => {
  it('goes on without them, keeps little for them, and gives them every word in the end', async function () {
    this.timeout(10_000);
    const reader = aSlowReader();
    const store = framesInMemory();
    const piece = 'x'.repeat(1_000);
    let toldAll: () => void = () => undefined;
    const isToldAll = new Promise<void>((resolve) => (toldAll = resolve));
    const start = async ({ say, tell }: Listener) => {
      await tell({ type: 'run.started', run_id: 'run_1' });
      for (let i = 0; i < 2_000; i++) {
        await say(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      toldAll();
      return {} as Ending;
    };
    const run = { runId: 'run_1', start, keepQuestion: () => Promise.resolve() } as unknown as Run;
    const writer = createFrameWriter({ store, log: quiet });

    const sent = sendResumable(
      reader as unknown as ServerResponse,
      {
        ...{ run, whose: { userId: 1 }, end: () => undefined },
        ...{ frames: FRAMES, includeUsage: false, heartbeatMs: 60_000 },
      },
      { frameWriter: writer, followRun: createFrameReader(store) },
    );
    await isToldAll;
    const unread = reader.writableLength;
    reader.isSlow = false;
    reader.writableLength = 0;
    reader.emit('drain');
    await sent;
    await writer.close();

    expect(unread).to.be.within(256 * 1024, 512 * 1024);
    const frames = framesIn(reader.received);
    expect(frames.map(({ id }) => id)).to.deep.equal(frames.map((_, i) => i + 1));
    expect(textIn(frames).length).to.equal(2_000_000);
    expect(frames.at(-1)?.data).to.equal('[DONE]');
  });
});

describe('what a run has told', () => {
  it('is read once, also where it was written twice because its writer did not hear that it was', async () => {
    const written = { runId: 'r', lastId: 2, frames: ['1', '2'] };
    const again = { runId: 'r', lastId: 4, frames: ['1', '2', '3', '4'] };
    const since = () =>
      Promise.resolve(new Map([['r', { batches: [written, again], isEnded: true, isNoted: true }]]));
    const read = async (after: number) => {
      const found = [];
      const { signal } = new AbortController();
      for await (const { firstId, frames } of createFrameReader({ since })({ id: 'r' }, after, signal))
        found.push([firstId, ...frames]);
      return found;
    };

    expect(await read(0)).to.deep.equal([[1, '1', '2', '3', '4']]);
    expect(await read(1)).to.deep.equal([[2, '2', '3', '4']]);
    expect(await read(3)).to.deep.equal([[4, '4']]);
  });
});
