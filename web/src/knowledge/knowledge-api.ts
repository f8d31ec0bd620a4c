import type {
  AddedDocuments,
  Collection,
  DocumentPage,
  DocumentStatus,
  Findings,
  KnowledgeDocument,
  Passage,
  StaleDecision,
  Tag,
  TestQuestion,
  TestQuestions,
  TestRun,
  VainQuestion,
} from '../../../src/http/contract/knowledge.ts';
import type { Page } from '../../../src/http/contract/common.ts';
import type { Api, UploadOptions } from '../api/api.ts';

const ROOT = '/lamb/v1/collections';

export interface CollectionContent {
  readonly name: string;
  readonly description: string;
  readonly is_shared: boolean;
  readonly ocr: boolean;
  /** Of one that is registered from the organisation's server. */
  readonly external_id?: string;
}

export interface Paging {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Question {
  readonly query_text: string;
  readonly top_k: number;
  readonly threshold: number;
  readonly keep_weak?: boolean;
}

export type KnowledgeApi = ReturnType<typeof createKnowledgeApi>;

/** The routes of collections and documents, each as a function. */
export function createKnowledgeApi(api: Api) {
  const at = (collection: string, ...rest: string[]) =>
    [ROOT, ...[collection, ...rest].map(encodeURIComponent)].join('/');
  const documentAt = (collection: string, document: string, ...rest: string[]) =>
    at(collection, 'documents', document, ...rest);

  return {
    collections: (query: Paging & { readonly q?: string }, signal: AbortSignal) =>
      api.get<Page<Collection>>(ROOT, { query: { ...query }, signal }),
    create: (content: CollectionContent) => api.send<Collection>('POST', ROOT, content),
    collection: (id: string) => api.get<Collection>(at(id)),
    change: (id: string, content: Partial<CollectionContent>) => api.send<Collection>('PUT', at(id), content),
    remove: (id: string) => api.send('DELETE', at(id)),

    documents: (id: string, query: DocumentQuery, signal?: AbortSignal) =>
      api.get<DocumentPage>(at(id, 'documents'), {
        query: { ...query },
        ...(signal ? { signal } : {}),
      }),
    document: (id: string, document: string) => api.get<KnowledgeDocument>(documentAt(id, document)),
    upload: (id: string, files: readonly File[], options: UploadOptions) =>
      api.upload<AddedDocuments>(at(id, 'documents'), files, options),
    addAddress: async (id: string, url: string) =>
      (await api.send<AddedDocuments>('POST', at(id, 'documents'), { url })).documents[0],
    reingest: (id: string, document: string) =>
      api.send<KnowledgeDocument>('POST', documentAt(id, document, 'reingest'), {}),
    removeDocument: (id: string, document: string) =>
      api.send('DELETE', documentAt(id, document), undefined, { keepalive: true }),
    original: (id: string, document: string) => api.download(documentAt(id, document, 'file')),
    passages: (id: string, document: string, query: Paging) =>
      api.get<Page<Passage>>(documentAt(id, document, 'passages'), { query: { ...query } }),

    changeDocument: (id: string, document: string, change: DocumentChange) =>
      api.send<KnowledgeDocument>('PATCH', documentAt(id, document), change),
    tags: async (id: string, signal?: AbortSignal) =>
      (await api.get<{ data: readonly Tag[] }>(at(id, 'tags'), signal ? { signal } : {})).data,
    changeTags: (id: string, change: TagChange) =>
      api.send<{ changed: number }>('POST', at(id, 'tags'), change),
    changePassage: (id: string, document: string, n: number, change: PassageChange) =>
      api.send<Passage>('PATCH', documentAt(id, document, 'passages', String(n)), change),
    staleDecisions: async (id: string, document: string) =>
      (await api.get<{ data: readonly StaleDecision[] }>(documentAt(id, document, 'stale-decisions'))).data,
    forgetDecision: (id: string, document: string, decision: number) =>
      api.send('DELETE', documentAt(id, document, 'stale-decisions', String(decision))),

    testQuestions: (id: string) => api.get<TestQuestions>(at(id, 'questions')),
    saveQuestion: (id: string, content: QuestionContent, question?: string) =>
      question === undefined
        ? api.send<TestQuestion>('POST', at(id, 'questions'), content)
        : api.send<TestQuestion>('PUT', at(id, 'questions', question), content),
    removeQuestion: (id: string, question: string) => api.send('DELETE', at(id, 'questions', question)),
    runQuestions: (id: string) => api.send<TestRun>('POST', at(id, 'questions', 'run'), {}),
    questionRuns: async (id: string) =>
      (await api.get<{ data: readonly TestRun[] }>(at(id, 'questions', 'runs'))).data,
    vainQuestions: (id: string, cursor: string | undefined, signal: AbortSignal) =>
      api.get<Page<VainQuestion>>(at(id, 'vain-questions'), { query: { cursor }, signal }),
    dismissQuestion: (id: string, question: number) =>
      api.send('DELETE', at(id, 'vain-questions', String(question))),

    ask: (id: string, question: Question, signal: AbortSignal) =>
      api.send<Findings>('POST', at(id, 'query'), question, { signal }),
  };
}

export interface DocumentChange {
  readonly off?: boolean;
  readonly off_until?: string;
  readonly tags?: readonly string[];
}

export interface TagChange {
  readonly documents: readonly string[];
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface PassageChange {
  readonly off?: boolean;
  readonly pinned?: boolean;
  readonly text?: string | null;
}

export interface QuestionContent {
  readonly question: string;
  readonly targets: readonly {
    readonly document_id: string;
    readonly chunk_index?: number;
    readonly page?: number;
  }[];
}

export interface DocumentQuery extends Paging {
  readonly q?: string | undefined;
  readonly status?: DocumentStatus | undefined;
}
