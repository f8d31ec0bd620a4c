import type { Timestamp } from '../base/ids.js';
import type { DocumentFiles } from '../knowledge/stores.js';

/** A file that somebody has sent along. It is theirs alone, until it belongs to something that others see. */
export interface Attachment {
  readonly id: string;
  /** Whoever sent it; of the picture of an assistant, the assistant's owner. */
  readonly ownerId: number;
  readonly organizationId: number;
  readonly filename: string;
  /** As its bytes say. */
  readonly mediaType: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  readonly status: AttachmentStatus;
  /** Why it cannot be used, in words for people. */
  readonly error: string | null;
  /** The assistant whose picture it is, in one of its versions at least; it goes with it. */
  readonly assistantId: number | null;
  readonly createdAt: Timestamp;
}

export const ATTACHMENT_STATUSES = ['reading', 'ready', 'failed'] as const;
export type AttachmentStatus = (typeof ATTACHMENT_STATUSES)[number];

export interface AttachmentStore {
  create(attachment: Omit<Attachment, 'error' | 'assistantId' | 'createdAt'>): Promise<Attachment>;
  get(id: string): Promise<Attachment | undefined>;
  /** Those of these ids that no attachment has. */
  unknown(ids: readonly string[]): Promise<readonly string[]>;
  /** Takes away those of before that belong to nothing. How many there were. */
  sweep(before: Timestamp): Promise<number>;
}

/** Their bytes, each under the id of its attachment. */
export type AttachmentFiles = Pick<DocumentFiles, 'receive' | 'open' | 'delete' | 'idsOlderThan'>;

/** Bytes that are stored, and belong to nobody yet. */
export interface StoredAttachment extends Pick<Attachment, 'id' | 'bytes' | 'sha256'> {
  /** Undefined when they are of no kind that is taken. */
  readonly mediaType: string | undefined;
}

/** The way in for attachments, wherever they come from. */
export interface AttachmentIntake {
  store(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredAttachment>;
  /** Refuses, and takes away, what is of no kind that is taken. */
  keep(
    stored: StoredAttachment,
    facts: Pick<Attachment, 'filename' | 'ownerId' | 'organizationId'>,
  ): Promise<Attachment>;
  discard(stored: StoredAttachment): Promise<void>;
}
