import type { Timestamp } from '../base/ids.js';
import type { Speaker } from './conversation.js';

/** For so long after its end what a run has told can be read again. */
export const FRAMES_KEPT_MS = 600_000;

/** A run that goes on when its reader leaves. */
export interface ResumableRun extends Speaker {
  readonly id: string;
  readonly conversationId: string | undefined;
  /** What stands around the words in a frame of text: most frames are such. */
  readonly textFrame: { readonly head: string; readonly tail: string };
  readonly startedAt: Timestamp;
}

export interface FoundRun extends ResumableRun {
  readonly endedAt: Timestamp | undefined;
}

/**
 * A frame as it is kept: of text the words alone, as a JSON string, and of all others the whole frame, which never begins
 * with a quotation mark.
 */
export type KeptFrame = string;

/** Frames that came one after another. */
export interface FrameBatch {
  readonly runId: string;
  /** The number of the last of them; the first of a run has 1. */
  readonly lastId: number;
  readonly frames: readonly KeptFrame[];
}

/** How far somebody has read. */
export interface ReadTo {
  readonly runId: string;
  readonly lastId: number;
}

export interface FramesSince {
  readonly batches: readonly FrameBatch[];
  readonly isEnded: boolean;
  /** Whether a process says that it is at it (`run_notes`). */
  readonly isNoted: boolean;
}

/** What resumable runs tell, for all processes. */
export interface RunFrameStore {
  /** From then on it can be read. What an earlier part of the same run has told is forgotten. */
  begin(run: ResumableRun): Promise<void>;
  /** What is told of a run that has been forgotten meanwhile is dropped. */
  append(batches: readonly FrameBatch[]): Promise<void>;
  end(ids: readonly string[]): Promise<void>;
  /** Those that have been neither cancelled nor forgotten. */
  wanted(ids: readonly string[]): Promise<ReadonlySet<string>>;
  get(whose: Speaker, id: string): Promise<FoundRun | undefined>;
  /** What is under way in a conversation. */
  underWayIn(conversationId: string): Promise<string | undefined>;
  /** Does nothing to one that is over. */
  cancel(id: string): Promise<void>;
  /** By run; a run that has been forgotten is not among them. */
  since(places: readonly ReadTo[]): Promise<ReadonlyMap<string, FramesSince>>;
  /** Forgets runs that ended longer ago than frames are kept. */
  sweep(now: Timestamp): Promise<number>;
}
