import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../src/core/errors.js';
import type { ExtractedDocument, ExtractLimits, PictureWishes } from '../../src/core/knowledge/extracted.js';
import { readDocument } from '../../src/knowledge/extract/read-document.js';

export const LIMITS: ExtractLimits = {
  pages: 500,
  characters: 20_000_000,
  unpackedBytes: 200_000_000,
  memoryMb: 1_024,
  seconds: 60,
  ocrSecondsAPage: 60,
  ocrSeconds: 600,
};

/** Hands `use` the path of a file with these bytes, which is gone afterwards. */
export async function withFile<T>(bytes: string | Uint8Array, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-document-'));
  try {
    const path = join(folder, 'original');
    await writeFile(path, bytes);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What a document of this name is read as, in this very process. */
export async function extracted(
  filename: string,
  bytes: string | Uint8Array,
  {
    mediaType,
    ocr,
    describe,
    ...limits
  }: Partial<ExtractLimits> & PictureWishes & { readonly mediaType?: string } = {},
): Promise<ExtractedDocument> {
  const named = mediaType === undefined ? { filename } : { filename, mediaType };
  const document = await withFile(bytes, (path) =>
    readDocument(
      { path, ...named },
      { limits: { ...LIMITS, ...limits }, onProgress: () => undefined, ocr, describe },
    ),
  );
  if (!document) throw new Error('The document was left.');
  return document;
}

/** All its pages as one text. */
export async function markdownOf(
  filename: string,
  bytes: string | Uint8Array,
  mediaType?: string,
): Promise<string> {
  const { pages } = await extracted(filename, bytes, mediaType === undefined ? {} : { mediaType });
  return pages.map(({ markdown }) => markdown).join('\n\n');
}

/** The sentence with which a document is refused; fails when it is not, or not in words that may be shown. */
export async function refusalOf(reading: Promise<unknown>): Promise<string> {
  const fault: unknown = await reading.then(
    () => new Error('It was not refused.'),
    (thrown: unknown) => thrown,
  );
  if (!(fault instanceof AppError) || fault.code !== 'unreadable_document') throw fault;
  if (/[/\\]|\.js\b|Error/.test(fault.message)) throw new Error(`It tells of our insides: ${fault.message}`);
  return fault.message;
}
