import type {
  DocumentPage,
  DocumentStatus,
  KnowledgeDocument,
} from '../../../src/http/contract/knowledge.ts';
import type { KnowledgeApi } from './knowledge-api.ts';

const PAGE = 50;
const MOST_AT_ONCE = 200;

export interface DocumentFilter {
  readonly q: string;
  readonly status: DocumentStatus | '';
}

/** The documents of a collection as far as they are shown, and how they change. */
export interface DocumentList {
  /** Undefined until the first page is here. */
  readonly documents: readonly KnowledgeDocument[] | undefined;
  /** How many of the whole collection are in which state. */
  readonly counts: DocumentPage['by_status'];
  readonly filter: DocumentFilter;
  readonly hasMore: boolean;
  readonly fault: unknown;
  /** Something is still being read: it is worth looking again. */
  readonly isUnderWay: boolean;
  choose(filter: DocumentFilter): Promise<void>;
  more(): Promise<void>;
  /** Looks again at what is shown. */
  refresh(): Promise<void>;
  /** These were sent from here: what becomes of them is told, also when it was done before the list was first read. */
  await(ids: readonly string[]): void;
}

export interface DocumentListDeps {
  readonly knowledge: Pick<KnowledgeApi, 'documents'>;
  readonly collectionId: string;
  /** One that was under way is done with. */
  readonly settled: (document: KnowledgeDocument) => void;
}

export const isUnderWay = ({ status }: Pick<KnowledgeDocument, 'status'>): boolean =>
  status === 'queued' || status === 'processing';

export function createDocumentList({ knowledge, collectionId, settled }: DocumentListDeps): DocumentList {
  let documents = $state.raw<readonly KnowledgeDocument[]>();
  let filter = $state.raw<DocumentFilter>({ q: '', status: '' });
  let counts = $state.raw<DocumentPage['by_status']>({ queued: 0, processing: 0, ready: 0, failed: 0 });
  let cursor = $state<string | null>(null);
  let fault = $state.raw<unknown>();
  let latest = 0;
  let newest: Promise<void> | undefined;
  /** What was there when the list was opened, on its way. */
  let first: Promise<void> | undefined;
  /** The next page, on its way. */
  let growing: Promise<void> | undefined;
  const awaited = new Set<string>();

  /** What was under way and no longer is, and what has come since and is done with already. */
  const tell = (before: readonly KnowledgeDocument[], after: readonly KnowledgeDocument[]) => {
    const known = new Map(before.map((each) => [each.id, each]));
    const newest = before.reduce((last, { created_at }) => (created_at > last ? created_at : last), '');
    for (const each of after.filter((one) => !isUnderWay(one))) {
      const earlier = known.get(each.id);
      const isNews = earlier ? isUnderWay(earlier) : each.created_at > newest;
      if (awaited.delete(each.id) || isNews) settled(each);
    }
  };

  const read = (limit: number, after?: string) =>
    knowledge.documents(collectionId, {
      limit,
      cursor: after,
      q: filter.q || undefined,
      status: filter.status || undefined,
    });

  /** Only the answer to the last question counts: whoever asked before it waits for it as well. */
  async function take(asked: Promise<DocumentPage>, put: (page: DocumentPage) => void): Promise<void> {
    const turn = ++latest;
    const answer = async () => {
      try {
        const page = await asked;
        if (turn !== latest) return;
        put(page);
        counts = page.by_status;
        fault = undefined;
      } catch (thrown) {
        if (turn === latest) fault = thrown;
      }
    };
    const taken = answer();
    newest = taken;
    for (let awaited: Promise<void> | undefined; awaited !== newest;) {
      awaited = newest;
      await awaited;
    }
  }

  async function refresh(): Promise<void> {
    await first;
    await growing;
    const shown = Math.max(documents?.length ?? 0, PAGE);
    const limit = Math.min(shown, MOST_AT_ONCE);
    await take(read(limit), ({ data, next_cursor }) => {
      if (documents) tell(documents, data);
      const beyond = shown > limit ? (documents ?? []).slice(limit) : [];
      documents = withoutTwins([...data, ...beyond]);
      if (beyond.length === 0) cursor = next_cursor;
    });
  }

  return {
    get documents() {
      return documents;
    },
    get counts() {
      return counts;
    },
    get filter() {
      return filter;
    },
    get hasMore() {
      return cursor !== null;
    },
    get fault() {
      return fault;
    },
    get isUnderWay() {
      // Both are asked: the counts are read a moment after the documents, one of which may have ended in between.
      const lookedAt = documents?.slice(0, MOST_AT_ONCE) ?? [];
      return counts.queued + counts.processing > 0 || lookedAt.some(isUnderWay);
    },
    async choose(chosen) {
      filter = chosen;
      const chosenOnes = take(read(PAGE), ({ data, next_cursor }) => {
        documents = data;
        cursor = next_cursor;
      });
      // What arrives meanwhile is news only beside what was there: whoever looks again waits for that.
      if (!documents) first = chosenOnes;
      await chosenOnes;
    },
    async more() {
      if (cursor === null) return;
      growing ??= take(read(PAGE, cursor), ({ data, next_cursor }) => {
        documents = withoutTwins([...(documents ?? []), ...data]);
        cursor = next_cursor;
      }).finally(() => {
        growing = undefined;
      });
      await growing;
    },
    refresh,
    await(ids) {
      for (const id of ids) awaited.add(id);
    },
  };
}

function withoutTwins(documents: readonly KnowledgeDocument[]): KnowledgeDocument[] {
  return [...new Map(documents.map((each) => [each.id, each])).values()];
}
