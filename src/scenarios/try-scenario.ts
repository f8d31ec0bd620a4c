import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../core/errors.js';
import type { ChatMessage } from '../core/message.js';
import { type Asking, type Turn, undecided } from '../core/scenarios/asking.js';
import { reasonOf } from '../core/scenarios/reason.js';
import { allPassed, type RunScenario, type ScenarioTry, type Verdict } from '../core/scenarios/suite-run.js';
import { check, type Judges, type Spoken } from './expectations.js';

const LONGEST_ANSWER = 8_000;
/** So often, and so long each time, a limit of so many within a minute is waited for. */
const WAITS = 5;
const LONGEST_WAIT_S = 60;

/** Asks what a scenario asks, one after another in one conversation, and looks at what came of it. */
export async function tryScenario(
  { messages, expect }: RunScenario,
  asking: Asking,
  { find, signal }: Pick<Judges, 'find'> & { readonly signal: AbortSignal },
): Promise<ScenarioTry> {
  const judges: Judges = { find, judge: asking.judge };
  const turns: Spoken[] = [];
  const chat: ChatMessage[] = [];
  let fault: readonly string[] = [''];
  try {
    for (const { content } of messages) {
      chat.push({ role: 'user', content });
      const turn = await askInTurn(asking, chat, signal);
      turns.push({ ...turn, asked: content });
      chat.push({ role: 'assistant', content: turn.answer });
    }
  } catch (thrown) {
    signal.throwIfAborted();
    fault =
      thrown instanceof AppError
        ? [thrown.message, thrown.code]
        : ['Something went wrong on our side.', 'internal_error'];
  }
  const expectations: Verdict[] = [];
  for (const expectation of expect) {
    const turn = turns[(expectation.turn ?? messages.length) - 1];
    const judged = turn
      ? await check(expectation, turn, judges)
      : undecided(reasonOf('no_answer', { values: fault }));
    expectations.push({ expectation, ...judged });
  }
  return {
    passed: allPassed(expectations.map(({ passed }) => passed)),
    answer: (turns.at(-1)?.answer ?? '').slice(0, LONGEST_ANSWER),
    expectations,
  };
}

/** A suite asks more at a time than a person does, and can wait. */
async function askInTurn(asking: Asking, chat: readonly ChatMessage[], signal: AbortSignal): Promise<Turn> {
  for (let wait = 1; ; wait++) {
    try {
      return await asking.ask(chat);
    } catch (fault) {
      const seconds = fault instanceof AppError && fault.status === 429 ? fault.retryAfterSeconds : undefined;
      if (seconds === undefined || seconds > LONGEST_WAIT_S || wait > WAITS) throw fault;
      await pause(seconds * 1_000, undefined, { signal });
    }
  }
}
