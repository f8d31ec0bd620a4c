import type { Timestamp } from '../base/ids.js';
import { oneLine } from '../base/text.js';
import type { DocumentFiles } from '../knowledge/stores.js';

const LONGEST_NAME = 200;

/** What a file is called from now on. */
export const attachmentName = (filename: string) => oneLine(filename, LONGEST_NAME) || 'file';

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
  /** Which of `READING_FAULTS` that is, where it is one. */
  readonly errorCode: string | null;
  /** The assistant whose picture it is, in one of its versions at least; it goes with it. */
  readonly assistantId: number | null;
  /** The first conversation that used it; it goes with it. */
  readonly conversationId: string | null;
  /** While it is read: until then it is left to whoever reads it. */
  readonly readingUntil: Timestamp | null;
  /** Of what was read in it, in characters and to a model; null for a picture. */
  readonly characters: number | null;
  readonly tokens: number | null;
  readonly createdAt: Timestamp;
}

export const ATTACHMENT_STATUSES = ['reading', 'ready', 'failed'] as const;
export type AttachmentStatus = (typeof ATTACHMENT_STATUSES)[number];

/** What sending it makes of it; the rest comes later. */
export type NewAttachment = Pick<
  Attachment,
  | 'id'
  | 'ownerId'
  | 'organizationId'
  | 'filename'
  | 'mediaType'
  | 'bytes'
  | 'sha256'
  | 'status'
  | 'readingUntil'
>;

export interface ReadText extends Pick<Attachment, 'mediaType'> {
  readonly text: string;
  readonly tokens: number;
}

/** Why there is no text. */
export interface Unread {
  readonly error: string;
  readonly errorCode: string | null;
}

export interface AttachmentStore {
  create(attachment: NewAttachment): Promise<Attachment>;
  get(id: string): Promise<Attachment | undefined>;
  /** Those of somebody that belong to no assistant. */
  ofOwner(ownerId: number, ids: readonly string[]): Promise<readonly Attachment[]>;
  /** One of somebody's that has the same bytes and name and no conversation yet. */
  same(sent: Pick<Attachment, 'ownerId' | 'sha256' | 'filename'>): Promise<Attachment | undefined>;
  /** How many bytes its owner has sent since then until this one, which counts as well, as far as they are kept. */
  bytesUntil(last: Attachment, since: Timestamp): Promise<number>;
  delete(id: string): Promise<void>;
  /** Has it left to somebody who reads it, unless it is somebody else's until later. */
  claim(id: string, until: Timestamp, now: Timestamp): Promise<boolean>;
  /** Whoever asks for it next reads it. */
  release(id: string, now: Timestamp): Promise<void>;
  finish(id: string, read: ReadText | Unread): Promise<void>;
  /** The beginning of what was read in each, of so many characters. */
  texts(wanted: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, string>>;
  /** Whether the conversation it belongs to came to nothing: then it is as good as unused. */
  isFree(attachment: Attachment): Promise<boolean>;
  /** Makes them this conversation's. A conflict, and nothing is changed, when one is another's. */
  bind(ids: readonly string[], conversationId: string): Promise<void>;
  /** Those of these ids that no attachment has. */
  unknown(ids: readonly string[]): Promise<readonly string[]>;
  /** Takes away those of before that belong to nothing. How many there were. */
  sweep(before: Timestamp): Promise<number>;
}

/** Their bytes, each under the id of its attachment. */
export type AttachmentFiles = Pick<
  DocumentFiles,
  'receive' | 'open' | 'withFile' | 'delete' | 'idsOlderThan'
>;

/** Bytes that are stored, and belong to nobody yet. */
export interface StoredAttachment extends Pick<Attachment, 'id' | 'bytes' | 'sha256'> {
  /** Undefined when they are no picture that is taken. */
  readonly mediaType: string | undefined;
}

/** What somebody may send. */
export interface AttachmentLimits {
  /** Of one file. */
  readonly bytes: number;
  readonly filesADay: number;
  readonly bytesADay: number;
}

/** The way in for attachments, wherever they come from. */
export interface AttachmentIntake {
  readonly limits: AttachmentLimits;
  store(bytes: AsyncIterable<Uint8Array>, maxBytes?: number): Promise<StoredAttachment>;
  /**
   * What is no picture is read from now on. Refuses, and takes away, what is more than somebody may send in a day; what an
   * assistant is made with is not counted.
   */
  keep(
    stored: StoredAttachment,
    facts: Pick<Attachment, 'filename' | 'ownerId' | 'organizationId'>,
    options?: { readonly isCounted: boolean },
  ): Promise<Attachment>;
  discard(stored: StoredAttachment): Promise<void>;
  /** As it is once it has been read, or after so long. */
  settled(
    attachment: Attachment,
    within: { readonly ms: number; readonly signal?: AbortSignal },
  ): Promise<Attachment>;
  /** What is being read is left to whoever asks for it next. */
  stop(): Promise<void>;
}
