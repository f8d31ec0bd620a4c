import { isAborted } from '../api/fault.ts';
import type { KnowledgeDocument } from '../api/shapes.ts';
import type { KnowledgeApi } from './knowledge-api.ts';

/** More at once would only share the same line. */
const AT_A_TIME = 2;

/** A file on its way. Those that have arrived are documents, and no longer here. */
export interface Upload {
  readonly id: number;
  readonly collectionId: string;
  readonly name: string;
  readonly state: 'waiting' | 'sending' | 'failed';
  /** From 0 to 1. */
  readonly sent: number;
  readonly fault: unknown;
}

export interface Uploads {
  of(collectionId: string): readonly Upload[];
  readonly areUnderWay: boolean;
  add(collectionId: string, files: readonly File[]): void;
  /** Stops it, or puts it away when it has failed. */
  remove(id: number): void;
}

export interface UploadsDeps {
  readonly knowledge: Pick<KnowledgeApi, 'upload'>;
  readonly arrived: (collectionId: string, document: KnowledgeDocument) => void;
}

/** Goes on while its owner looks at other pages. */
export function createUploads({ knowledge, arrived }: UploadsDeps): Uploads {
  let all = $state.raw<readonly Upload[]>([]);
  let latest = 0;
  const files = new Map<number, { readonly file: File; readonly leaving: AbortController }>();

  const change = (id: number, to: Partial<Upload>) => {
    all = all.map((upload) => (upload.id === id ? { ...upload, ...to } : upload));
  };
  const drop = (id: number) => {
    files.delete(id);
    all = all.filter((upload) => upload.id !== id);
  };

  async function send({ id, collectionId }: Upload): Promise<void> {
    const entry = files.get(id);
    if (!entry) return;
    change(id, { state: 'sending' });
    try {
      const document = await knowledge.upload(collectionId, entry.file, {
        signal: entry.leaving.signal,
        onProgress: (sent) => {
          change(id, { sent });
        },
      });
      drop(id);
      if (document) arrived(collectionId, document);
    } catch (fault) {
      if (isAborted(fault)) drop(id);
      else change(id, { state: 'failed', fault });
    }
    sendNext();
  }

  function sendNext(): void {
    const free = AT_A_TIME - all.filter(({ state }) => state === 'sending').length;
    for (const upload of all.filter(({ state }) => state === 'waiting').slice(0, Math.max(free, 0))) {
      void send(upload);
    }
  }

  return {
    of: (collectionId) => all.filter((upload) => upload.collectionId === collectionId),
    get areUnderWay() {
      return all.some(({ state }) => state !== 'failed');
    },
    add(collectionId, given) {
      const added = given.map((file): Upload => {
        const id = ++latest;
        files.set(id, { file, leaving: new AbortController() });
        return { id, collectionId, name: file.name, state: 'waiting', sent: 0, fault: undefined };
      });
      all = [...all, ...added];
      sendNext();
    },
    remove(id) {
      files.get(id)?.leaving.abort();
      drop(id);
      sendNext();
    },
  };
}
