import type { Page, PageRequest, Timestamp } from '../base/ids.js';
import type { Assistant, AssistantContent, PublishScope } from './assistant.js';

/** One immutable version of an assistant, without its content. */
export interface VersionFacts {
  readonly version: number;
  /** The author's e-mail. */
  readonly author: string;
  readonly createdAt: Timestamp;
  readonly contentHash: string;
}

export interface AssistantVersion extends VersionFacts, Omit<AssistantContent, 'metadata'> {
  /** The very text that was stored, readable or not. */
  readonly metadataText: string | null;
  /** Undefined when that text is no JSON object. */
  readonly metadata: AssistantContent['metadata'] | undefined;
  readonly published: boolean;
  readonly publishScope: PublishScope;
  readonly enabled: boolean;
}

/** Metadata as stored, and in canonical form. */
export interface Conversion {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  /** The keys whose values differ; empty when it is canonical already. */
  readonly changed: readonly string[];
}

export interface Converted extends Conversion {
  readonly assistant: Assistant;
  /** The newest version before; the same as the assistant's when nothing was written. */
  readonly fromVersion: number;
}

export interface DeletedAssistant extends Assistant {
  readonly deletedAt: Timestamp;
}

export interface AssistantHistory {
  versions(id: number, page: PageRequest): Promise<Page<VersionFacts>>;
  version(id: number, version: number): Promise<AssistantVersion | undefined>;
  /** The assistant with what it said then; whose it is and who may use it are as they are now. */
  atVersion(id: number, version: number): Promise<Assistant | undefined>;
  /**
   * Makes an old version's content, its metadata to the byte, the newest. Who may use the assistant stays as it is, and
   * so does whether its scenarios run every night.
   */
  restoreVersion(
    id: number,
    version: number,
    by: { readonly userId: number; readonly expectedVersion: number },
  ): Promise<Assistant | 'stale' | undefined>;
  /** Stores the canonical form as a new version, once however many ask at once. Throws when it cannot be read. */
  convert(
    id: number,
    by: { readonly userId: number; readonly dryRun?: boolean },
  ): Promise<Converted | undefined>;
  deletedOf(ownerId: number, page: PageRequest): Promise<Page<DeletedAssistant>>;
  getDeleted(id: number): Promise<DeletedAssistant | undefined>;
  /** Undoes a deletion: shares, publication and versions are as they were. */
  undelete(id: number): Promise<Assistant | undefined>;
}

/** Somebody an assistant is shared with. */
export interface Share {
  readonly email: string;
  readonly name: string;
  readonly createdAt: Timestamp;
}

export interface AssistantSharing {
  share(id: number, userId: number, sharedBy: number): Promise<void>;
  unshare(id: number, userId: number): Promise<boolean>;
  isSharedWith(id: number, userId: number): Promise<boolean>;
  /** Whether anybody but those who may edit it can come to it: by publication, share, link or activity. */
  isReachable(id: number): Promise<boolean>;
  /** With how many people each is shared; one that is shared with nobody is not among them. */
  shareCounts(ids: readonly number[]): Promise<ReadonlyMap<number, number>>;
  shares(id: number, page: PageRequest): Promise<Page<Share>>;
}
