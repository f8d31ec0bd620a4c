import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb, openReaders } from '../../db/open.js';
import { createStores } from '../../db/stores.js';
import type { Collection } from '../../src/core/knowledge/collection.js';
import type { Embedder, FoundPassage } from '../../src/core/knowledge/embedder.js';
import type { ExtractedPage } from '../../src/core/knowledge/extracted.js';
import { createAnalyser } from '../../src/knowledge/analysis/analyser.js';
import { splitDocument } from '../../src/knowledge/chunk/split-document.js';
import { embedEdition } from '../../src/knowledge/ingest/embed.js';
import { chunksOf, writeEdition } from '../../src/knowledge/ingest/write-edition.js';
import { createSearch } from '../../src/knowledge/search/search.js';

const LEASE = { ms: 600_000 };
/** Quality is measured here, so nobody is in a hurry. */
const PATIENCE_MS = 60_000;

export interface LibraryDocument {
  readonly name: string;
  readonly title: string;
  readonly pages: readonly ExtractedPage[];
}

export interface Asking {
  /** What was asked before in the same conversation. */
  readonly before?: readonly string[];
  /** Not even the nearest when nothing fits, as the service does it by default. */
  readonly onlyFitting?: boolean;
}

export type Ask = (query: string, topK: number, asking?: Asking) => Promise<readonly FoundPassage[]>;

export interface Library {
  /** Taken in like any document, once its text has been read; tells how many passages it has. */
  add(document: LibraryDocument): Promise<number>;
  ask: Ask;
  /** As where embeddings are off. */
  askByWords: Ask;
  close(): Promise<void>;
}

/** The service's own chunker, analyser, stores and search, over a SQLite file of their own; vectors if there is an embedder. */
export async function openLibrary(embedder?: Embedder): Promise<Library> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-retrieval-'));
  const target = { kind: 'sqlite', file: join(folder, 'bellwether.db') } as const;
  const db = await openDb(target);
  const reader = await openReaders(target);
  const stores = createStores(db, {
    filesFolder: join(folder, 'files'),
    documentsFolder: join(folder, 'documents'),
    attachmentsFolder: join(folder, 'attachments'),
    reader,
    catalogue: { placeholderOf: () => undefined },
  });
  const collection = await aCollection(stores);
  const analyser = createAnalyser();
  const askWith = (vectors: Embedder | undefined) => {
    const search = createSearch({
      ...{ passages: stores.passages, documents: stores.documents, log: SILENT },
      analyse: analyser.questionTerms,
      embedderFor: () => Promise.resolve(vectors),
      patienceMs: PATIENCE_MS,
    });
    return async (query: string, topK: number, { before = [], onlyFitting = false }: Asking = {}) => {
      const { signal } = new AbortController();
      const question = { query, before, topK, threshold: 0, keepWeak: !onlyFitting, signal };
      const { passages } = await search([collection], question);
      return passages;
    };
  };
  return {
    add: (document) => takeIn(document, collection.id, { stores, analyser, embedder }),
    ask: askWith(embedder),
    askByWords: askWith(undefined),
    async close() {
      await reader?.destroy();
      await db.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Stores = ReturnType<typeof createStores>;

const nothing = () => undefined;
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

async function aCollection({ organizations, users, collections }: Stores): Promise<Collection> {
  const organization = await organizations.create({ slug: 'bench', name: 'Bench', isSystem: true });
  const owner = await users.create({
    email: 'bench@example.org',
    name: 'Bench',
    organizationId: organization.id,
    role: 'creator',
    passwordHash: null,
  });
  return await collections.create(owner, { name: 'Bench', description: '', isShared: false });
}

async function takeIn(
  { name, title, pages }: LibraryDocument,
  collectionId: string,
  {
    stores: { documents, vectors },
    analyser,
    embedder,
  }: {
    readonly stores: Stores;
    readonly analyser: ReturnType<typeof createAnalyser>;
    readonly embedder: Embedder | undefined;
  },
): Promise<number> {
  const { text, parts } = splitDocument({ format: 'markdown', title, pages });
  const sha256 = createHash('sha256').update(name).update(text).digest('hex');
  const bytes = Buffer.byteLength(text);
  await documents.add(collectionId, {
    id: randomUUID(),
    filename: name,
    sourceUrl: undefined,
    bytes,
    sha256,
  });
  const work = await documents.claim(LEASE);
  const edition = work && (await documents.beginEdition(work));
  if (!work || edition === undefined) throw new Error(`${name} could not be taken in.`);
  const language = analyser.languageOf(text);
  const { signal } = new AbortController();
  const written = await writeEdition(
    edition,
    chunksOf(parts, (passage) => analyser.termsOf(passage, language), signal),
    documents,
    { signal, onWritten: nothing },
  );
  if (embedder) await embedEdition(edition, { vectors, embedder }, { signal, onMade: nothing });
  const facts = { format: 'markdown', pages: undefined, faults: [], embeddedWith: embedder?.model };
  await documents.publish(work, edition, { ...facts, language });
  return written;
}
