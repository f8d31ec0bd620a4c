import type { Version, VersionDiff, VersionFacts } from '../../../src/http/contract/assistants.ts';
import type { Page } from '../../../src/http/contract/common.ts';
import type { Api } from '../api/api.ts';
import type { Assistant } from './assistants-api.ts';
import type { Overriding } from './tests/gate-refusal.ts';

export function createHistoryApi(api: Api, id: number) {
  const root = `/lamb/v1/assistants/${String(id)}/versions`;
  const at = (n: number) => `${root}/${String(n)}`;

  return {
    versions: (cursor: string | undefined, signal: AbortSignal) =>
      api.get<Page<VersionFacts>>(root, { query: { cursor }, signal }),
    version: (n: number) => api.get<Version>(at(n)),
    diff: (from: number, to: number) => api.get<VersionDiff>(`${at(from)}/diff`, { query: { with: to } }),
    /** Refused with 409 when `newest` is no longer the newest. */
    restore: (n: number, newest: number, overriding: Overriding = {}) =>
      api.send<Assistant>('POST', `${at(n)}/restore`, { version: newest, ...overriding }),
  };
}
