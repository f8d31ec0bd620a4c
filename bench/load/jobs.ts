import type { Question } from './ask.js';

/** What the load generator can be asked to do, and what it tells afterwards. */

/** So many at once, each asking again as soon as it is answered. */
export interface ClosedLoopJob {
  readonly kind: 'closed-loop';
  readonly question: Question;
  readonly concurrency: number;
  readonly ms: number;
  /** The process whose CPU time is told. */
  readonly pid: number;
}

export interface ClosedLoopResult {
  readonly requests: number;
  readonly cpuNs: number;
  /** From the first question to the last answer. */
  readonly ms: number;
}

/** So many paced streams; only what happens while all of them are flowing counts. */
export interface PacedJob {
  readonly kind: 'paced';
  readonly question: Question;
  readonly streams: number;
  readonly everyMs: number;
  readonly leadMs: number;
  readonly ms: number;
  readonly pid: number;
}

export interface PacedResult {
  /** Words that arrived, which is what the model sent: several may share a frame. */
  readonly words: number;
  readonly cpuNs: number;
}

/** One after the other, in turn: the model itself, then through whoever stands in between. */
export interface FirstTokenJob {
  readonly kind: 'first-token';
  /** The calls of an answer, and how long each takes, for who asks the model directly to do the same. */
  readonly direct: { readonly question: Question; readonly toolMs: number };
  readonly question: Question;
  readonly pairs: number;
}

export interface FirstTokenResult {
  readonly directMs: readonly number[];
  readonly throughMs: readonly number[];
}

/** Opens so many streams and holds them; told when each has brought its first text. */
export interface OpenJob {
  readonly kind: 'open';
  readonly question: Question;
  readonly streams: number;
}

/** Ends all that are held, without a word, as a closed lid does. */
export interface VanishJob {
  readonly kind: 'vanish';
}

export interface StreamsResult {
  readonly streams: number;
}

/** Everybody of a class comes within a while and asks some questions, one after the other, in a conversation. */
export interface ClassJob {
  readonly kind: 'class';
  readonly url: string;
  readonly model: string;
  /** One for each who comes. */
  readonly keys: readonly string[];
  readonly withinMs: number;
  readonly questions: number;
  /** Between an answer and the next question. */
  readonly readingMs: { readonly least: number; readonly most: number };
  /** All the text of a right answer. */
  readonly expected: string;
  /** Status events that a right answer comes with, so often each. */
  readonly events: Readonly<Record<string, number>>;
  /** The same seed, the same comings and pauses. */
  readonly seed: number;
}

/** One question as its asker saw it. All times are of the machine's monotonic clock, in milliseconds. */
export interface Answered {
  /** The mark in its text by which the model's ledger knows it. */
  readonly id: string;
  readonly sentAt: number;
  readonly endedAt: number;
  /** When each word of the answer had arrived. */
  readonly wordsAt: readonly number[];
  /** What was wrong with the answer, if anything was. */
  readonly fault?: string;
}

export interface ClassResult {
  readonly beganAt: number;
  readonly answers: readonly Answered[];
}

export type Job = ClosedLoopJob | PacedJob | FirstTokenJob | OpenJob | VanishJob | ClassJob;

export interface Results {
  'closed-loop': ClosedLoopResult;
  paced: PacedResult;
  'first-token': FirstTokenResult;
  open: StreamsResult;
  vanish: StreamsResult;
  class: ClassResult;
}

/** What goes over the channel. A job whose answers were not all right has no result. */
export type Told = { readonly result: Results[Job['kind']] } | { readonly failure: string };
