import {
  type Attachment,
  type AttachmentFiles,
  type AttachmentIntake,
  type AttachmentLimits,
  attachmentName,
  type AttachmentStore,
} from '../core/attachments/attachment.js';
import { sentTooMuch } from '../core/attachments/refusals.js';
import { pictureFormat } from '../core/base/picture-format.js';
import { createReading, LEASE_MS, type ReadingDeps } from './reading.js';

/** A picture tells its kind and size before this, also a JPEG with a profile and a small copy of itself in front. */
const HEAD_BYTES = 256 * 1024;
const DAY_MS = 86_400_000;

const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);
/** Until it has been read. */
const UNKNOWN = 'application/octet-stream';

interface IntakeDeps extends ReadingDeps {
  readonly attachments: AttachmentStore;
  readonly attachmentFiles: AttachmentFiles;
  readonly limits: AttachmentLimits;
  /** Throws when somebody has sent as many files as they may in a day. */
  readonly countFile: (ownerId: number) => Promise<void>;
}

/** What a file is, its bytes say: neither its name nor the client is believed. */
export function createAttachmentIntake(deps: IntakeDeps): AttachmentIntake {
  const { attachments, attachmentFiles, limits, countFile } = deps;
  const reading = createReading(deps);

  /** Looked at once it stands there: of several at the same time none is overlooked. */
  const mayStay = async (kept: Attachment): Promise<void> => {
    const since = new Date(Date.now() - DAY_MS).toISOString();
    if ((await attachments.bytesUntil(kept, since)) <= limits.bytesADay) return;
    const most = String(Math.floor(limits.bytesADay / 2 ** 20));
    throw sentTooMuch(`You have sent files of ${most} MB in a day, which is the most. Try again tomorrow.`);
  };

  return {
    limits,
    settled: reading.settled,
    stop: reading.stop,

    async store(bytes, maxBytes = limits.bytes) {
      const head: Uint8Array[] = [];
      const stored = await attachmentFiles.receive(keepingHead(bytes, head), { maxBytes });
      const mediaType = pictureFormat(Buffer.concat(head))?.mediaType;
      return {
        ...stored,
        mediaType: mediaType !== undefined && PICTURES.has(mediaType) ? mediaType : undefined,
      };
    },

    async keep({ mediaType, ...stored }, facts, { isCounted } = { isCounted: true }) {
      try {
        if (isCounted) await countFile(facts.ownerId);
        const what =
          mediaType === undefined
            ? ({ mediaType: UNKNOWN, status: 'reading', readingUntil: untilLater() } as const)
            : ({ mediaType, status: 'ready', readingUntil: null } as const);
        const filename = attachmentName(facts.filename);
        const kept = await attachments.create({ ...stored, ...facts, filename, ...what });
        if (isCounted) await mayStay(kept);
        if (kept.status === 'reading') reading.begin(kept);
        return kept;
      } catch (fault) {
        await attachments.delete(stored.id);
        await attachmentFiles.delete([stored.id]);
        throw fault;
      }
    },

    discard: ({ id }) => attachmentFiles.delete([id]),
  };
}

const untilLater = () => new Date(Date.now() + LEASE_MS).toISOString();

async function* keepingHead(
  bytes: AsyncIterable<Uint8Array>,
  head: Uint8Array[],
): AsyncGenerator<Uint8Array> {
  let room = HEAD_BYTES;
  for await (const chunk of bytes) {
    if (room > 0) head.push(chunk.subarray(0, room));
    room -= chunk.length;
    yield chunk;
  }
}
