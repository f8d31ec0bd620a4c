import { request } from 'undici';
import { type Behaviour, modelName, rightAnswer } from './behaviour.js';
import type { Contender, Stand } from './contenders.js';
import type { Question } from './load/ask.js';
import type { Load } from './load/start.js';
import type { OtherNode } from './other-node.js';
import type { Settings } from './settings.js';

/** What a scenario works with. */
export interface Bench {
  readonly settings: Settings;
  readonly load: Load;
  readonly modelUrl: string;
  /** Those that run all the time, each warm from its first scenario on. */
  readonly running: readonly Competitor[];
  /** Another Node to measure beside this one. */
  readonly otherNode?: OtherNode | undefined;
  /** A line for whoever is waiting. */
  say(line: string): void;
  /** There is no figure, and this is why: the row it belongs to has failed. */
  fail(contender: string, reason: string): void;
  /** There is no figure, and nobody is to blame. */
  skip(reason: string): void;
}

export interface Competitor {
  readonly contender: Contender;
  readonly stand: Stand;
  /** Done each time before it is asked: what is to hold meanwhile. */
  readonly before?: () => Promise<void> | void;
}

/** One number for each contender by its name. */
export type Figures = Readonly<Record<string, number>>;

/** Figures by what was measured, such as `burstMs`. */
export type Measures = Readonly<Record<string, Figures>>;

export interface Scenario {
  readonly name: string;
  run(bench: Bench): Promise<Measures>;
}

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

const ONE_QUESTION: readonly Message[] = [{ role: 'user', content: 'What should I know about this?' }];

/** Asks a contender for a model that behaves so. */
export async function questionFor(
  stand: Stand,
  behaviour: Behaviour,
  messages: readonly Message[] = ONE_QUESTION,
): Promise<Question> {
  return {
    url: stand.url,
    key: stand.key,
    body: JSON.stringify({ model: await stand.modelFor(behaviour), stream: true, messages }),
    expected: rightAnswer(behaviour),
  };
}

/** Asks the model itself. */
export function directQuestion(modelUrl: string, behaviour: Behaviour): Question {
  const tools = [{ type: 'function', function: { name: behaviour.tool, parameters: { type: 'object' } } }];
  return {
    url: modelUrl,
    key: 'none',
    body: JSON.stringify({
      model: modelName(behaviour),
      stream: true,
      messages: ONE_QUESTION,
      ...(behaviour.tools > 0 ? { tools } : {}),
    }),
    expected: rightAnswer(behaviour),
  };
}

export interface Ledger {
  readonly requests: number;
  readonly open: number;
  readonly aborted: number;
}

export async function ledgerOf(modelUrl: string): Promise<Ledger> {
  const { body } = await request(`${modelUrl}/ledger`);
  return (await body.json()) as Ledger;
}
