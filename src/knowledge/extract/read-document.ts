import { readFile } from 'node:fs/promises';
import type {
  DocumentFormat,
  ExtractedDocument,
  ExtractLimits,
  FileToExtract,
  PictureWishes,
} from '../../core/knowledge/extracted.js';
import { isLight, type ReadFormat } from './format.js';
import { recognise } from './recognise.js';
import { hasNoText, hasTooMuchText } from './refusals.js';

/** Each brings packages of its own, and a document needs one of them. */
const READERS: Readonly<Record<DocumentFormat, () => Promise<ReadFormat>>> = {
  pdf: async () => (await import('./pdf/read.js')).readPdf,
  docx: async () => (await import('./office/docx.js')).readDocx,
  pptx: async () => (await import('./office/pptx.js')).readPptx,
  html: async () => (await import('./html.js')).readHtml,
  markdown: async () => (await import('./plain.js')).readMarkdown,
  text: async () => (await import('./plain.js')).readText,
  csv: async () => (await import('./tables/csv.js')).readCsv,
  xlsx: async () => (await import('./tables/xlsx.js')).readXlsx,
  odt: async () => (await import('./office/opendocument.js')).readOdt,
  ods: async () => (await import('./tables/ods.js')).readOds,
  odp: async () => (await import('./office/opendocument.js')).readOdp,
  epub: async () => (await import('./office/epub.js')).readEpub,
  rtf: async () => (await import('./office/rtf.js')).readRtf,
  srt: async () => (await import('./subtitles.js')).readSubtitles,
  vtt: async () => (await import('./subtitles.js')).readSubtitles,
  picture: async () => (await import('./ocr/picture.js')).readPicture,
};

interface ReadOptions extends PictureWishes {
  readonly limits: ExtractLimits;
  readonly onProgress: (percent: number) => void;
  readonly onScans?: (pages: number) => void;
  /** Leave what takes long to another process. */
  readonly onlyLight?: boolean;
}

/**
 * Reads a document in this very thread; undefined where it was left. Throws an AppError that says why it cannot be taken
 * in, or whatever broke.
 */
export async function readDocument(
  { path, filename, mediaType }: FileToExtract,
  { limits, onProgress, onScans = () => undefined, onlyLight = false, ocr, describe }: ReadOptions,
): Promise<ExtractedDocument | undefined> {
  const bytes = await readFile(path);
  const file = { path, filename, mediaType, bytes };
  const format = await recognise(file);
  if (onlyLight && !isLight(format)) return undefined;
  const read = await READERS[format]();
  onProgress(5);
  const { pages, ...facts } = await read({ file, limits, onProgress, onScans, ocr, describe });
  const withText = pages.filter(({ markdown }) => markdown.trim() !== '');
  if (withText.length === 0 && !facts.picture) throw hasNoText();
  const characters = withText.reduce((sum, { markdown }) => sum + markdown.length, 0);
  if (characters > limits.characters) throw hasTooMuchText(limits.characters);
  return { ...facts, pages: withText };
}
