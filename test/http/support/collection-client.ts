import { setTimeout as delay } from 'node:timers/promises';
import type { KnowledgeDocument } from '../../../src/http/contract/knowledge.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import type { Answer, Service } from '../../support/service.js';

type Asking = Pick<Service, 'request'>;
type Bytes = string | Uint8Array;

export interface CollectionRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly owner: string;
  readonly is_shared: boolean;
  readonly place: string;
  readonly documents: number;
  readonly passages: number;
  readonly may_edit: boolean;
}

export interface DocumentRecord {
  readonly id: string;
  readonly filename: string;
  readonly status: 'queued' | 'processing' | 'ready' | 'failed';
  readonly stage: string;
  readonly progress: number;
  readonly error?: string;
  readonly error_code?: string;
  readonly faults: KnowledgeDocument['faults'];
  readonly format?: string;
  readonly pages?: number;
  readonly passages: number;
  readonly language?: string;
  readonly source_url?: string;
  readonly bytes: number;
  readonly sha256?: string;
  readonly embedded_with?: string;
  readonly duplicate?: boolean;
}

export interface Findings {
  readonly results: readonly {
    readonly similarity: number;
    readonly data: string;
    readonly metadata: { readonly filename: string; readonly page?: number; readonly chunk_index: number };
    readonly reasons?: object;
  }[];
  readonly count: number;
  readonly query: string;
  readonly embeddings: string | null;
}

/** Somebody at the front door, with the collections they may reach. */
export function collectionsOf(service: Asking, key: string) {
  const send = <Body>(path: string, options: object = {}) =>
    service.request<Body>(`/lamb/v1/collections${path}`, { key, ...options });
  const document = async (collection: string, id: string) =>
    (await send<DocumentRecord>(`/${collection}/documents/${id}`)).json;
  const upload = (collection: string, files: readonly (readonly [name: string, content: Bytes])[]) => {
    const body = new FormData();
    for (const [name, content] of files) body.append('file', new Blob([content]), name);
    return send<{
      readonly documents: readonly DocumentRecord[];
      readonly left_out?: readonly {
        readonly filename: string;
        readonly message: string;
        readonly code?: string;
      }[];
    }>(`/${collection}/documents`, { body });
  };
  const settled = (collection: string, id: string) =>
    until(
      () => document(collection, id),
      ({ status }) => status === 'ready' || status === 'failed',
      seldomer,
    );

  return {
    send,
    upload,
    document,
    settled,
    async make(content: object = {}): Promise<CollectionRecord> {
      const made = await send<CollectionRecord>('', { body: { name: uniqueName('collection'), ...content } });
      if (made.status !== 201) throw new Error(`No collection was made: ${String(made.status)} ${made.text}`);
      return made.json;
    },
    /** Uploads one document and waits until it is ready or has failed. */
    async takeIn(collection: string, name: string, content: Bytes): Promise<DocumentRecord> {
      const { status, json, text } = await upload(collection, [[name, content]]);
      const [made] = status === 202 ? json.documents : [];
      if (!made) throw new Error(`Nothing was uploaded: ${String(status)} ${text}`);
      return settled(collection, made.id);
    },
    ask: (collection: string, query_text: string, more: object = {}): Promise<Answer<Findings>> =>
      send<Findings>(`/${collection}/query`, { body: { query_text, ...more } }),
  };
}

const PATIENCE_MS = 90_000;
const BETWEEN_LOOKS_MS = 20;
const MOST_BETWEEN_LOOKS_MS = 250;

/** For what lasts: to look takes time from what is waited for. */
const seldomer = (ms: number) => Math.min(ms * 1.5, MOST_BETWEEN_LOOKS_MS);

/** Looks again and again until it sees what is waited for; fails when that takes too long. */
export async function until<T>(
  look: () => Promise<T>,
  isEnough: (seen: T) => boolean,
  nextPause = (ms: number) => ms,
): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (let pause = BETWEEN_LOOKS_MS; ; pause = nextPause(pause)) {
    const seen = await look();
    if (isEnough(seen)) return seen;
    if (Date.now() > end) throw new Error(`Waited in vain; the last seen is ${JSON.stringify(seen)}`);
    await delay(pause);
  }
}
