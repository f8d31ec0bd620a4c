import type { PartFault } from './document.js';

export type DocumentFormat =
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'odt'
  | 'ods'
  | 'odp'
  | 'epub'
  | 'rtf'
  | 'html'
  | 'markdown'
  | 'text'
  | 'csv'
  | 'srt'
  | 'vtt';

export interface ExtractedPage {
  /** From 1: the page of a PDF, the slide of a presentation; undefined in formats without pages. */
  readonly page: number | undefined;
  readonly markdown: string;
}

/** A document as text. What text is in a page is Markdown; pages without text are left out. */
export interface ExtractedDocument {
  readonly format: DocumentFormat;
  readonly title: string | undefined;
  readonly pages: readonly ExtractedPage[];
  /** With the pages that have no text; undefined in formats without pages. */
  readonly pageCount: number | undefined;
  /** What could not be taken in of a document that otherwise could. */
  readonly faults: readonly PartFault[];
}

export interface FileToExtract {
  readonly path: string;
  /** As its owner knows it. */
  readonly filename: string;
  /** As whoever sent it declared it, with or without a charset. */
  readonly mediaType?: string;
}

/** Reads a document. Rejects with an AppError when nothing of it can be taken in, and with the signal's reason. */
export type Extract = (
  file: FileToExtract,
  options: { readonly signal: AbortSignal; readonly onProgress: (percent: number) => void },
) => Promise<ExtractedDocument>;

/** How much of one document is taken in, and what reading it may cost. */
export interface ExtractLimits {
  readonly pages: number;
  /** Of text, in the whole document. */
  readonly characters: number;
  /** Of what is packed in an Office file or an e-book, once unpacked. */
  readonly unpackedBytes: number;
  /** Of the process that reads it. */
  readonly memoryMb: number;
  /** However small it is; larger files get more. */
  readonly seconds: number;
}
