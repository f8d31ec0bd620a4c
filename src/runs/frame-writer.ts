import { AppError } from '../core/errors.js';
import { type Logger, errorLocation } from '../core/log.js';
import {
  FRAMES_KEPT_MS,
  type FrameBatch,
  type KeptFrame,
  type ResumableRun,
  type RunFrameStore,
} from '../core/runs/run-frames.js';

/** So often what all runs of this process have told is written, with one statement, and it is looked whether they are wanted. */
const WRITE_EVERY_MS = 200;
/** With so many characters of one run that are not written yet, the run waits. */
const MOST_WAITING = 256 * 1024;
/** For so long after its end a run's last frames are tried to be written. */
const LAST_TRIES_MS = 5_000;
/** Until those that ended at the same time are past their date, too. */
const SWEEP_AFTER_MS = FRAMES_KEPT_MS + 60_000;

/** Where one run puts what it tells. */
export interface FrameLog {
  /** When the run can be read by others. Whoever asked is told of it only then. */
  readonly begun: Promise<void>;
  add(frame: KeptFrame): void;
  /** While too much waits to be written: settles when it is. */
  full(): Promise<void> | undefined;
  /** The run is over; settles when that can be read, or could not be written. Never rejects. */
  end(): Promise<void>;
}

export interface FrameWriter {
  /** `stop` is called when the run is cancelled, or has been forgotten. */
  begin(run: ResumableRun, stop: (reason: Error) => void): FrameLog;
  /** False when the run is not one of this process. */
  cancel(runId: string): boolean;
  close(): Promise<void>;
}

interface Deps {
  readonly store: RunFrameStore;
  readonly log: Logger;
}

interface Telling {
  readonly stop: (reason: Error) => void;
  isBegun: boolean;
  isStopped: boolean;
  waiting: KeptFrame[];
  waitingChars: number;
  lastId: number;
  endedAt: number | undefined;
  readonly over: Settling;
  drained: Settling | undefined;
}

interface Settling {
  readonly settled: Promise<void>;
  settle(): void;
}

function settling(): Settling {
  let settle: () => void = () => undefined;
  const settled = new Promise<void>((resolve) => (settle = resolve));
  return { settled, settle };
}

const cancelled = () =>
  new AppError('The run was cancelled.', { status: 499, type: 'api_error', code: 'cancelled' });

/** Writes down what the resumable runs of this process tell, a few times a second and all of them together. */
export function createFrameWriter({ store, log }: Deps): FrameWriter {
  const telling = new Map<string, Telling>();
  let timer: NodeJS.Timeout | undefined;
  let sweep: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  const stop = (one: Telling) => {
    if (one.isStopped || one.endedAt !== undefined) return;
    one.isStopped = true;
    one.stop(cancelled());
  };
  const writeWaiting = async () => {
    const due = [...telling].filter(([, { isBegun, waiting }]) => isBegun && waiting.length > 0);
    if (due.length === 0) return;
    const batches = due.map(([runId, one]): FrameBatch => {
      const frames = one.waiting;
      one.waiting = [];
      return { runId, lastId: one.lastId, frames };
    });
    try {
      await store.append(batches);
    } catch (fault) {
      // In their place again, before what has come since.
      due.forEach(([, one], i) => (one.waiting = [...(batches[i]?.frames ?? []), ...one.waiting]));
      throw fault;
    }
    for (const [, one] of due) {
      one.waitingChars = one.waiting.reduce((sum, frame) => sum + frame.length, 0);
      one.drained?.settle();
      one.drained = undefined;
    }
  };
  const writeEnds = async () => {
    const over = [...telling].filter(
      ([, { isBegun, endedAt, waiting }]) => isBegun && endedAt !== undefined && waiting.length === 0,
    );
    if (over.length === 0) return;
    await store.end(over.map(([id]) => id));
    for (const [id, one] of over) forget(id, one);
    sweep ??= setTimeout(() => {
      sweep = undefined;
      store.sweep(new Date().toISOString()).catch(told('what runs told could not be forgotten'));
    }, SWEEP_AFTER_MS).unref();
  };
  const stopUnwanted = async () => {
    const open = [...telling].filter(([, one]) => one.isBegun && one.endedAt === undefined && !one.isStopped);
    if (open.length === 0) return;
    const wanted = await store.wanted(open.map(([id]) => id));
    for (const [id, one] of open) if (!wanted.has(id)) stop(one);
  };
  const forget = (id: string, one: Telling) => {
    if (telling.get(id) === one) telling.delete(id);
    one.over.settle();
    one.drained?.settle();
  };
  const told = (words: string) => (fault: unknown) => {
    log.warn({ fault: errorLocation(fault) }, words);
  };
  const giveUpLate = () => {
    const before = Date.now() - LAST_TRIES_MS;
    for (const [id, one] of telling) if ((one.endedAt ?? Infinity) < before) forget(id, one);
  };
  const write = async () => {
    try {
      await writeWaiting();
      await writeEnds();
      await stopUnwanted();
    } catch (fault) {
      told('what runs tell could not be written')(fault);
      giveUpLate();
    }
    writing = undefined;
  };
  const writeSoon = () => (writing ??= write());
  const tick = () => {
    if (telling.size > 0) {
      void writeSoon();
      return;
    }
    clearInterval(timer);
    timer = undefined;
  };

  return {
    begin(run, stopRun) {
      const one: Telling = {
        ...{ stop: stopRun, isBegun: false, isStopped: false, waiting: [], waitingChars: 0, lastId: 0 },
        ...{ endedAt: undefined, over: settling(), drained: undefined },
      };
      telling.set(run.id, one);
      timer ??= setInterval(tick, WRITE_EVERY_MS).unref();
      const begun = store.begin(run).then(
        () => {
          one.isBegun = true;
        },
        (fault: unknown) => {
          forget(run.id, one);
          throw fault;
        },
      );
      return {
        begun,
        add(frame) {
          one.waiting.push(frame);
          one.waitingChars += frame.length;
          one.lastId += 1;
        },
        full() {
          if (one.waitingChars < MOST_WAITING || telling.get(run.id) !== one) return undefined;
          one.drained ??= settling();
          return one.drained.settled;
        },
        async end() {
          one.endedAt = Date.now();
          await begun.catch(() => undefined);
          // What is being written now may not hold the last of it.
          await writing;
          if (telling.get(run.id) === one) await writeSoon();
          await one.over.settled;
        },
      };
    },
    cancel(runId) {
      const one = telling.get(runId);
      if (one) stop(one);
      return one !== undefined;
    },
    async close() {
      clearInterval(timer);
      clearTimeout(sweep);
      await writing;
    },
  };
}
