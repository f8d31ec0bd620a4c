import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import { createStores } from '../../../db/stores.js';
import type { Extract, ExtractedDocument } from '../../../src/core/knowledge/extracted.js';
import type { Collection } from '../../../src/core/knowledge/collection.js';
import type { Embedder } from '../../../src/core/knowledge/embedder.js';
import type { KnowledgeDocument } from '../../../src/core/knowledge/document.js';
import type { LogFacts } from '../../../src/core/log.js';
import type { Stores } from '../../../src/core/stores.js';
import {
  createIngestion,
  type Ingestion,
  type IngestionDeps,
} from '../../../src/knowledge/ingest/ingestion.js';
import type { TextPart } from '../../../src/knowledge/ingest/write-edition.js';
import { until } from '../../http/support/collection-client.js';
import { aCollection, find } from '../../db/knowledge/library.js';
import { catalogue } from '../../db/fixtures.js';

/** A library with real stores, in which the reading of documents is played by the test. */
export interface Workshop {
  /** Where the originals are. */
  readonly folder: string;
  readonly stores: Stores;
  readonly collection: Collection;
  readonly logged: readonly (LogFacts & { readonly msg: string })[];
  open(parts: Partial<IngestionDeps>): Ingestion;
  /** A document that waits; its reader is given this name. */
  add(filename: string, text?: string): Promise<KnowledgeDocument>;
  get(id: string): Promise<KnowledgeDocument>;
  settled(id: string): Promise<KnowledgeDocument>;
  /** Whoever is at a document has been silent for longer than they may. */
  letLeasesRunOut(): Promise<void>;
  found(words: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openWorkshop(db: Knex): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-documents-'));
  const stores = createStores(db, {
    ...{ filesFolder: 'unused', documentsFolder: folder, attachmentsFolder: 'unused' },
    catalogue,
  });
  const collection = await aCollection(stores);
  const opened: Ingestion[] = [];
  const logged: (LogFacts & { msg: string })[] = [];
  const keep = (facts: LogFacts, msg: string) => void logged.push({ ...facts, msg });
  const get = async (id: string) => {
    const document = await stores.documents.get(collection.id, id);
    if (!document) throw new Error('There is no such document.');
    return document;
  };

  return {
    ...{ folder, stores, collection, logged, get },
    open(parts) {
      const ingestion = createIngestion({
        ...stores,
        fetch: () => Promise.reject(new Error('Nothing is fetched here.')),
        limitBytes: 1_000,
        extract: reads('stomata let gases pass'),
        describer: {
          isSet: () => Promise.resolve(false),
          describe: () => Promise.reject(new Error('Nothing is described here.')),
        },
        split: (document) => Promise.resolve(splitByLines(document)),
        languageOf: () => 'en',
        termsOf: (text) => text.split(' '),
        embedderFor: () => Promise.resolve(undefined),
        log: { debug: keep, info: keep, warn: keep, error: keep },
        ...parts,
        pace: { beatMs: 5, ...parts.pace },
      });
      opened.push(ingestion);
      ingestion.start();
      return ingestion;
    },
    async add(filename, text = filename) {
      const stored = await stores.documentFiles.receive(Readable.from([Buffer.from(text)]), {
        maxBytes: 1_000,
      });
      const added = await stores.documents.add(collection.id, { ...stored, filename, sourceUrl: undefined });
      if (!added) throw new Error('There is no such collection.');
      return added.document;
    },
    settled: (id) =>
      until(
        () => get(id),
        ({ status }) => status === 'ready' || status === 'failed',
      ),
    async letLeasesRunOut() {
      await db('documents')
        .whereNotNull('lease_until')
        .update({ lease_until: new Date(0).toISOString() });
    },
    found: (words) => find(stores, [collection.id], words),
    async close() {
      await Promise.all(opened.map((ingestion) => ingestion.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Reads every document as one page of these lines. */
export function reads(markdown: string, more: Partial<ExtractedDocument> = {}): Extract {
  return () => Promise.resolve(aDocument(markdown, more));
}

function aDocument(markdown: string, more: Partial<ExtractedDocument> = {}): ExtractedDocument {
  return {
    ...{ format: 'markdown', title: undefined, pageCount: undefined, faults: [] },
    pages: [{ page: undefined, markdown }],
    ...more,
  };
}

/** A reader that says when it has been asked, and goes on when it is told to. */
export function gatedReader(markdown = 'stomata let gases pass') {
  let ask: (signal: AbortSignal) => void = () => undefined;
  const asked = new Promise<AbortSignal>((resolve) => (ask = resolve));
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const extract: Extract = async (_file, { signal }) => {
    ask(signal);
    await Promise.race([gate, aborted(signal)]);
    signal.throwIfAborted();
    return aDocument(markdown);
  };
  return { extract, asked, goOn };
}

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });

/** Vectors of one number; fails as long as it is told to. */
export function anEmbedder(model: string) {
  const state = { isDown: false, embedded: 0 };
  const embedder: Embedder = {
    model,
    embed(texts) {
      if (state.isDown) return Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7'));
      state.embedded += texts.length;
      return Promise.resolve(texts.map(() => Float32Array.of(1)));
    },
  };
  return { state, embedder, embedderFor: () => Promise.resolve(embedder) };
}

function splitByLines({ pages }: ExtractedDocument): { text: string; parts: Iterable<TextPart> } {
  const text = pages.map(({ markdown }) => markdown).join('\n');
  let start = 0;
  const parts = text.split('\n').map((line, i) => {
    const span = { page: undefined, start, end: start + line.length, text: line };
    start += line.length + 1;
    return { sections: [{ ...span, title: '' }], passages: [{ ...span, section: i, pageEnd: undefined }] };
  });
  return { text, parts };
}
