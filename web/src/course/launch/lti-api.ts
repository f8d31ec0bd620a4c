import type {
  Activity,
  LinkedAccount,
  LtiSession,
  Placed,
  UsableAssistant,
} from '../../../../src/http/contract/activities.ts';
import type { Page } from '../../../../src/http/contract/common.ts';
import type { ActivityChange } from '../../activities/activity.ts';
import type { AssistantQuery } from '../../activities/setup-draft.ts';
import type { Api } from '../../api/api.ts';
import type { Overriding } from '../../assistants/tests/gate-refusal.ts';

const SESSION = '/lamb/v1/lti/session';

export interface Placement {
  readonly assistant_ids: readonly number[];
  /** In one activity, or each in one of its own. */
  readonly together: boolean;
  readonly score_maximum?: number;
}

export type LtiApi = ReturnType<typeof createLtiApi>;

/** What a launch lets somebody do besides chatting. */
export function createLtiApi(api: Api) {
  return {
    session: () => api.get<LtiSession>(SESSION),
    assistants: (query: AssistantQuery, signal?: AbortSignal) =>
      api.get<Page<UsableAssistant>>(`${SESSION}/assistants`, {
        query: { limit: 20, ...query },
        ...(signal ? { signal } : {}),
      }),
    link: async (email: string, password: string) =>
      (await api.send<{ account: LinkedAccount }>('POST', `${SESSION}/account`, { email, password })).account,
    unlink: () => api.send('DELETE', `${SESSION}/account`),
    consent: () => api.send('POST', `${SESSION}/consent`, { policy: 'named' }),
    withdraw: () => api.send('DELETE', `${SESSION}/consent`),
    export: () => api.download(`${SESSION}/export`),
    erase: () => api.send('DELETE', `${SESSION}/data`),
    place: (placement: Placement & Overriding) =>
      api.send<Placed>('POST', `${SESSION}/placements`, placement),
    end: () => api.send('POST', `${SESSION}/end`),
    change: (activity: number, change: ActivityChange & Overriding) =>
      api.send<Activity>('PATCH', `/lamb/v1/lti/activities/${String(activity)}`, change),
  };
}
