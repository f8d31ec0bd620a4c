import type { AssistantContent } from '../../core/assistants/assistant.js';
import { asAmount, costAt, type Price } from '../../core/runs/prices.js';
import type { Scenario } from '../../core/scenarios/scenario.js';
import type { Spent, SuiteRun } from '../../core/scenarios/suite-run.js';

/** About what a run will take. */
export interface Estimate extends Spent {
  readonly questions: number;
  readonly basedOn: 'last_run' | 'length';
}

type Asked = Pick<Scenario, 'id' | 'hash' | 'messages'>;

interface Known {
  readonly content: Pick<AssistantContent, 'systemPrompt' | 'promptTemplate'>;
  readonly repeat: number;
  /** The newest run that asked the model that would be asked now. */
  readonly last: Pick<SuiteRun, 'scenarios' | 'results'> | undefined;
  /** Of that model; undefined where nobody has set one. */
  readonly price: Price | undefined;
}

/** Of a text in a language of Europe. */
const CHARS_PER_TOKEN = 4;
/** An answer of a few paragraphs. */
const ANSWER_TOKENS = 300;

export function estimateRun(scenarios: readonly Asked[], known: Known): Estimate {
  const byLength = spentByLength(scenarios, known);
  const byRun = known.last && spentByRun(scenarios, known.last);
  const once = byRun ? { ...byRun, cost: byRun.cost ?? scaled(byLength, byRun.tokens) } : byLength;
  return {
    questions: questionsIn(scenarios) * known.repeat,
    tokens: Math.round(once.tokens * known.repeat),
    cost: once.cost === null ? null : asAmount(once.cost * known.repeat),
    basedOn: byRun ? 'last_run' : 'length',
  };
}

const questionsIn = (scenarios: readonly Pick<Asked, 'messages'>[]) =>
  scenarios.reduce((sum, { messages }) => sum + messages.length, 0);

/** What prices of today say to tokens that were spent before there were any. */
const scaled = ({ tokens, cost }: Spent, spent: number) =>
  cost === null || tokens === 0 ? null : (cost * spent) / tokens;

/** New scenarios are taken to cost, by their questions, what the others did. Undefined where none was asked. */
function spentByRun(scenarios: readonly Asked[], last: NonNullable<Known['last']>): Spent | undefined {
  const known = scenarios.flatMap((scenario) => {
    const isSame = last.scenarios.some(({ id, hash }) => id === scenario.id && hash === scenario.hash);
    const result = isSame ? last.results.find(({ id }) => id === scenario.id) : undefined;
    const times = result?.runs.length ?? 0;
    return result?.spent && result.spent.tokens > 0 ? [{ scenario, spent: result.spent, times }] : [];
  });
  if (known.length === 0) return undefined;
  const more = questionsIn(scenarios) / questionsIn(known.map(({ scenario }) => scenario));
  const sum = (each: (spent: Spent) => number) =>
    more * known.reduce((all, { spent, times }) => all + each(spent) / times, 0);
  const isPriced = known.some(({ spent }) => spent.cost !== null);
  return { tokens: sum(({ tokens }) => tokens), cost: isPriced ? sum(({ cost }) => cost ?? 0) : null };
}

/** What tools and documents bring is not known before they were asked. */
function spentByLength(scenarios: readonly Asked[], { content, price }: Known): Spent {
  const tokensOf = (text: string) => Math.ceil(text.length / CHARS_PER_TOKEN);
  const always = tokensOf(content.systemPrompt) + tokensOf(content.promptTemplate);
  let promptTokens = 0;
  let completionTokens = 0;
  for (const { messages } of scenarios) {
    let before = 0;
    for (const message of messages) {
      before += tokensOf(message.content);
      promptTokens += always + before;
      completionTokens += ANSWER_TOKENS;
      before += ANSWER_TOKENS;
    }
  }
  const cost = price ? costAt(price, { promptTokens, completionTokens }) : null;
  return { tokens: promptTokens + completionTokens, cost };
}
