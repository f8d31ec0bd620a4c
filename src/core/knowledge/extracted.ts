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
  | 'vtt'
  | 'picture';

export interface ExtractedPage {
  /** From 1: the page of a PDF, the slide of a presentation; undefined in formats without pages. */
  readonly page: number | undefined;
  readonly markdown: string;
  /** Absent where the text stands in the document as text. */
  readonly origin?: TextOrigin;
}

/** How a text came about that is in no document: by text recognition in a picture, or by a model that describes one. */
export type TextOrigin = 'recognised' | 'described';

/** A document as text. What text is in a page is Markdown; pages without text are left out. */
export interface ExtractedDocument {
  readonly format: DocumentFormat;
  readonly title: string | undefined;
  readonly pages: readonly ExtractedPage[];
  /** With the pages that have no text; undefined in formats without pages. */
  readonly pageCount: number | undefined;
  /** What could not be taken in of a document that otherwise could. */
  readonly faults: readonly PartFault[];
  /** Text recognition, which was not asked for, would find more. */
  readonly needsOcr?: boolean;
  /** Itself, small enough for a model to look at, where that was asked for. */
  readonly picture?: PictureToDescribe;
}

/** A JPEG. */
export interface PictureToDescribe {
  readonly bytes: Uint8Array;
}

/** Has pictures described by the model that an organisation has set for them. */
export interface PictureDescriber {
  /** Whether this organisation has one. */
  isSet(organizationId: number): Promise<boolean>;
  /** For the owner of the collection, in whose name it is on record and paid. */
  describe(picture: PictureToDescribe, facts: DescriptionFacts): Promise<string>;
}

export interface DescriptionFacts {
  readonly ownerId: number;
  /** ISO 639-1, in which it is to be described; undefined to leave that to the model. */
  readonly language: string | undefined;
  readonly signal: AbortSignal;
}

/** The languages of which there is text recognition, in ISO 639-1. */
export const OCR_LANGUAGES = ['en', 'es', 'ca', 'eu'] as const;
export type OcrLanguage = (typeof OCR_LANGUAGES)[number];

/** What is to be made of pictures. */
export interface PictureWishes {
  /** Read what is written in them, in one of these languages, the likeliest first; undefined to leave them. */
  readonly ocr?: readonly OcrLanguage[] | undefined;
  /** A model will describe them. */
  readonly describe?: boolean | undefined;
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
  options: PictureWishes & {
    readonly signal: AbortSignal;
    readonly onProgress: (percent: number) => void;
    /** From now on it is done by text recognition, which takes seconds a page. */
    readonly onScans?: (() => void) | undefined;
  },
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
  /** For text recognition on each page on top of that, and on all of them together. */
  readonly ocrSecondsAPage: number;
  readonly ocrSeconds: number;
}
