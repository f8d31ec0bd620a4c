import { monotonicMs } from './clock.js';
import { type Asked, lastQuestion, stepOf } from './model-answers.js';

/** One request to the model, as the model saw it: what it took itself is no fault of who stands in between. */
export interface Turn {
  /** The mark of the question it belongs to. */
  readonly id: string;
  readonly step: 'calls' | 'answer' | 'plain';
  /** When the whole request had been read; from here on the model is at work. */
  readonly askedAt: number;
  /** Just before each frame was written, the one that only says who speaks included. */
  readonly wroteAt: readonly number[];
  /** Just before the end; absent if whoever asked left. */
  readonly endedAt?: number;
}

export interface OpenTurn {
  wrote(): void;
  end(): void;
}

export interface TurnLedger {
  /** Nothing for a question without a mark: it is not followed. */
  begin(asked: Asked): OpenTurn | undefined;
  told(): readonly Turn[];
}

/** A question that is to be followed bears a mark, which an orchestrator's model hands on to whom it asks. */
export const markOf = (id: string): string => `[question ${id}]`;
const MARK = /\[question ([\w-]+)\]/;

export function createTurnLedger(): TurnLedger {
  const turns: Turn[] = [];
  return {
    begin(asked) {
      const id = MARK.exec(lastQuestion(asked))?.[1];
      if (id === undefined) return undefined;
      const wroteAt: number[] = [];
      const turn: { -readonly [Key in keyof Turn]: Turn[Key] } = {
        ...{ id, step: stepOf(asked), askedAt: monotonicMs(), wroteAt },
      };
      turns.push(turn);
      return {
        wrote: () => wroteAt.push(monotonicMs()),
        end() {
          turn.endedAt = monotonicMs();
        },
      };
    },
    told: () => turns,
  };
}
