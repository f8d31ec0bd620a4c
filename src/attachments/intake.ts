import type { AttachmentFiles, AttachmentIntake, AttachmentStore } from '../core/attachments/attachment.js';
import { pictureFormat } from '../core/base/picture-format.js';
import { safeLabel } from '../core/base/text.js';
import { badRequest } from '../core/errors.js';

/** A picture tells its kind and size before this, also a JPEG with a profile and a small copy of itself in front. */
const HEAD_BYTES = 256 * 1024;

const ACCEPTED: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);
const IN_WORDS = 'PNG, JPEG or WebP';

interface IntakeDeps {
  readonly attachments: AttachmentStore;
  readonly attachmentFiles: AttachmentFiles;
}

/** What a file is, its bytes say: neither its name nor the client is believed. */
export function createAttachmentIntake({ attachments, attachmentFiles }: IntakeDeps): AttachmentIntake {
  return {
    async store(bytes, maxBytes) {
      const head: Uint8Array[] = [];
      const stored = await attachmentFiles.receive(keepingHead(bytes, head), { maxBytes });
      const mediaType = pictureFormat(Buffer.concat(head))?.mediaType;
      return {
        ...stored,
        mediaType: mediaType !== undefined && ACCEPTED.has(mediaType) ? mediaType : undefined,
      };
    },

    async keep({ mediaType, ...stored }, facts) {
      if (mediaType !== undefined)
        return attachments.create({ ...stored, ...facts, mediaType, status: 'ready' });
      await attachmentFiles.delete([stored.id]);
      throw badRequest(
        `"${safeLabel(facts.filename)}" is no ${IN_WORDS} picture. Others are not taken.`,
        'file',
      );
    },

    discard: ({ id }) => attachmentFiles.delete([id]),
  };
}

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
