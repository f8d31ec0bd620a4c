import type { Config } from './config.js';
import type { Logger } from './core/log.js';
import { createExtract } from './knowledge/extract/extract.js';
import { createIngestion, type Ingestion } from './knowledge/ingest/ingestion.js';
import type { House } from './services.js';

/** Takes documents in with what the house has. What only that needs is loaded with the first of them. */
export function openIngestion(
  { documentLimits }: Config,
  { stores, analyser, fetchDocuments, embedderFor }: House,
  log: Logger,
): Ingestion {
  return createIngestion({
    ...{ ...stores, log, embedderFor },
    fetch: fetchDocuments,
    limitBytes: documentLimits.bytes,
    extract: createExtract({ limits: { pages: documentLimits.pages } }),
    split: async (document) => {
      const { splitDocument } = await import('./knowledge/chunk/split-document.js');
      return splitDocument(document);
    },
    languageOf: (text) => analyser.languageOf(text),
    termsOf: (text, language) => analyser.termsOf(text, language),
  });
}
