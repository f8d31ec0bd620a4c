import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { conflict, unavailable } from '../../src/core/errors.js';
import { except } from './open-inside.js';

/**
 * A lock that holds between processes: a folder of turns, each an empty file named by its number. Making the next
 * number is taking the lock, and only one can make it. A turn is over when its time stamp is old: its holder sets it
 * back when done, and one that was killed lets it grow old.
 */
export interface LockTimes {
  /** A turn whose holder has not been heard of for so long is over. */
  readonly leaseMs: number;
  /** So long somebody waits for their turn. */
  readonly waitMs: number;
}

export const LOCK_TIMES: LockTimes = { leaseMs: 5_000, waitMs: 15_000 };

export interface HeldLock {
  /** To be asked right before what cannot be undone: a holder that slept too long has lost its turn. */
  confirm(): Promise<void>;
}

/** Turns that are kept, so that whoever looks while others come and go still sees a late one. */
const TURNS_KEPT = 4;
const SHORTEST_PAUSE_MS = 5;
const PAUSE_SPREAD_MS = 20;

export async function holdLock<T>(
  folder: string,
  { leaseMs, waitMs }: LockTimes,
  work: (held: HeldLock) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { turn, handle } = await waitForTurn(folder, { leaseMs, waitMs }, signal);
  const alive = setInterval(() => {
    const now = new Date();
    handle.utimes(now, now).catch(() => undefined);
  }, leaseMs / 5);
  try {
    await clearOldTurns(folder, turn);
    return await work({
      async confirm() {
        if ((await newestTurn(folder)) === turn) return;
        throw tookTooLong();
      },
    });
  } finally {
    clearInterval(alive);
    // Through the open file: whatever bears the name by now, only our own turn is ended.
    await handle.utimes(0, 0).catch(() => undefined);
    await handle.close();
  }
}

export const filesBusy = () =>
  unavailable('These files are being changed by others all the time. Try again in a moment.', 'files_busy');

export const tookTooLong = () =>
  conflict('This took too long and somebody else has changed the files meanwhile. Try again.');

interface Turn {
  readonly turn: number;
  readonly handle: FileHandle;
}

async function waitForTurn(
  folder: string,
  { leaseMs, waitMs }: LockTimes,
  signal?: AbortSignal,
): Promise<Turn> {
  const lastTry = performance.now() + waitMs;
  for (;;) {
    signal?.throwIfAborted();
    const taken = await tryToTake(folder, leaseMs);
    if (taken) return taken;
    if (performance.now() > lastTry) {
      throw filesBusy();
    }
    await delay(SHORTEST_PAUSE_MS + Math.random() * PAUSE_SPREAD_MS);
  }
}

async function tryToTake(folder: string, leaseMs: number): Promise<Turn | undefined> {
  const newest = await newestTurn(folder);
  if (newest > 0 && !(await isOver(join(folder, String(newest)), leaseMs))) return undefined;
  const turn = newest + 1;
  const handle = await open(join(folder, String(turn)), 'wx', 0o600).catch(except('EEXIST'));
  if (!handle) return undefined;
  // Whoever slept between looking and taking may have made a number that had its time: a later one is there then.
  if ((await newestTurn(folder)) === turn) return { turn, handle };
  await handle.close();
  return undefined;
}

/** One that was cleared away meanwhile has a later one after it, which is to be looked at first. */
async function isOver(file: string, leaseMs: number): Promise<boolean> {
  const facts = await stat(file).catch(except('ENOENT'));
  return facts !== undefined && Math.abs(Date.now() - facts.mtimeMs) > leaseMs;
}

async function newestTurn(folder: string): Promise<number> {
  return Math.max(0, ...(await turnsIn(folder)));
}

async function clearOldTurns(folder: string, turn: number): Promise<void> {
  const old = (await turnsIn(folder)).filter((other) => other <= turn - TURNS_KEPT);
  await Promise.all(old.map((other) => rm(join(folder, String(other)), { force: true })));
}

async function turnsIn(folder: string): Promise<number[]> {
  return (await readdir(folder)).map(Number).filter((turn) => Number.isSafeInteger(turn) && turn > 0);
}
