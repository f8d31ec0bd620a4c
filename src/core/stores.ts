import type { Visibility } from './access.js';
import type { Assistant, AssistantContent, AssistantType, PublishScope } from './assistant.js';
import type { AuditEntry } from './audit.js';
import type { Caller, Role } from './caller.js';
import type { Content } from './message.js';
import type { PromptTemplate, PromptTemplateContent } from './prompt-template.js';
import type { OwnFiles } from './run-context.js';
import type { RunRecord } from './run-record.js';

/** Times are ISO 8601 in UTC, as text: the same in every database and on the wire. */
export type Timestamp = string;

export interface PageRequest {
  readonly limit: number;
  /** What an earlier page gave as `nextCursor`. */
  readonly cursor?: string | undefined;
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}

export interface Organization {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}

export interface OrganizationStore {
  create(organization: {
    readonly slug: string;
    readonly name: string;
    readonly isSystem: boolean;
  }): Promise<Organization>;
  bySlug(slug: string): Promise<Organization | undefined>;
}

export interface User {
  readonly id: number;
  readonly organizationId: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly enabled: boolean;
  readonly passwordHash: string | null;
}

export interface UserStore {
  create(user: Omit<User, 'id' | 'enabled'>): Promise<User>;
  byId(id: number): Promise<User | undefined>;
  /** E-mails are compared without regard to case. */
  byEmail(email: string): Promise<User | undefined>;
  setPassword(id: number, passwordHash: string): Promise<void>;
  /** Another hash of the same password. Does nothing when the password was changed meanwhile. */
  renewPassword(id: number, hash: { readonly from: string; readonly to: string }): Promise<void>;
}

export interface ApiKey {
  readonly id: number;
  readonly name: string;
  /** The first characters, to tell keys apart. */
  readonly prefix: string;
  readonly trustedProxy: boolean;
  readonly expiresAt: Timestamp | null;
  readonly createdAt: Timestamp;
}

/** API keys and sessions. Only hashes are stored; a credential is shown once, when it is made. */
export interface CredentialStore {
  addKey(key: {
    readonly userId: number;
    readonly name: string;
    readonly prefix: string;
    readonly hash: string;
    readonly trustedProxy: boolean;
    readonly expiresAt: Timestamp | null;
  }): Promise<ApiKey>;
  listKeys(userId: number, page: PageRequest): Promise<Page<ApiKey>>;
  /** False when the user has no such key. */
  deleteKey(userId: number, id: number): Promise<boolean>;
  addSession(session: {
    readonly userId: number;
    readonly hash: string;
    readonly expiresAt: Timestamp;
  }): Promise<void>;
  deleteSession(hash: string): Promise<void>;
  /** The person behind a key or session that is neither expired nor its user's account disabled. */
  callerOf(hash: string, now: Timestamp): Promise<Caller | undefined>;
}

/** Without `metadata` the stored text stays as it is, byte for byte, readable or not. */
export type AssistantChange = Omit<AssistantContent, 'metadata'> & {
  readonly metadata?: AssistantContent['metadata'] | undefined;
};

export interface AssistantFilter {
  readonly type?: AssistantType | undefined;
  /** Found in name or description, whatever the case. */
  readonly q?: string | undefined;
  readonly owner?: string | undefined;
  readonly published?: boolean | undefined;
}

export interface AssistantStore {
  create(
    owner: { readonly id: number; readonly organizationId: number },
    content: AssistantContent,
  ): Promise<Assistant>;
  get(id: number): Promise<Assistant | undefined>;
  /** At most two: enough to know whether a name is unique among what the caller may see. */
  byName(name: string, visibleTo: Visibility): Promise<readonly Assistant[]>;
  list(visibleTo: Visibility, filter: AssistantFilter, page: PageRequest): Promise<Page<Assistant>>;
  /** Writes a new version. 'stale' when `expectedVersion` is no longer the newest. */
  replace(
    id: number,
    change: AssistantChange,
    by: { readonly userId: number; readonly expectedVersion: number },
  ): Promise<Assistant | 'stale' | undefined>;
  setPublished(
    id: number,
    published: boolean,
    scope: PublishScope,
    userId: number,
  ): Promise<Assistant | undefined>;
  /** Soft: the row and its versions stay. */
  delete(id: number): Promise<boolean>;
  share(id: number, userId: number, sharedBy: number): Promise<void>;
  unshare(id: number, userId: number): Promise<boolean>;
  isSharedWith(id: number, userId: number): Promise<boolean>;
}

export interface StoredMessage {
  readonly role: 'user' | 'assistant';
  readonly content: Content;
  readonly runId: string | null;
  /** An answer that was cut off: by the reader leaving, or by a fault. */
  readonly incomplete: boolean;
  readonly createdAt: Timestamp;
}

export interface Conversation {
  readonly id: string;
  readonly userId: number;
  readonly assistantId: number;
  readonly title: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** Every read and write names the user: a conversation of somebody else's does not exist. */
export interface ConversationStore {
  create(conversation: {
    readonly userId: number;
    readonly assistantId: number;
    readonly title: string;
  }): Promise<Conversation>;
  get(userId: number, id: string): Promise<Conversation | undefined>;
  list(userId: number, page: PageRequest): Promise<Page<Conversation>>;
  messages(userId: number, id: string): Promise<readonly StoredMessage[]>;
  append(userId: number, id: string, messages: readonly Omit<StoredMessage, 'createdAt'>[]): Promise<void>;
  delete(userId: number, id: string): Promise<boolean>;
}

export interface RunFilter {
  /** The runs of one user; undefined for all of the organisation's. */
  readonly userId?: number | undefined;
  readonly organizationId?: number | undefined;
}

export interface RunStore {
  /** The run, its steps and its ledger rows, all or none, safe on disk when the promise resolves. */
  record(run: RunRecord): Promise<void>;
  get(id: string): Promise<RunRecord | undefined>;
  list(filter: RunFilter, page: PageRequest): Promise<Page<RunRecord>>;
}

export interface AuditStore {
  record(entry: AuditEntry): Promise<void>;
}

export interface FileStore {
  ofOwner(userId: number): OwnFiles & { write(path: string, bytes: Uint8Array): Promise<void> };
}

export interface PromptTemplateStore {
  /** A conflict when the owner has one of this name. */
  create(
    owner: { readonly id: number; readonly organizationId: number },
    content: PromptTemplateContent,
  ): Promise<PromptTemplate>;
  get(id: number): Promise<PromptTemplate | undefined>;
  list(
    visibleTo: Visibility,
    filter: { readonly q?: string | undefined },
    page: PageRequest,
  ): Promise<Page<PromptTemplate>>;
  replace(id: number, content: PromptTemplateContent): Promise<PromptTemplate | undefined>;
  delete(id: number): Promise<boolean>;
}

export interface Stores {
  readonly organizations: OrganizationStore;
  readonly users: UserStore;
  readonly credentials: CredentialStore;
  readonly assistants: AssistantStore;
  readonly conversations: ConversationStore;
  readonly runs: RunStore;
  readonly audit: AuditStore;
  readonly files: FileStore;
  readonly promptTemplates: PromptTemplateStore;
}
