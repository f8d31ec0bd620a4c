import type { Answered } from '../load/jobs.js';
import type { Turn } from '../model-turns.js';

/**
 * What the service adds to one question, in milliseconds, by the machine's one monotonic clock.
 *
 * From the question to the first word of the answer, time is the model's while it is speaking: from having read a
 * request to ending its calls, to ending the other assistant's answer, and to writing the first word. Everything else
 * counts against the service: the four gaps below, and so whatever the load generator and the model server lose on the
 * core they share. The tools are not taken off, as they run beside the other assistant, which takes far longer: who
 * ran them one after the other would be seen to.
 */
export interface Overhead {
  /** The sum of the gaps. */
  readonly firstMs: number;
  readonly gaps: Gaps;
  /** Of each word of the answer: from being written by the model to having arrived. */
  readonly wordsMs: readonly number[];
}

export interface Gaps {
  /** From the question's leaving to the model's having read it. */
  readonly toModel: number;
  /** From the end of the model's calls to the other assistant's model having read its question. */
  readonly toChild: number;
  /** From the end of the other assistant's answer to the model's having read all results. */
  readonly toAnswer: number;
  /** From the first word's being written to its having arrived. */
  readonly toClient: number;
}

/** A reason where the model was not asked exactly as it is meant to be: three times, to the end. */
export function overheadOf(answered: Answered, turns: readonly Turn[]): Overhead | string {
  const [calls, child, answer] = (['calls', 'plain', 'answer'] as const).map((step) =>
    turns.find((turn) => turn.step === step),
  );
  if (turns.length !== 3 || !calls || !child || !answer) {
    return `the model was asked ${turns.map(({ step }) => step).join(', ') || 'nothing'}`;
  }
  // The first frame only says who is speaking.
  const written = answer.wroteAt.slice(1);
  const [firstWritten] = written;
  const [firstArrived] = answered.wordsAt;
  if (
    calls.endedAt === undefined ||
    child.endedAt === undefined ||
    answer.endedAt === undefined ||
    firstWritten === undefined ||
    firstArrived === undefined
  ) {
    return 'the model was cut short';
  }
  const gaps = {
    toModel: calls.askedAt - answered.sentAt,
    toChild: child.askedAt - calls.endedAt,
    toAnswer: answer.askedAt - child.endedAt,
    toClient: firstArrived - firstWritten,
  };
  return {
    firstMs: gaps.toModel + gaps.toChild + gaps.toAnswer + gaps.toClient,
    gaps,
    wordsMs: answered.wordsAt.map((at, i) => at - (written[i] ?? NaN)),
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** How many of them were open at each of these moments. */
export function openAt(spans: readonly Span[], moments: readonly number[]): number[] {
  return moments.map((at) => spans.filter(({ from, to }) => from <= at && at < to).length);
}

/** The most that were open at once. */
export function mostOpen(spans: readonly Span[]): number {
  return Math.max(
    0,
    ...openAt(
      spans,
      spans.map(({ from }) => from),
    ),
  );
}
