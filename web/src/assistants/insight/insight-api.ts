import type { Annotation, Insight } from '../../../../src/http/contract/people/insight.ts';
import type { Page } from '../../../../src/http/contract/common.ts';
import type { Api } from '../../api/api.ts';

export type { Annotation, Insight };

/** What a correction begins with. */
export interface Correction {
  /** Of one that is there already. */
  readonly id?: number;
  readonly question: string;
  readonly answer: string;
  readonly status: Annotation['status'];
  readonly run_id?: string | null;
}

export type InsightApi = ReturnType<typeof createInsightApi>;

export function createInsightApi(api: Api, id: number) {
  const root = `/lamb/v1/assistants/${String(id)}`;
  const at = (annotation: number) => `${root}/annotations/${String(annotation)}`;

  return {
    read: (days: { readonly from: string; readonly to: string }) =>
      api.get<Insight>(`${root}/insight`, { query: days }),
    annotations: (cursor: string | undefined, signal: AbortSignal) =>
      api.get<Page<Annotation>>(`${root}/annotations`, { query: { cursor, limit: 50 }, signal }),
    save: ({ id: annotation, run_id = null, ...content }: Correction) =>
      annotation === undefined
        ? api.send<Annotation>('POST', `${root}/annotations`, { ...content, run_id })
        : api.send<Annotation>('PATCH', at(annotation), content),
    setStatus: (annotation: number, status: Annotation['status']) =>
      api.send<Annotation>('PATCH', at(annotation), { status }),
    remove: (annotation: number) => api.send('DELETE', at(annotation), undefined, { keepalive: true }),
  };
}
