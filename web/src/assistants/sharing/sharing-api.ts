import type { Page } from '../../../../src/http/contract/common.ts';
import type { Api } from '../../api/api.ts';
import type { Assistant } from '../assistants-api.ts';
import type { Overriding } from '../tests/gate-refusal.ts';

export interface Share {
  readonly email: string;
  readonly name: string;
  readonly created_at?: string;
}

export interface AccessVerdict {
  readonly allowed: boolean;
  readonly rule: string;
  /** In English. */
  readonly explanation: string;
}

export interface Publication extends Overriding {
  readonly published: boolean;
  readonly publish_scope?: Assistant['publish_scope'];
}

export function createSharingApi(api: Api, id: number) {
  const root = `/lamb/v1/assistants/${String(id)}`;

  return {
    publish: (publication: Publication) => api.send<Assistant>('POST', `${root}/publish`, publication),
    shares: (cursor: string | undefined, signal: AbortSignal) =>
      api.get<Page<Share>>(`${root}/shares`, { query: { cursor }, signal }),
    share: (email: string, overriding: Overriding = {}) =>
      api.send<Share>('POST', `${root}/shares`, { email, ...overriding }),
    unshare: (email: string) => api.send('DELETE', `${root}/shares/${encodeURIComponent(email)}`),
    accessOf: (email: string) => api.get<AccessVerdict>(`${root}/access-check`, { query: { as: email } }),
  };
}
