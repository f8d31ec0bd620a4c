import type { OwnBudgets } from '../../../src/http/contract/budgets.ts';
import type { Api } from '../api/api.ts';
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
  let budgets = $state.raw<OwnBudgets['budgets']>([]);
  /** The service may refuse what the figures do not tell: too little is left, or it is the assistant's budget. */
  let refused = $state.raw<Spent>();
  const spent = $derived(refused ?? spentOf(budgets));
  const left = $derived(spent ? undefined : questionsLeftOf(budgets));

  async function load(): Promise<void> {
    try {
      ({ budgets } = await api.get<OwnBudgets>('/lamb/v1/budgets/mine'));
    } catch {
      // Whoever asks is told by the answer.
    }
  }

  return {
    get left() {
      return left;
    },
    get spent() {
      return spent;
    },
    load,
    answered({ fault }) {
      refused = spentIn(fault);
      // Where none applies there is nothing new to learn.
      if (refused || budgets.length > 0) void load();
    },
    assistantChanged() {
      if (refused?.whose === 'assistant') refused = undefined;
    },
    async lookAgain() {
      await load();
      refused = undefined;
    },
  };
}
