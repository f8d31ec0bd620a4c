import type { DocumentFormat } from '../../core/knowledge/extracted.js';
import { extensionOf, type FileBytes, formatOfName } from './format.js';
import { cannotBeRead, isCalledOtherwise, isEmpty, needsPassword } from './refusals.js';
import { bySignature, insideOle, isOle, isReadablePicture, type Seen } from './signatures.js';
import { decodeText, looksLikeText } from './text.js';

const IN_WORDS: Readonly<Record<DocumentFormat, string>> = {
  pdf: 'a PDF',
  docx: 'a Word document (.docx)',
  pptx: 'a PowerPoint presentation (.pptx)',
  html: 'a web page',
  markdown: 'text',
  text: 'text',
  csv: 'text',
  xlsx: 'an Excel workbook (.xlsx)',
  odt: 'an OpenDocument text (.odt)',
  ods: 'an OpenDocument spreadsheet (.ods)',
  odp: 'an OpenDocument presentation (.odp)',
  epub: 'an e-book (.epub)',
  rtf: 'an RTF document (.rtf)',
  srt: 'subtitles (.srt)',
  vtt: 'subtitles (.vtt)',
  picture: 'a picture',
};

/** Packed in a ZIP archive. */
type Packed = 'docx' | 'pptx' | 'xlsx' | 'odt' | 'ods' | 'odp' | 'epub';

/** What shows in the bytes alone, and is never plain text. */
const BINARY: readonly DocumentFormat[] = [
  ...(['pdf', 'docx', 'pptx', 'xlsx', 'odt', 'ods', 'odp', 'epub', 'rtf', 'picture'] as const),
];

/** What a file is: by its bytes first, then by its name. Refuses what cannot be read and what its name belies. */
export async function recognise(file: FileBytes): Promise<DocumentFormat> {
  const { bytes, filename } = file;
  const named = formatOfName(filename);
  const seen = await byBytes(file);
  if (seen !== 'text') {
    if (named !== undefined && named !== seen) throw isCalledOtherwise(extensionOf(filename), IN_WORDS[seen]);
    return seen;
  }
  const isPage = isWebPage(bytes);
  if (named !== undefined && BINARY.includes(named)) {
    throw isCalledOtherwise(extensionOf(filename), isPage ? 'a web page' : 'text');
  }
  if (isPage) return 'html';
  if (isWebVtt(bytes)) return 'vtt';
  return named ?? byMediaType(file.mediaType) ?? 'text';
}

/** `text` for all that only its name tells apart. */
async function byBytes({
  path,
  bytes,
  filename,
}: FileBytes): Promise<'pdf' | 'rtf' | 'picture' | Packed | 'text'> {
  if (bytes.length === 0) throw isEmpty();
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (isOle(bytes)) {
    const inside = insideOle(bytes);
    throw inside === 'protected' ? needsPassword('Office file') : refuse(inside, filename);
  }
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\x03\x04') {
    const inside = await insideZip(path);
    if (typeof inside === 'string') return inside;
    throw refuse(inside, filename);
  }
  if (bytes.subarray(0, 5).toString('latin1') === '{\\rtf') return 'rtf';
  if (isReadablePicture(bytes)) return 'picture';
  const signed = bySignature(bytes);
  if (signed) throw refuse(signed, filename);
  if (looksLikeText(bytes)) return 'text';
  throw refuse(BYTES, filename);
}

const BYTES: Seen = {
  seems: 'neither text nor a document of a known kind',
  advice: 'Save it as PDF, .docx, .pptx, .xlsx, .html, .md, .txt or .csv.',
};

function refuse(seen: Seen, filename: string): Error {
  const named = formatOfName(filename);
  return named === undefined
    ? cannotBeRead(seen.seems, seen.advice)
    : cannotBeRead(`${seen.seems}, although it is called .${extensionOf(filename)}`, seen.advice);
}

/** What an Office file says its main part is. */
const MAIN_PARTS: readonly (readonly [RegExp, Packed | Seen])[] = [
  [/wordprocessingml\.(?:document|template)\.main|ms-word\.(?:document|template)\.macro/i, 'docx'],
  [
    /presentationml\.(?:presentation|slideshow|template)\.main|ms-powerpoint\.(?:presentation|slideshow|template)\.macro/i,
    'pptx',
  ],
  [/spreadsheetml\.(?:sheet|template)\.main|ms-excel\.(?:sheet|template)\.macro/i, 'xlsx'],
  // Of which a workbook that is none may speak, too: some programs list all kinds of parts.
  [/ms-excel\.sheet\.binary/i, { seems: 'a binary Excel workbook (.xlsb)', advice: 'Save it as .xlsx.' }],
];

/** What other packages say of themselves. */
const MIME_TYPES: readonly (readonly [RegExp, Packed | Seen])[] = [
  [/opendocument\.presentation/, 'odp'],
  [/opendocument\.spreadsheet/, 'ods'],
  [/opendocument\.text/, 'odt'],
  [/opendocument/, { seems: 'an OpenDocument drawing or formula', advice: 'Save it as PDF.' }],
  [/epub/, 'epub'],
];

const ZIP: Seen = { seems: 'a ZIP archive', advice: 'Unpack it and upload the documents in it.' };

/** Enough for what tells of the contents, and far too little to do harm. */
const MOST_BYTES = 4_000_000;

async function insideZip(path: string): Promise<Packed | Seen> {
  // It brings two packages, which nothing but a packed file needs.
  const { openZip } = await import('./office/office-zip.js');
  const zip = await openZip(path, { most: MOST_BYTES, what: 'file' });
  try {
    const textOf = async (name: string) => (zip.has(name) ? (await zip.read(name)).toString('latin1') : '');
    const types = await textOf('[Content_Types].xml');
    const main = MAIN_PARTS.find(([pattern]) => pattern.test(types));
    if (main) return main[1];
    const kind = await textOf('mimetype');
    const other = MIME_TYPES.find(([pattern]) => pattern.test(kind));
    if (other) return other[1];
    return zip.has('Index/Document.iwa')
      ? { seems: 'an Apple Pages or Keynote document', advice: 'Export it as .docx, .pptx or PDF.' }
      : ZIP;
  } finally {
    zip.close();
  }
}

function isWebPage(bytes: Buffer): boolean {
  const head = decodeText(bytes.subarray(0, 2_048));
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)*(?:<!doctype html|<html[\s>])/i.test(head);
}

function isWebVtt(bytes: Buffer): boolean {
  return /^WEBVTT(?:[ \t\r\n]|$)/.test(decodeText(bytes.subarray(0, 64)).replace(/^\uFEFF/, ''));
}

function byMediaType(mediaType = ''): DocumentFormat | undefined {
  const type = mediaType.split(';')[0]?.trim().toLowerCase();
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type === 'text/markdown' || type === 'text/x-markdown') return 'markdown';
  if (type === 'text/csv' || type === 'text/tab-separated-values') return 'csv';
  if (type === 'text/vtt' || type === 'application/x-subrip') return 'vtt';
  return undefined;
}
