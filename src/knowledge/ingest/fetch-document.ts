import { extname } from 'node:path';
import { oneLine, safeLabel } from '../../core/base/text.js';
import { isStorageAway } from '../../core/blobs.js';
import { AppError, unsupportedMediaType, unusableAnswer } from '../../core/errors.js';
import type { ReadingFault } from '../../core/knowledge/reading-faults.js';
import type { DocumentFiles } from '../../core/knowledge/stores.js';
import { acceptsName, supportedExtensions } from '../extract/format.js';

export interface FetchedDocument {
  readonly filename: string;
  /** As the server declared it; a hint, not more. */
  readonly mediaType: string | undefined;
  readonly bytes: number;
  readonly sha256: string;
}

export interface FetchingDeps {
  /** Through the guard: refuses private addresses, whoever leads to them. */
  readonly fetch: typeof fetch;
  readonly documentFiles: Pick<DocumentFiles, 'receive'>;
  readonly limitBytes: number;
}

const WANTED = 'text/html, application/pdf, text/markdown, text/plain, text/csv, */*;q=0.5';

/** Brings what is at an address into the file of a document. What it throws is fit to be its error. */
export async function fetchDocument(
  { id, url }: { readonly id: string; readonly url: string },
  signal: AbortSignal,
  { fetch, documentFiles, limitBytes }: FetchingDeps,
): Promise<FetchedDocument> {
  try {
    const response = await fetch(url, { signal, headers: { accept: WANTED } });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      const { status } = response;
      throw unusableAnswer(`It answered with status ${String(status)}.`, { reason: reasonOfStatus(status) });
    }
    const { headers, body } = response;
    const { bytes, sha256 } = await documentFiles.receive(body, { maxBytes: limitBytes, id });
    const mediaType = headers.get('content-type') ?? undefined;
    return { filename: nameOfFetched(new URL(url), headers), mediaType, bytes, sha256 };
  } catch (fault) {
    throw inOurWords(fault, limitBytes);
  }
}

function inOurWords(fault: unknown, limitBytes: number): unknown {
  // What is wrong on our side says nothing of the address.
  if (!(fault instanceof AppError) || isStorageAway(fault)) return fault;
  const why =
    fault.status === 413
      ? `What it sends is larger than the ${String(limitBytes)} bytes this server takes (DOCUMENT_LIMIT).`
      : fault.message;
  const words = `The address could not be fetched. ${why}`;
  const reason = fault.reason ?? reasonOf(fault);
  return unusableAnswer(words, { reason });
}

/** For pages that say it in other languages. */
const reasonOf = ({ status }: AppError): ReadingFault =>
  status === 413 ? 'address_too_large' : status === 403 ? 'address_not_allowed' : 'address_unreachable';

function reasonOfStatus(status: number): ReadingFault {
  if (status === 404 || status === 410) return 'address_missing';
  return status === 401 || status === 403 ? 'address_closed' : 'address_fails';
}

const LONGEST = 200;

/** What servers say of what they send, for names that say nothing. */
const ENDING_OF_TYPE: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': '.pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
  'application/vnd.oasis.opendocument.text': '.odt',
  'application/vnd.oasis.opendocument.spreadsheet': '.ods',
  'application/vnd.oasis.opendocument.presentation': '.odp',
  'application/epub+zip': '.epub',
  'application/rtf': '.rtf',
  'text/rtf': '.rtf',
  'application/x-subrip': '.srt',
  'text/vtt': '.vtt',
  'text/html': '.html',
  'application/xhtml+xml': '.html',
  'text/markdown': '.md',
  'text/plain': '.txt',
  'text/csv': '.csv',
};

/** A name from anywhere as one short line that keeps its ending. */
export function documentName(name: string): string {
  const line = oneLine(name, Infinity);
  if (line.length <= LONGEST) return line;
  const ending = extname(line).slice(0, 20);
  return oneLine(line.slice(0, -ending.length || undefined), LONGEST - ending.length) + ending;
}

/** Refuses what nobody here could read. */
export function checkedName(name: string): void {
  if (acceptsName(name)) return;
  throw kindNotTaken(name, ` Supported are ${supportedExtensions.map((one) => `.${one}`).join(', ')}.`);
}

export function kindNotTaken(name: string, advice = ''): AppError {
  const message = `"${safeLabel(name)}" is not of a kind that can be taken in.${advice}`;
  return unsupportedMediaType(message, [{ path: 'file', message, code: KIND_NOT_TAKEN }]);
}

const KIND_NOT_TAKEN: ReadingFault = 'kind_not_taken';

/** Until more is known of it: the last part of its path, or the host. */
export function nameInAddress({ pathname, hostname }: URL): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? '';
  const name = documentName(decoded(last));
  return name === '' ? hostname : name;
}

/** A name whose ending tells what the bytes are: as the server calls them, else by its address and the type it gives. */
export function nameOfFetched(address: URL, headers: Headers): string {
  const given = documentName(nameInDisposition(headers.get('content-disposition') ?? ''));
  const name = given === '' ? nameInAddress(address) : given;
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const ending = ENDING_OF_TYPE[type];
  if (acceptsName(name) || ending === undefined) return name;
  return documentName(`${name}${ending}`);
}

/** Without folders: a server may say whatever it likes. */
function nameInDisposition(disposition: string): string {
  const encoded = /filename\*\s*=\s*utf-8'[^']*'([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition);
  const name = encoded === undefined ? (plain?.[1] ?? plain?.[2] ?? '') : decoded(encoded.trim());
  return name.split(/[/\\]/).at(-1) ?? '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
