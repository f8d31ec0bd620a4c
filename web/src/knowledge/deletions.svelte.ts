import type { KnowledgeDocument } from '../api/shapes.ts';
import type { KnowledgeApi } from './knowledge-api.ts';

/** How long there is for second thoughts. */
export const SECOND_THOUGHTS_MS = 6_000;

/** Documents that are gone from the page and, unless somebody thinks better of it, soon from the service. */
export interface Deletions {
  /** True until the service has been told and has answered. */
  has(documentId: string): boolean;
  begin(collectionId: string, document: KnowledgeDocument): void;
  undo(documentId: string): void;
  /** What waits is done now: its owner is leaving. */
  flush(): void;
}

export interface DeletionsDeps {
  readonly knowledge: Pick<KnowledgeApi, 'removeDocument'>;
  readonly failed: (document: KnowledgeDocument, fault: unknown) => void;
}

interface Waiting {
  readonly timer: ReturnType<typeof setTimeout>;
  readonly carryOut: () => void;
}

export function createDeletions({ knowledge, failed }: DeletionsDeps): Deletions {
  let waiting = $state.raw<ReadonlyMap<string, Waiting>>(new Map());
  let going = $state.raw<ReadonlySet<string>>(new Set());

  const forget = (id: string) => {
    clearTimeout(waiting.get(id)?.timer);
    waiting = new Map([...waiting].filter(([each]) => each !== id));
  };

  async function carryOut(collectionId: string, document: KnowledgeDocument): Promise<void> {
    forget(document.id);
    going = new Set([...going, document.id]);
    try {
      await knowledge.removeDocument(collectionId, document.id);
    } catch (fault) {
      failed(document, fault);
      going = new Set([...going].filter((id) => id !== document.id));
    }
  }

  return {
    has: (id) => waiting.has(id) || going.has(id),
    begin(collectionId, document) {
      const now = () => void carryOut(collectionId, document);
      const entry = { timer: setTimeout(now, SECOND_THOUGHTS_MS), carryOut: now };
      waiting = new Map([...waiting, [document.id, entry]]);
    },
    undo: forget,
    flush() {
      for (const { carryOut: now } of waiting.values()) now();
    },
  };
}
