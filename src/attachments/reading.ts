import { setTimeout as pause } from 'node:timers/promises';
import type {
  Attachment,
  AttachmentFiles,
  AttachmentStore,
  ReadText,
  Unread,
} from '../core/attachments/attachment.js';
import { isStorageAway } from '../core/blobs.js';
import { AppError } from '../core/errors.js';
import type { DocumentFormat, Extract, ExtractedDocument } from '../core/knowledge/extracted.js';
import type { ReadingFault } from '../core/knowledge/reading-faults.js';
import { errorLocation, type Logger } from '../core/log.js';

/** Longer than any file takes, and the wait for its turn: after that its reader has ended without a word. */
export const LEASE_MS = 600_000;
/** Each may take a processor and a gigabyte, beside whoever answers people. */
const READ_AT_ONCE = 2;
/** No assistant reads more of all its files together. */
const MOST_CHARACTERS = 1_000_000;
/** So often it is looked whether another process has read it. */
const LOOK_MS = 300;

const unread = (errorCode: ReadingFault, error: string) => ({ error, errorCode });
const AGAIN = unread('try_again', 'It could not be read just now. Send it again.');
const SCANNED = unread(
  'scan_in_chat',
  'No text was found in it, so it is probably scanned. Send its pages as pictures, or a file with text in it.',
);
const NOT_A_PICTURE = unread(
  'picture_in_chat',
  'It is a picture that cannot be shown. Send it as PNG, JPEG or WebP.',
);

const MEDIA_TYPES: Readonly<Record<DocumentFormat, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  rtf: 'application/rtf',
  html: 'text/html',
  markdown: 'text/markdown',
  text: 'text/plain',
  csv: 'text/csv',
  srt: 'application/x-subrip',
  vtt: 'text/vtt',
  picture: 'image/*',
};

export interface ReadingDeps {
  readonly attachments: AttachmentStore;
  readonly attachmentFiles: AttachmentFiles;
  readonly extract: Extract;
  readonly countTokens: (text: string) => Promise<number>;
  readonly log: Logger;
}

/** Reads what was sent along, once. A process that ends in the middle leaves it to whoever asks for it later. */
export function createReading(deps: ReadingDeps) {
  const { attachments, attachmentFiles, log } = deps;
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  const inTurn = takingTurns(READ_AT_ONCE);

  const read = async (attachment: Attachment): Promise<void> => {
    const { id } = attachment;
    try {
      const outcome = await textIn(attachment, stopping.signal, deps).catch(asFailure(stopping.signal, log));
      await attachments.finish(id, outcome);
      // Nobody reads it again.
      if ('error' in outcome) await attachmentFiles.delete([id]);
    } catch (fault) {
      if (!stopping.signal.aborted) log.error({ fault: errorLocation(fault) }, 'an attachment was not read');
      await attachments.release(id, new Date().toISOString()).catch(() => undefined);
    }
  };
  const begin = (attachment: Attachment): Promise<void> => {
    const { id } = attachment;
    const reading = inTurn(() => read(attachment)).finally(() => underWay.delete(id));
    underWay.set(id, reading);
    return reading;
  };
  /** Where whoever began has ended, it is begun anew. */
  const takenOver = async (attachment: Attachment): Promise<Promise<void> | undefined> => {
    const at = Date.now();
    const [now, until] = [at, at + LEASE_MS].map((ms) => new Date(ms).toISOString()) as [string, string];
    if ((attachment.readingUntil ?? '') > now) return undefined;
    return (await attachments.claim(attachment.id, until, now)) ? begin(attachment) : undefined;
  };

  return {
    begin(attachment: Attachment): void {
      void begin(attachment);
    },

    async settled(
      attachment: Attachment,
      { ms, signal }: { readonly ms: number; readonly signal?: AbortSignal },
    ): Promise<Attachment> {
      const until = Date.now() + ms;
      for (let found = attachment; ;) {
        const left = until - Date.now();
        if (found.status !== 'reading' || left <= 0) return found;
        const reading = underWay.get(found.id) ?? (await takenOver(found));
        const options = { ref: false, ...(signal ? { signal } : {}) };
        const over = pause(reading ? left : Math.min(left, LOOK_MS), undefined, options);
        await Promise.race([over, ...(reading ? [reading] : [])]);
        found = (await attachments.get(found.id)) ?? { ...found, status: 'failed', ...AGAIN };
      }
    },

    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(underWay.values());
    },
  };
}

async function textIn(
  { id, filename }: Attachment,
  signal: AbortSignal,
  { attachmentFiles, extract, countTokens }: ReadingDeps,
): Promise<ReadText> {
  signal.throwIfAborted();
  const onProgress = () => undefined;
  const document = await attachmentFiles.withFile(id, (path) =>
    extract({ path, filename }, { signal, onProgress }),
  );
  const text = wholeText(document).slice(0, MOST_CHARACTERS);
  return { text, tokens: await countTokens(text), mediaType: MEDIA_TYPES[document.format] };
}

function wholeText({ pages, pageCount }: ExtractedDocument): string {
  return pages
    .map(({ page, markdown }) =>
      page === undefined || (pageCount ?? 0) < 2 ? markdown : `[page ${String(page)}]\n${markdown}`,
    )
    .join('\n\n');
}

/** What is wrong with a file is its sender's to know; the rest is ours. */
const asFailure =
  (stopping: AbortSignal, log: Logger) =>
  (fault: unknown): Unread => {
    stopping.throwIfAborted();
    if (fault instanceof AppError && !isStorageAway(fault)) return inOurWords(fault);
    log.warn({ fault: errorLocation(fault) }, 'an attachment could not be read');
    return AGAIN;
  };

/** A chat has no settings of a collection, which the readers speak of. */
function inOurWords({ message, param, reason }: AppError): Unread {
  if (param !== 'ocr') return { error: message, errorCode: reason ?? null };
  return reason === 'picture' ? NOT_A_PICTURE : SCANNED;
}

function takingTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
