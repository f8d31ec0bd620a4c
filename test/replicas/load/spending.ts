import { say } from '../../support/fakes/model-script.js';
import { asking } from '../asked-model.js';
import type { Installation } from '../installation.js';
import { type Activity, sent } from './load.js';

/** Questions that a budget has room for, asked until it has none, and then in vain. */
export async function spending(at: Installation, people: number, amount: number): Promise<Activity> {
  const { id } = await at.assistant();
  const key = await at.newKey();
  const body = { scope: { type: 'assistant', id }, unit: 'requests', amount, period: 'total' };
  const budget = await at.request<{ id: string }>('/lamb/v1/budgets', { body });
  let told = 0;
  return {
    ...{ name: 'budget', people },
    async act() {
      const answer = await sent(at.chat(id, asking(say('Yes.')), { key }));
      if (typeof answer === 'string') return answer;
      told++;
      return 'told';
    },
    async audit() {
      const { json } = await at.request<{ used: number }>(`/lamb/v1/budgets/${budget.json.id}`);
      const asked = await at.db('runs').where('assistant_id', id).where('status', 'completed').pluck('id');
      return {
        lost: told > json.used ? [`${String(told)} answers, of which ${String(json.used)} were counted`] : [],
        doubled: [told, json.used, asked.length]
          .filter((count) => count > amount)
          .map((count) => `${String(count)} of a budget of ${String(amount)}`),
      };
    },
  };
}
