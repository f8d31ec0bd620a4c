import type { ExtractedDocument, ExtractLimits, FileToExtract } from '../../core/knowledge/extracted.js';

/** What a process that reads a document is told, once. */
export interface ToReader {
  readonly file: FileToExtract;
  readonly limits: ExtractLimits;
}

/** What it says: how far it is, then one of the others. */
export type FromReader =
  | { readonly say: 'progress'; readonly percent: number }
  | { readonly say: 'done'; readonly document: ExtractedDocument }
  | { readonly say: 'refused'; readonly message: string }
  | { readonly say: 'failed' };
