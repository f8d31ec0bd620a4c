import { mock } from 'node:test';
import { expect } from 'chai';
import type { ToWorker } from '../../src/workers/messages.js';
import type { WorkerPoolEvents } from '../../src/workers/pool.js';
import { keepWorkers } from '../../src/workers/supervisor.js';

const PORT = 0;
const GIVEN_PORT = 40_001;
const UP = { type: 'listening', url: 'http://127.0.0.1:40001', banner: undefined } as const;
const ENDED = { pid: 7, code: 1, signal: null };
const START = { type: 'start', port: PORT, prepares: false } as const;

/** A keeper of two whose workers are only names: what it says to whom, and how it ends. */
function aKeeper() {
  const said: [id: number, words: ToWorker][] = [];
  const alive = new Set<number>();
  const shown: string[] = [];
  const exits: number[] = [];
  const logged: string[] = [];
  let hired = 0;
  let events!: WorkerPoolEvents;
  const log = (_facts: object, message: string) => logged.push(message);
  const stop = keepWorkers(
    { port: PORT, workers: 2, drainDelayMs: 0, shutdownGraceMs: 1000 },
    { debug: log, info: log, warn: log, error: log },
    {
      print: (text) => shown.push(text),
      complain: (text) => shown.push(text),
      exit: (code) => exits.push(code),
    },
    (on) => {
      events = on;
      return {
        fork: () => (alive.add(++hired), hired),
        tell: (id, words) => said.push([id, words]),
        broadcast(words, exceptFor) {
          for (const id of alive) if (id !== exceptFor) said.push([id, words]);
        },
        size: () => alive.size,
        pidOf: (id) => id,
        kill() {
          for (const id of alive) ended(id, { pid: id, code: null, signal: 'SIGKILL' });
        },
      };
    },
  );
  const ended = (id: number, how: Parameters<WorkerPoolEvents['ended']>[1] = ENDED) => {
    alive.delete(id);
    events.ended(id, how);
  };
  const up = (id: number, port = GIVEN_PORT) => {
    events.listening(id, port);
    events.said(id, { ...UP, banner: id === 1 ? 'banner' : undefined });
  };
  const open = () => {
    for (const id of [1, 2]) events.said(id, { type: 'online' });
    for (const id of [1, 2]) up(id);
    said.length = 0;
  };
  return { said, alive, shown, exits, logged, stop, ended, up, open, say: events.said };
}

describe('whoever keeps workers', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => {
    mock.timers.reset();
  });

  it('has one prepare, starts the others after it, and announces the service when all serve', () => {
    const { said, shown, logged, say, up } = aKeeper();

    say(2, { type: 'online' });
    say(1, { type: 'online' });
    const before = [...said];
    up(2);
    const between = [...shown];
    up(1);

    expect(before).to.deep.equal([[2, { ...START, prepares: true }]]);
    expect(said.slice(1)).to.deep.equal([[1, START]]);
    expect(between).to.deep.equal([]);
    expect(shown).to.deep.equal(['banner']);
    expect(logged).to.deep.equal(['listening']);
  });

  it('ends with 1 when one ends before all serve, after the others have ended', () => {
    const { said, exits, say, ended } = aKeeper();
    say(1, { type: 'online' });

    ended(1);
    say(2, { type: 'online' });
    const before = [...exits];
    ended(2, { pid: 2, code: 0, signal: null });

    expect(said.filter(([, words]) => words.type === 'stop').map(([id]) => id)).to.include(2);
    expect(before).to.deep.equal([]);
    expect(exits).to.deep.equal([1]);
  });

  it('replaces one that ends, and never has two prepare', () => {
    const { alive, said, ended, open, say } = aKeeper();
    open();

    ended(1);
    const before = [...alive];
    mock.timers.tick(100);
    say(3, { type: 'online' });

    expect(before).to.deep.equal([2]);
    expect([...alive]).to.deep.equal([2, 3]);
    expect(said).to.deep.equal([[3, START]]);
  });

  it('replaces one that is leaving at once, and not again when it has left', () => {
    const { alive, say, ended, open } = aKeeper();
    open();

    say(1, { type: 'stopping' });
    mock.timers.tick(100);
    const meanwhile = [...alive];
    ended(1);
    mock.timers.tick(60_000);

    expect(meanwhile).to.deep.equal([1, 2, 3]);
    expect([...alive]).to.deep.equal([2, 3]);
  });

  it('asks for the same port by its number when nobody listens any more', () => {
    const { said, ended, open, say, up } = aKeeper();
    open();

    ended(1);
    ended(2);
    mock.timers.tick(1_000);
    say(3, { type: 'online' });
    up(3);
    say(4, { type: 'online' });

    expect(said).to.deep.equal([3, 4].map((id) => [id, { ...START, port: GIVEN_PORT }]));
  });

  it('gives up on a worker that listens elsewhere than the others', () => {
    const { shown, exits, alive, up, ended, open } = aKeeper();
    open();
    ended(1);
    mock.timers.tick(100);

    up(3, GIVEN_PORT + 1);
    for (const id of [...alive]) ended(id, { pid: id, code: 0, signal: null });

    expect(shown.at(-1)).to.match(/^Bellwether gives up: .*port/);
    expect(exits).to.deep.equal([1]);
  });

  it('gives up when they end again and again, stops the rest and ends with 1', () => {
    const { shown, exits, said, ended, open, alive } = aKeeper();
    open();

    for (let times = 0; times < 10; times++) {
      ended(Math.max(...alive));
      mock.timers.tick(5_000);
    }
    const before = [...shown];
    ended(Math.max(...alive));
    const told = said.filter(([, words]) => words.type === 'stop').map(([id]) => id);
    ended(1, { pid: 1, code: 0, signal: null });

    expect(before.filter((text) => text.includes('gives up'))).to.deep.equal([]);
    expect(shown.at(-1)).to.match(/^Bellwether gives up: its workers end again and again/);
    expect(told).to.deep.equal([1]);
    expect(exits).to.deep.equal([1]);
  });

  it('passes the news of one on to the others alone', () => {
    const { said, say, open } = aKeeper();
    open();
    const cancelledCall = 'the hash of a call';

    say(2, { type: 'peer-message', message: { cancelledCall } });

    expect(said).to.deep.equal([[1, { type: 'peer-message', message: { cancelledCall } }]]);
  });

  it('stops all of them, waits for the last, and makes one end that does not', () => {
    const { exits, said, stop, ended, open } = aKeeper();
    open();

    stop('SIGTERM', 0);
    stop('SIGTERM', 0);
    ended(1, { pid: 1, code: 0, signal: null });
    const before = [...exits];
    mock.timers.tick(11_000);

    expect(said).to.deep.equal([1, 2].map((id) => [id, { type: 'stop', why: 'SIGTERM' }]));
    expect(before).to.deep.equal([]);
    expect(exits).to.deep.equal([1]);
  });
});
