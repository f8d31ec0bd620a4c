import type { Activity } from '../../../../src/http/contract/activities.ts';
import type { ApiKey } from '../../../../src/http/contract/admin.ts';
import type {
  Budget,
  BudgetAlert,
  BudgetAlertPage,
  BudgetPage,
  LtiCourse,
  OwnBudgets,
} from '../../../../src/http/contract/budgets.ts';
import type { Page } from '../../../../src/http/contract/common.ts';
import type { Api } from '../../api/api.ts';
import type { BudgetChange, NewBudget } from './budget-draft.ts';

const ROOT = '/lamb/v1/budgets';

export type BudgetsApi = ReturnType<typeof createBudgetsApi>;

export function createBudgetsApi(api: Api) {
  const at = (id: string) => `${ROOT}/${encodeURIComponent(id)}`;

  return {
    list: async (): Promise<readonly Budget[]> => (await api.get<BudgetPage>(ROOT)).data,
    get: (id: string) => api.get<Budget>(at(id)),
    create: (budget: NewBudget) => api.send<Budget>('POST', ROOT, budget),
    change: (id: string, change: BudgetChange) => api.send<Budget>('PATCH', at(id), change),
    delete: (id: string) => api.send('DELETE', at(id)),
    /** The newest first. */
    alerts: async (): Promise<readonly BudgetAlert[]> =>
      (await api.get<BudgetAlertPage>(`${ROOT}/alerts`)).data,
    mine: async (): Promise<OwnBudgets['budgets']> => (await api.get<OwnBudgets>(`${ROOT}/mine`)).budgets,

    courses: (signal: AbortSignal) => api.get<Page<LtiCourse>>('/lamb/v1/lti/courses', { signal }),
    activities: (q: string, signal: AbortSignal) =>
      api.get<Page<Activity>>('/lamb/v1/lti/activities', { query: { q, limit: MOST }, signal }),
    assistants: (q: string, signal: AbortSignal) =>
      api.get<Page<{ readonly id: number; readonly name: string }>>('/lamb/v1/assistants', {
        query: { q, limit: MOST },
        signal,
      }),
    keysOf: (user_email: string, signal: AbortSignal) =>
      api.get<Page<ApiKey>>('/lamb/v1/api-keys', { query: { user_email, limit: MOST }, signal }),
  };
}

/** As many as the service tells at once: of more, one is searched for. */
const MOST = 200;
