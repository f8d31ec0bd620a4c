import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { AccessPolicy } from '../core/access/access.js';
import type { Caller } from '../core/access/caller.js';
import type { Assistant } from '../core/assistants/assistant.js';
import { AVATAR_MEDIA_TYPES, type Avatar, MOST_AVATAR_BYTES, pictureOf } from '../core/assistants/face.js';
import type {
  Attachment,
  AttachmentFiles,
  AttachmentIntake,
  AttachmentStore,
} from '../core/attachments/attachment.js';
import { safeLabel } from '../core/base/text.js';
import type { OpenBytes } from '../core/blobs.js';
import { badRequest, invalidFields } from '../core/errors.js';
import type { AssistantStore } from '../core/stores.js';

/** A picture as it travels in a bundle. */
export interface PackedPicture {
  readonly filename: string;
  /** In Base64. */
  readonly data: string;
}

/** The pictures of assistants: attachments that belong to one assistant each, in all of its versions. */
export interface Avatars {
  /** The avatar to store with an assistant. A picture of another one that the caller may edit is copied. */
  admit(
    avatar: Avatar | null,
    by: { readonly caller: Caller; readonly assistant: Pick<Assistant, 'id'> | undefined },
  ): Promise<Avatar | null>;
  /** One of its pictures: that of today, or another by its id. Undefined when it has no such picture. */
  find(assistant: Assistant, picture?: string): Promise<Attachment | undefined>;
  open(picture: Attachment): Promise<OpenBytes | undefined>;
  /** By its id; none when the assistant shows no picture. */
  pack(assistant: Assistant): Promise<Readonly<Record<string, PackedPicture>>>;
  /** The avatar with the picture out of a bundle, which is the caller's from now on. */
  unpack(
    avatar: Avatar | null,
    packed: Readonly<Record<string, PackedPicture>>,
    caller: Caller,
  ): Promise<Avatar | null>;
}

export interface AvatarDeps {
  readonly assistants: Pick<AssistantStore, 'get'>;
  readonly attachments: AttachmentStore;
  readonly attachmentFiles: AttachmentFiles;
  readonly attachmentIntake: AttachmentIntake;
  readonly policy: AccessPolicy;
}

export function createAvatars(deps: AvatarDeps): Avatars {
  const { assistants, attachments, attachmentFiles, attachmentIntake: intake, policy } = deps;

  const find: Avatars['find'] = async ({ id, avatar }, picture = pictureOf(avatar)) => {
    const found = picture === undefined ? undefined : await attachments.get(picture);
    return found?.assistantId === id ? found : undefined;
  };

  const mayCopy = async ({ assistantId, ownerId }: Attachment, caller: Caller): Promise<boolean> => {
    // One that was sent in a chat stays there.
    if (assistantId === null) return ownerId === caller.userId;
    const other = await assistants.get(assistantId);
    return other !== undefined && policy.mayEdit(caller, other).allowed;
  };

  /** As the caller's own, which belongs to nothing yet. */
  const keep = async (bytes: AsyncIterable<Uint8Array>, filename: string, caller: Caller) => {
    const { userId: ownerId, organizationId } = caller;
    const stored = await intake.store(bytes, MOST_AVATAR_BYTES);
    if (stored.mediaType === undefined) {
      await intake.discard(stored);
      throw badRequest(`"${safeLabel(filename)}" is no PNG, JPEG or WebP picture.`, 'attachments');
    }
    const { id } = await intake.keep(stored, { filename, ownerId, organizationId }, { isCounted: false });
    return { picture: id };
  };

  return {
    find,
    open: ({ id }) => attachmentFiles.open(id),

    async admit(avatar, { caller, assistant }) {
      const picture = pictureOf(avatar);
      if (picture === undefined) return avatar;
      const found = await attachments.get(picture);
      if (!found) throw refused(UNKNOWN);
      const fault = faultOf(found);
      if (found.assistantId !== null && found.assistantId === assistant?.id) return avatar;
      if (found.assistantId === null && found.ownerId === caller.userId) {
        if (fault !== undefined) throw refused(fault);
        if (found.conversationId === null) return avatar;
      }
      const bytes = (await mayCopy(found, caller)) ? await attachmentFiles.open(found.id) : undefined;
      if (!bytes) throw refused(UNKNOWN);
      return await keep(bytes.bytes(), found.filename, caller);
    },

    async pack(assistant) {
      const picture = await find(assistant);
      const bytes = picture && (await attachmentFiles.open(picture.id));
      if (!bytes) return {};
      const data = (await buffer(bytes.bytes())).toString('base64');
      return { [picture.id]: { filename: picture.filename, data } };
    },

    async unpack(avatar, packed, caller) {
      const picture = pictureOf(avatar);
      if (picture === undefined) return avatar;
      const carried = Object.hasOwn(packed, picture) ? packed[picture] : undefined;
      if (!carried) throw badRequest('The bundle does not hold the picture of its assistant.', 'attachments');
      return await keep(Readable.from([Buffer.from(carried.data, 'base64')]), carried.filename, caller);
    },
  };
}

const UNKNOWN = 'there is no such attachment. Upload the picture first, with POST /lamb/v1/attachments';

function faultOf({ mediaType, bytes, filename }: Attachment): string | undefined {
  if (!AVATAR_MEDIA_TYPES.includes(mediaType))
    return `"${filename}" is no picture; take a PNG, JPEG or WebP file`;
  if (bytes <= MOST_AVATAR_BYTES) return undefined;
  const [given, most] = [bytes, MOST_AVATAR_BYTES].map((size) => String(Math.ceil(size / 1024)));
  return `the picture has ${given ?? ''} KB, and an avatar may have ${most ?? ''} KB at the most; make it smaller`;
}

function refused(message: string): Error {
  const path = 'avatar.picture';
  return invalidFields(`This assistant cannot be saved: ${path}: ${message}.`, [{ path, message }]);
}
