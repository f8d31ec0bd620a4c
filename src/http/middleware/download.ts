import { posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { OpenBytes } from '../../core/blobs.js';
import { notFound } from '../../core/errors.js';
import type { KnowledgeDocument } from '../../core/knowledge/document.js';

/** As something to be saved: whatever is in it, no browser takes it for a page of ours. */
const TO_BE_SAVED = {
  'Content-Type': 'application/octet-stream',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

/**
 * A PDF may be shown, so that it can be opened at a page. Viewers do not start in a sandbox; what runs inside a PDF runs
 * in theirs and knows nothing of our origin, and with its type fixed no browser takes it for a page of ours.
 */
const TO_BE_SHOWN = {
  'Content-Type': 'application/pdf',
  'Content-Security-Policy': "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'",
};

/** The original, byte for byte. What it is was found out by reading it, not by its name. */
export async function sendDocument(
  res: Response,
  { filename, format }: Pick<KnowledgeDocument, 'filename' | 'format'>,
  file: OpenBytes | undefined,
): Promise<void> {
  if (!file) throw notFound('The file');
  const isPdf = format === 'pdf';
  res.attachment(filename);
  if (isPdf)
    res.set('Content-Disposition', String(res.get('Content-Disposition')).replace(/^attachment/, 'inline'));
  res.set({
    ...(isPdf ? TO_BE_SHOWN : TO_BE_SAVED),
    'Content-Length': String(file.size),
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'private, no-store',
  });
  if (res.req.method === 'HEAD') {
    await file.close();
    res.end();
    return;
  }
  await pipeline(file.bytes(), res).catch((fault: unknown) => {
    // Somebody who left in the middle is no fault of ours.
    if ((fault as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw fault;
  });
}

const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.epub': 'application/epub+zip',
  '.gif': 'image/gif',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.odp': 'application/vnd.oasis.opendocument.presentation',
  '.ods': 'application/vnd.oasis.opendocument.spreadsheet',
  '.odt': 'application/vnd.oasis.opendocument.text',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.rtf': 'application/rtf',
  '.srt': 'application/x-subrip',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.vtt': 'text/vtt',
  '.webp': 'image/webp',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
};

/** What a file probably is, by its name: to be shown, never to be believed. */
export function typeGuess(path: string): string {
  return TYPES[posix.extname(path).toLowerCase()] ?? 'application/octet-stream';
}
