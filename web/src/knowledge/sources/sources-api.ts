import type {
  Schedule,
  Source,
  SourceKind,
  SourceList,
  SourceSettings,
} from '../../../../src/http/contract/knowledge.ts';
import type { Api } from '../../api/api.ts';

export interface SourceContent {
  readonly kind: SourceKind;
  readonly name?: string;
  readonly schedule: Schedule;
  readonly settings: SourceSettings;
  readonly token?: string;
}

/** The routes of a collection's sources, each as a function. */
export function createSourcesApi(api: Api, collectionId: string) {
  const at = (...rest: string[]) =>
    ['/lamb/v1/collections', ...[collectionId, 'sources', ...rest].map(encodeURIComponent)].join('/');

  return {
    list: () => api.get<SourceList>(at()),
    add: (content: SourceContent) => api.send<Source>('POST', at(), content),
    change: (id: string, { kind: _, ...content }: SourceContent) => api.send<Source>('PUT', at(id), content),
    run: (id: string) => api.send<Source>('POST', at(id, 'run'), {}),
    remove: (id: string, documents: 'keep' | 'remove') =>
      api.send('DELETE', `${at(id)}?documents=${documents}`),
  };
}

export type SourcesApi = ReturnType<typeof createSourcesApi>;
