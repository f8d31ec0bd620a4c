import type { Budget } from '../core/budgets/budget.js';
import type { Settings } from '../core/runs/run-context.js';
import type { PriceList } from '../core/runs/prices.js';
import type { QuestionsAsked, UsageStore } from '../core/runs/usage.js';
import { countedCost, currentPeriod } from './amounts.js';
import type { Standing } from './standing.js';

/** Until somebody has asked: instructions with a few passages, and an answer of half a page. */
const TYPICAL = { promptTokens: 1_500, completionTokens: 500 };

/** What is longer ago says little about the next question. */
const LOOK_BACK_MS = 31 * 86_400_000;

interface Deps {
  readonly usage: Pick<UsageStore, 'questionsOf'>;
  readonly userId: number;
  readonly settings: Settings;
}

/** About how many questions what is left of somebody's own budgets is good for, as far as that can be told. */
export function createQuestionsLeft({ usage, userId, settings }: Deps) {
  const asked = new Map<string, Promise<QuestionsAsked>>();
  const askedSince = (since: string) => {
    const known = asked.get(since) ?? usage.questionsOf(userId, since);
    asked.set(since, known);
    return known;
  };

  return async (budget: Budget, { remaining, isSpent }: Standing): Promise<number | undefined> => {
    if (isSpent || budget.unit === 'requests') return isSpent ? 0 : remaining;
    const now = new Date();
    const longAgo = new Date(now.getTime() - LOOK_BACK_MS).toISOString();
    const { start } = currentPeriod(budget, now);
    const each =
      average(budget, await askedSince(start > longAgo ? start : longAgo)) ?? typical(budget, settings);
    return each === undefined || each <= 0 ? undefined : Math.floor(remaining / each);
  };
}

function average({ unit }: Budget, { questions, tokens, priced, cost }: QuestionsAsked): number | undefined {
  const [sum, count] = unit === 'tokens' ? [tokens, questions] : [cost, priced];
  return count === 0 ? undefined : sum / count;
}

function typical({ unit }: Budget, { prices, globalDefaultModel }: Settings): number | undefined {
  if (unit === 'tokens') return TYPICAL.promptTokens + TYPICAL.completionTokens;
  const costs = pricesOf(prices, globalDefaultModel).map((price) => countedCost(price, TYPICAL));
  return costs.length === 0 ? undefined : Math.max(...costs);
}

/** That of the model that is asked unless another is chosen; where it has none, all of them. */
function pricesOf({ models }: PriceList, usual: Settings['globalDefaultModel']) {
  const names = usual ? [`${usual.provider}/${usual.model}`, usual.model] : [];
  const known = names.flatMap((name) => models.get(name) ?? []);
  return known.length > 0 ? known.slice(0, 1) : [...models.values()];
}
