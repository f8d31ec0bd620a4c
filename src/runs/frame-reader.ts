import { setTimeout as pause } from 'node:timers/promises';
import type { FramesSince, KeptFrame, ReadTo, ResumableRun, RunFrameStore } from '../core/runs/run-frames.js';

/** So often it is looked for more, for all readers of this process with one statement. */
const LOOK_EVERY_MS = 200;
/** A run that nobody has said to be at for so long, and that tells nothing, was its process's last. */
const LOST_AFTER_MS = 5_000;

/** `forgotten`: its conversation was deleted. `interrupted`: its process ended in the middle of it. */
export type Outcome = 'ended' | 'interrupted' | 'forgotten';

/** Frames and the number of the first of them. */
export interface NumberedFrames {
  readonly firstId: number;
  readonly frames: readonly KeptFrame[];
}

/** What a run has told after a frame, and then what it tells, to its end. */
export type FollowRun = (
  run: Pick<ResumableRun, 'id'>,
  after: number,
  signal: AbortSignal,
) => AsyncGenerator<NumberedFrames, Outcome>;

export function createFrameReader(store: Pick<RunFrameStore, 'since'>): FollowRun {
  const look = createLook(store);
  const nextTurn = createTurns();

  return async function* follow({ id }, after, signal) {
    let lastId = after;
    let aliveAt = Date.now();
    for (;;) {
      const found = await look({ runId: id, lastId });
      if (!found) return 'forgotten';
      const frames = framesAfter(lastId, found);
      if (frames.length > 0) {
        yield { firstId: lastId + 1, frames };
        lastId += frames.length;
      }
      if (found.isEnded) return 'ended';
      if (found.isNoted || frames.length > 0) aliveAt = Date.now();
      if (Date.now() - aliveAt > LOST_AFTER_MS) return 'interrupted';
      await nextTurn();
      signal.throwIfAborted();
    }
  };
}

/**
 * Each frame once. Others may read the same run from further back, and what was written although its writer did not hear of
 * it is written again, with what came after it.
 */
function framesAfter(lastId: number, { batches }: FramesSince): readonly KeptFrame[] {
  const found: KeptFrame[] = [];
  for (const { lastId: last, frames } of batches) {
    const known = lastId + found.length;
    found.push(...frames.slice(Math.max(0, known - (last - frames.length))));
  }
  return found;
}

/** All who look at the same moment ask together. */
function createLook(store: Pick<RunFrameStore, 'since'>) {
  let places: ReadTo[] = [];
  let asking: Promise<ReadonlyMap<string, FramesSince>> | undefined;

  return async (place: ReadTo): Promise<FramesSince | undefined> => {
    places.push(place);
    asking ??= pause(0).then(() => {
      const asked = places;
      places = [];
      asking = undefined;
      return store.since(furthestBack(asked));
    });
    return (await asking).get(place.runId);
  };
}

/** Each run once. */
function furthestBack(places: readonly ReadTo[]): readonly ReadTo[] {
  const least = new Map<string, number>();
  for (const { runId, lastId } of places) least.set(runId, Math.min(lastId, least.get(runId) ?? lastId));
  return [...least].map(([runId, lastId]) => ({ runId, lastId }));
}

/** Whoever waits for the next look waits for the same moment. */
function createTurns(): () => Promise<void> {
  let next: Promise<void> | undefined;
  return () =>
    (next ??= pause(LOOK_EVERY_MS).then(() => {
      next = undefined;
    }));
}
