import type { Page } from '../../../src/http/contract/common.ts';
import type { Rubric } from '../../../src/http/contract/resources.ts';
import type { Api } from '../api/api.ts';

export interface RubricContent {
  readonly title: string;
  readonly description?: string;
  readonly is_public?: boolean;
  readonly rubric_data: object;
}

export interface RubricQuery {
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
}

const ROOT = '/lamb/v1/rubrics';

export type RubricsApi = ReturnType<typeof createRubricsApi>;

export function createRubricsApi(api: Api) {
  const at = (id: string) => `${ROOT}/${encodeURIComponent(id)}`;

  return {
    list: (query: RubricQuery, signal?: AbortSignal) =>
      api.get<Page<Rubric>>(ROOT, { query: { ...query }, ...(signal ? { signal } : {}) }),
    get: (id: string) => api.get<Rubric>(at(id)),
    create: (content: RubricContent) => api.send<Rubric>('POST', ROOT, content),
    /** Refused with 409 when it has been changed since `updated_at`. */
    save: (id: string, content: RubricContent & { readonly updated_at?: string }) =>
      api.send<Rubric>('PUT', at(id), content),
    remove: (id: string) => api.send('DELETE', at(id), undefined, { keepalive: true }),
    /** How an assistant would read it, stored or not. */
    preview: (content: RubricContent, signal?: AbortSignal) =>
      api.send<{ readonly markdown: string }>('POST', `${ROOT}/preview`, content, signal ? { signal } : {}),
  };
}
