import type { Api } from '../api/api.ts';
import type { Assistant } from './assistants-api.ts';
import type { Page } from '../../../src/http/contract/page.ts';

export interface VersionFacts {
  readonly version: number;
  readonly author: string;
  readonly created_at: string;
}

export interface Version extends VersionFacts {
  /** Null when what was stored is no JSON object. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

export interface VersionDiff {
  readonly from: number;
  readonly to: number;
  readonly fields: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
  /** By JSON path. */
  readonly metadata: {
    readonly added: readonly { readonly path: string; readonly value: unknown }[];
    readonly removed: readonly { readonly path: string; readonly value: unknown }[];
    readonly changed: readonly { readonly path: string; readonly from: unknown; readonly to: unknown }[];
  };
}

export function createHistoryApi(api: Api, id: number) {
  const root = `/lamb/v1/assistants/${String(id)}/versions`;
  const at = (n: number) => `${root}/${String(n)}`;

  return {
    versions: (cursor: string | undefined, signal: AbortSignal) =>
      api.get<Page<VersionFacts>>(root, { query: { cursor }, signal }),
    version: (n: number) => api.get<Version>(at(n)),
    diff: (from: number, to: number) => api.get<VersionDiff>(`${at(from)}/diff`, { query: { with: to } }),
    /** Refused with 409 when `newest` is no longer the newest. */
    restore: (n: number, newest: number) =>
      api.send<Assistant>('POST', `${at(n)}/restore`, { version: newest }),
  };
}
