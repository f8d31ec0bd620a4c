import yauzl from 'yauzl';
import { AppError, tooLarge } from '../../core/errors.js';
import { acceptsName, extensionOf } from '../extract/format.js';
import {
  holdsTooManyFiles,
  isArchiveInArchive,
  isDamaged,
  needsPassword,
  unpacksToTooMuch,
} from '../extract/refusals.js';
import { decodeText } from '../extract/text.js';
import { documentName, kindNotTaken } from './fetch-document.js';

export interface ArchiveLimits {
  /** Of each file in it, and of all of them. */
  readonly fileBytes: number;
  readonly bytes: number;
}

/** What of an archive was not taken, with a reason for its owner. */
export interface LeftOut {
  readonly filename: string;
  readonly message: string;
  /** Which reason that is, and the bound that was passed. */
  readonly code?: string;
  readonly bound?: number;
}

export function leftOutFor(filename: string, { message, reason, errors }: AppError): LeftOut {
  const { code = reason, bound } = errors?.[0] ?? {};
  return { filename, message, ...(code !== undefined && { code }), ...(bound !== undefined && { bound }) };
}

export interface ArchiveFile {
  /** With the folders it lies in, such as `unit-1/notes.md`; nothing that leads anywhere. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

const MOST_FILES = 5_000;
/** Text becomes a twentieth of its size, blanks a thousandth; small files do no harm either way. */
const MOST_RATIO = 200;
const SMALL_BYTES = 1_000_000;
/** What shows that an archive is a document itself: of Office, OpenDocument or an e-book, and of Apple's programs. */
const OF_DOCUMENTS = ['[Content_Types].xml', 'mimetype', 'Index/Document.iwa'];
/** What systems leave in folders, and people never see. */
const UNSEEN = /^(?:\..*|__MACOSX|Thumbs\.db|desktop\.ini)$/i;

/** What is wrong with one file is no reason to leave the others: too large, of no known kind, unreadable. */
const OF_THE_FILE = new Set([413, 415, 422]);

/**
 * Hands over the documents in a ZIP archive, one after the other and as a stream, so that none is ever whole in memory.
 * What cannot be read is left out with its reason, and the rest goes on. Undefined when the archive is a document itself.
 */
export async function unpackArchive(
  path: string,
  { fileBytes, bytes }: ArchiveLimits,
  take: (file: ArchiveFile) => Promise<void>,
): Promise<readonly LeftOut[] | undefined> {
  const zip = await yauzl
    .openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false })
    .catch(() => {
      throw isDamaged('archive');
    });
  const leftOut: LeftOut[] = [];
  const budget = { left: bytes };
  try {
    const entries = await entriesOf(zip);
    if (entries.some(({ name }) => OF_DOCUMENTS.includes(name))) return undefined;
    for (const { name, entry } of entries) {
      const filename = documentName(name);
      try {
        checkEntry(filename, entry, fileBytes);
        await take({ name: filename, bytes: contentOf(zip, entry, budget) });
      } catch (fault) {
        if (!(fault instanceof AppError) || !OF_THE_FILE.has(fault.status)) throw fault;
        leftOut.push(leftOutFor(filename, fault));
      }
    }
    return leftOut;
  } finally {
    zip.close();
  }
}

type Zip = Awaited<ReturnType<typeof yauzl.openPromise>>;

interface NamedEntry {
  readonly name: string;
  readonly entry: yauzl.Entry;
}

async function entriesOf(zip: Zip): Promise<NamedEntry[]> {
  const entries: NamedEntry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const name = safePath(decodeText(Buffer.from(entry.fileNameRaw)));
      if (name !== undefined) entries.push({ name, entry });
      if (entries.length > MOST_FILES) break;
    }
  } catch {
    throw isDamaged('archive');
  }
  if (entries.length > MOST_FILES) throw holdsTooManyFiles(MOST_FILES);
  return entries;
}

/** Undefined for folders and for what nobody put there. */
function safePath(raw: string): string | undefined {
  const path = raw.replaceAll('\\', '/');
  if (path.endsWith('/')) return undefined;
  const steps = path
    .split('/')
    .filter((step) => step !== '' && step !== '..' && step !== '.' && !/^[a-z]:$/i.test(step));
  return steps.length === 0 || steps.some((step) => UNSEEN.test(step)) ? undefined : steps.join('/');
}

function checkEntry(name: string, entry: yauzl.Entry, most: number): void {
  if (extensionOf(name) === 'zip') throw isArchiveInArchive();
  if (!acceptsName(name)) throw kindNotTaken(name);
  if (entry.isEncrypted()) throw needsPassword('file');
  const { uncompressedSize: size, compressedSize } = entry;
  if (size > most) {
    const message = `The file is larger than the ${String(most)} bytes this server takes (DOCUMENT_LIMIT).`;
    throw tooLarge(message, [{ path: 'file', message, code: 'too_large', bound: most }]);
  }
  if (size > SMALL_BYTES && size > MOST_RATIO * compressedSize) throw unpacksToTooMuch();
}

/** Whatever the archive says of its sizes, no more comes out than all of it may have. */
async function* contentOf(
  zip: Zip,
  entry: yauzl.Entry,
  budget: { left: number },
): AsyncGenerator<Uint8Array> {
  const stream = await zip.openReadStreamPromise(entry).catch(() => {
    throw isDamaged('file');
  });
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      budget.left -= chunk.length;
      if (budget.left < 0) throw unpacksToTooMuch();
      yield chunk;
    }
  } catch (fault) {
    throw fault instanceof AppError ? fault : isDamaged('file');
  }
}
