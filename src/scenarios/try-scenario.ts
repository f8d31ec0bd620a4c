import { AppError } from '../core/errors.js';
import type { ChatMessage } from '../core/message.js';
import type { Asking } from '../core/scenarios/asking.js';
import { allPassed, type RunScenario, type ScenarioTry, type Verdict } from '../core/scenarios/suite-run.js';
import { check, type Judges, type Spoken } from './expectations.js';

const LONGEST_ANSWER = 20_000;

/** Asks what a scenario asks, one after another in one conversation, and looks at what came of it. */
export async function tryScenario(
  { messages, expect }: RunScenario,
  asking: Asking,
  { find, signal }: Pick<Judges, 'find'> & { readonly signal: AbortSignal },
): Promise<ScenarioTry> {
  const judges: Judges = { find, judge: asking.judge };
  const turns: Spoken[] = [];
  const chat: ChatMessage[] = [];
  let fault: string | undefined;
  try {
    for (const { content } of messages) {
      chat.push({ role: 'user', content });
      const turn = await asking.ask(chat);
      turns.push({ ...turn, asked: content });
      chat.push({ role: 'assistant', content: turn.answer });
    }
  } catch (thrown) {
    signal.throwIfAborted();
    fault = thrown instanceof AppError ? thrown.message : 'Something went wrong on our side.';
  }
  const expectations: Verdict[] = [];
  for (const expectation of expect) {
    const turn = turns[(expectation.turn ?? messages.length) - 1];
    const { passed, why } = turn
      ? await check(expectation, turn, judges)
      : { passed: null, why: `There was no answer to look at. ${fault ?? ''}`.trim() };
    expectations.push({ expectation, passed, why });
  }
  return {
    passed: allPassed(expectations.map(({ passed }) => passed)),
    answer: (turns.at(-1)?.answer ?? '').slice(0, LONGEST_ANSWER),
    expectations,
  };
}
