import type {
  DocumentFormat,
  ExtractedDocument,
  ExtractLimits,
  PictureWishes,
} from '../../core/knowledge/extracted.js';

export interface FileBytes {
  readonly path: string;
  readonly bytes: Buffer;
  readonly filename: string;
  readonly mediaType: string | undefined;
}

/** What every reader of a format gets; `onProgress` takes per cent. */
export interface Reading extends PictureWishes {
  readonly file: FileBytes;
  readonly limits: ExtractLimits;
  readonly onProgress: (percent: number) => void;
  /** Text recognition begins, on so many pages: it takes longer than reading. */
  readonly onScans: (pages: number) => void;
}

/** Reads one format. */
export type ReadFormat = (reading: Reading) => Promise<ExtractedDocument>;

const FORMATS: ReadonlyMap<string, DocumentFormat> = new Map([
  ['pdf', 'pdf'],
  ['docx', 'docx'],
  ['pptx', 'pptx'],
  ['html', 'html'],
  ['htm', 'html'],
  ['xhtml', 'html'],
  ['md', 'markdown'],
  ['markdown', 'markdown'],
  ['txt', 'text'],
  ['text', 'text'],
  ['csv', 'csv'],
  ['tsv', 'csv'],
  ['xlsx', 'xlsx'],
  ['odt', 'odt'],
  ['ods', 'ods'],
  ['odp', 'odp'],
  ['epub', 'epub'],
  ['rtf', 'rtf'],
  ['srt', 'srt'],
  ['vtt', 'vtt'],
  ['png', 'picture'],
  ['jpg', 'picture'],
  ['jpeg', 'picture'],
  ['webp', 'picture'],
]);

/** Without their dot. */
export const supportedExtensions: readonly string[] = [...FORMATS.keys()];

/** Whether a file of this name may be one that can be read. What it really is shows in its bytes. */
export function acceptsName(filename: string): boolean {
  return formatOfName(filename) !== undefined;
}

/** The same without pictures: elsewhere most of them are ornaments. */
export function isTextDocument(filename: string): boolean {
  return acceptsName(filename) && formatOfName(filename) !== 'picture';
}

export function formatOfName(filename: string): DocumentFormat | undefined {
  return FORMATS.get(extensionOf(filename));
}

/** In lower case and without its dot; empty when there is none. */
export function extensionOf(filename: string): string {
  return /\.([^./\\]{1,20})$/.exec(filename)?.[1]?.toLowerCase() ?? '';
}

/** Read in a moment, without unpacking or drawing anything. */
export function isLight(format: DocumentFormat): boolean {
  return ['html', 'markdown', 'text', 'csv', 'rtf', 'srt', 'vtt'].includes(format);
}

/** By its name. */
export const isLightName = (filename: string) => lightExtensions.includes(extensionOf(filename));

export const lightExtensions: readonly string[] = [...FORMATS]
  .filter(([, format]) => isLight(format))
  .map(([extension]) => extension);
