import type { Activity, UsableAssistant } from '../../../../src/http/contract/activities.ts';
import type { Page } from '../../../../src/http/contract/common.ts';
import type { ActivityChange } from '../../activities/activity.ts';
import type { Api } from '../../api/api.ts';
import { type Assistant, createAssistantsApi } from '../../assistants/assistants-api.ts';
import type { Overriding } from '../../assistants/tests/gate-refusal.ts';

export interface ActivityQuery {
  readonly q?: string | undefined;
  readonly platform_id?: string | undefined;
  readonly cursor?: string | undefined;
}

const ROOT = '/lamb/v1/lti/activities';
const PAGE = 20;

export type ActivitiesApi = ReturnType<typeof createActivitiesApi>;

/** Activities for those who look after them from here and not from a course. */
export function createActivitiesApi(api: Api) {
  const assistants = createAssistantsApi(api);

  return {
    list: (query: ActivityQuery, signal: AbortSignal) =>
      api.get<Page<Activity>>(ROOT, { query: { ...query }, signal }),
    change: (id: number, change: ActivityChange & Overriding) =>
      api.send<Activity>('PATCH', `${ROOT}/${String(id)}`, change),
    /** What could stand in one. */
    assistants: async (
      { q, cursor }: { readonly q?: string; readonly cursor: string | undefined },
      signal?: AbortSignal,
    ): Promise<Page<UsableAssistant>> => {
      const { data, next_cursor } = await assistants.list({ q, cursor, limit: PAGE }, signal);
      return { data: data.map(usableOf), next_cursor };
    },
  };
}

const usableOf = ({ owner, tools = [], ...assistant }: Assistant): UsableAssistant => ({
  ...{ id: assistant.id, name: assistant.name, description: assistant.description },
  ...{ version: assistant.version, owner_name: owner, tests: assistant.tests },
  evaluates: tools.some(({ type, enabled }) => type === 'rubric_eval' && enabled !== false),
});
