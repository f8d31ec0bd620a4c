import type { OwnBudgets } from '../../../src/http/contract/budgets.ts';
import type { Api } from '../api/api.ts';
import { createLoaded } from '../api/loaded.svelte.ts';
import { type QuestionsLeft, questionsLeftOf, type Spent, spentIn, spentOf } from './own-budgets.ts';

/** What somebody may still ask. */
export interface BudgetState {
  readonly left: QuestionsLeft | undefined;
  /** While nothing can be asked. */
  readonly spent: Spent | undefined;
  load(): Promise<void>;
  /** An answer has come, or was refused. */
  answered(answer: { readonly fault: unknown }): void;
  /** Each has a budget of its own. */
  assistantChanged(): void;
  /** Looks again: somebody wants to, or the time has come. */
  lookAgain(): Promise<void>;
}

export function createBudgetState(api: Api): BudgetState {
  // Without an answer the figures stay as they were: whoever asks is told by what comes of it.
  const own = createLoaded(() => api.get<OwnBudgets>('/lamb/v1/budgets/mine'));
  const budgets = $derived(own.value?.budgets ?? []);
  /** The service may refuse what the figures do not tell: too little is left, or it is the assistant's budget. */
  let refused = $state.raw<Spent>();
  const spent = $derived(refused ?? spentOf(budgets));
  const left = $derived(spent ? undefined : questionsLeftOf(budgets));

  return {
    get left() {
      return left;
    },
    get spent() {
      return spent;
    },
    load: own.load,
    answered({ fault }) {
      refused = spentIn(fault);
      // Where none applies there is nothing new to learn.
      if (refused || budgets.length > 0) void own.load();
    },
    assistantChanged() {
      if (refused?.whose === 'assistant') refused = undefined;
    },
    async lookAgain() {
      await own.load();
      refused = undefined;
    },
  };
}
