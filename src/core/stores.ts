import type { HandoverStore } from './runs/handover.js';
import type { Visibility } from './access/access.js';
import type { Caller, Role } from './access/caller.js';
import type { InvitationStore } from './access/invitation.js';
import type { LinkStore } from './access/link.js';
import type { OAuthGrantStore } from './access/oauth-grant.js';
import type { RateLimitStore } from './access/rate-limit.js';
import type { SecretKeyStore } from './access/secret-key.js';
import type { Assistant, AssistantContent, AssistantType, PublishScope } from './assistants/assistant.js';
import type { AttachmentFiles, AttachmentStore } from './attachments/attachment.js';
import type { AssistantHistory, AssistantSharing } from './assistants/history.js';
import type { PromptTemplate, PromptTemplateContent } from './assistants/prompt-template.js';
import type { TemplateStore } from './assistants/template.js';
import type { Page, PageRequest, Timestamp } from './base/ids.js';
import type { JsonRecord } from './base/json.js';
import type { BudgetStore } from './budgets/budget.js';
import type { FileStore } from './files.js';
import type { GradingQueue, SubmissionStore } from './grading/submission.js';
import type { TestQuestionStore, VainQuestionStore } from './knowledge/questions.js';
import type { SourceStore } from './knowledge/source.js';
import type {
  CollectionStore,
  DocumentFiles,
  DocumentStore,
  PassageIndex,
  VectorStore,
} from './knowledge/stores.js';
import type { AnnotationStore } from './assistants/annotation.js';
import type { AssistantInsightStore } from './assistants/insight.js';
import type { ActivityInsightStore } from './lti/activity-insight.js';
import type { ActivityStore, ParticipantStore } from './lti/activity.js';
import type { ErasureStore } from './lti/erasure.js';
import type { LaunchStore, LtiKeyStore, LtiPersonStore, TicketStore } from './lti/launch-stores.js';
import type { PlatformStore } from './lti/platform.js';
import type { RubricContent, StoredRubric } from './rubrics/rubric.js';
import type { ConversationStore } from './runs/conversation.js';
import type { ApprovalStore, AuditStore, FeedbackStore, RunMonthStore, RunStore } from './runs/stores.js';
import type { RunFrameStore } from './runs/run-frames.js';
import type { RunNoteStore } from './runs/under-way.js';
import type { UsageStore } from './runs/usage.js';
import type { ScenarioStore } from './scenarios/scenario.js';
import type { CassetteStore, PassStore, SuiteRunStore, VerdictStore } from './scenarios/suite-run.js';

export type {
  Conversation,
  ConversationChange,
  ConversationFilter,
  ConversationStore,
  ListedConversation,
  NewMessage,
  Speaker,
  StoredMessage,
} from './runs/conversation.js';
export type { FileStore } from './files.js';
export type { Page, PageRequest, Timestamp } from './base/ids.js';
export type { ApprovalStore, AuditStore, OpenApproval, RunFilter, RunStore } from './runs/stores.js';

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
    /** With its secrets sealed. */
    readonly config?: JsonRecord;
  }): Promise<Organization>;
  bySlug(slug: string): Promise<Organization | undefined>;
  byId(id: number): Promise<Organization | undefined>;
  list(filter: { readonly q?: string | undefined }, page: PageRequest): Promise<Page<Organization>>;
  update(id: number, change: { readonly name?: string | undefined }): Promise<Organization | undefined>;
  /** With its configuration as stored, which is sealed. One that cannot be read counts as empty. */
  withConfig(id: number): Promise<OrganizationWithConfig | undefined>;
  /** Changes the configuration as it is at that moment: of two who write at once, neither works on an old one. */
  changeConfig(
    id: number,
    change: (stored: JsonRecord) => JsonRecord,
  ): Promise<{ readonly before: JsonRecord; readonly after: JsonRecord } | undefined>;
}

export interface OrganizationWithConfig extends Organization {
  readonly config: JsonRecord;
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
  emails(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Which of these addresses are those of people of an organisation. */
  emailsIn(organizationId: number, emails: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  /** E-mails are compared without regard to case. */
  byEmail(email: string): Promise<User | undefined>;
  setPassword(id: number, passwordHash: string): Promise<void>;
  /** Another hash of the same password. Does nothing when the password was changed meanwhile. */
  renewPassword(id: number, hash: { readonly from: string; readonly to: string }): Promise<void>;
  /** Without those whom platforms launch or links bring: they are not accounts that anybody looks after. */
  list(filter: UserFilter, page: PageRequest): Promise<Page<User>>;
  /**
   * A new password, and an account switched off, end the user's sessions and connected programs. There is always somebody left who
   * administers the whole: 'last administrator' when this would be the end of it.
   */
  update(id: number, change: UserChange): Promise<User | 'last administrator' | undefined>;
}

export interface UserFilter {
  readonly organizationId?: number | undefined;
  /** Found in name or e-mail, whatever the case. */
  readonly q?: string | undefined;
}

export interface UserChange {
  readonly name?: string | undefined;
  readonly passwordHash?: string | undefined;
  readonly role?: Role | undefined;
  readonly enabled?: boolean | undefined;
  /** The one session that goes on when the password changes: that of whoever changes it. */
  readonly keptSession?: string | undefined;
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

/** A caller as their key or session names them. */
export interface CredentialHolder extends Caller {
  /** Whether they speak for people whom their requests name. */
  readonly trustedProxy: boolean;
  /** From then on the credential is worth nothing; null for one without end. */
  readonly expiresAt: Timestamp | null;
}

/** API keys, sessions, access tokens of programs, and whom launches brought. Only hashes are stored; a credential is shown once, when it is made. */
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
  /** Whose key it is. */
  keyHolder(id: number): Promise<number | undefined>;
  /** False when the user has no such key. */
  deleteKey(userId: number, id: number): Promise<boolean>;
  addSession(session: {
    readonly userId: number;
    readonly hash: string;
    readonly expiresAt: Timestamp;
  }): Promise<void>;
  deleteSession(hash: string): Promise<void>;
  /** The person behind a key, a session, an access token or a launch that is neither expired nor its user's account disabled. */
  callerOf(hash: string, now: Timestamp): Promise<CredentialHolder | undefined>;
}

/** Without `metadata` the stored text stays as it is, byte for byte, readable or not. */
export type AssistantChange = Omit<AssistantContent, 'metadata'> & {
  readonly metadata?: AssistantContent['metadata'] | undefined;
};

export interface AssistantFilter {
  readonly type?: AssistantType | undefined;
  /** Found in name, description or tags, whatever the case. */
  readonly q?: string | undefined;
  /** One of its tags, whatever the case. */
  readonly tag?: string | undefined;
  readonly owner?: string | undefined;
  readonly published?: boolean | undefined;
  readonly enabled?: boolean | undefined;
  /** By name, with this user. */
  readonly sharedWith?: number | undefined;
  /** Of this owner, or with questions to begin with. */
  readonly ownOrStarting?: number | undefined;
}

/** What a list of models shows of an assistant. */
export interface ListedModel extends Pick<Assistant, 'id' | 'name' | 'description' | 'createdAt'> {
  readonly vision: boolean;
  /** Whether those who may only chat are served another version than the newest. */
  readonly isGated: boolean;
}

/** What a record that outlives an assistant shows of it. */
export interface NamedAssistant extends Pick<Assistant, 'id' | 'name' | 'ownerId'> {
  readonly isDeleted: boolean;
}

export interface AssistantStore extends AssistantHistory, AssistantSharing {
  create(
    owner: { readonly id: number; readonly organizationId: number },
    content: AssistantContent,
  ): Promise<Assistant>;
  get(id: number): Promise<Assistant | undefined>;
  /** At most two: enough to know whether a name is unique among what the caller may see. */
  byName(name: string, visibleTo: Visibility): Promise<readonly Assistant[]>;
  list(visibleTo: Visibility, filter: AssistantFilter, page: PageRequest): Promise<Page<Assistant>>;
  /** Deleted ones too, whoever may see them. */
  named(ids: readonly number[]): Promise<ReadonlyMap<number, NamedAssistant>>;
  /** How many `list` would find. */
  count(visibleTo: Visibility): Promise<number>;
  countOwned(ownerId: number): Promise<number>;
  /** All that are switched on, newest first, without what only a run or an author needs. */
  models(visibleTo: Visibility): Promise<readonly ListedModel[]>;
  /** Writes a new version. 'stale' when `expectedVersion` is no longer the newest. */
  replace(
    id: number,
    change: AssistantChange,
    by: {
      readonly userId: number;
      readonly expectedVersion: number;
      /** Stores the metadata in canonical form, that of the change or that which was there. */
      readonly canonical?: boolean;
    },
  ): Promise<Assistant | 'stale' | undefined>;
  setPublished(
    id: number,
    published: boolean,
    scope: PublishScope,
    userId: number,
  ): Promise<Assistant | undefined>;
  /** Which version those get from now on who may only chat; null for whichever is the newest. */
  serve(id: number, version: number | null): Promise<void>;
  /** Soft: the row and its versions stay. */
  delete(id: number): Promise<boolean>;
}

export interface RubricStore {
  /** With an id of its own where it had one elsewhere, so that what names it keeps naming it; else a new one. */
  create(
    owner: { readonly id: number; readonly organizationId: number },
    content: RubricContent,
    id?: string,
  ): Promise<StoredRubric>;
  get(id: string): Promise<StoredRubric | undefined>;
  /** `q` is found in title or description, whatever the case. */
  list(
    visibleTo: Visibility,
    filter: { readonly q?: string | undefined },
    page: PageRequest,
  ): Promise<Page<StoredRubric>>;
  /** How many `list` would find. */
  count(visibleTo: Visibility): Promise<number>;
  /** Only while it is as it was at that time, where one is given; else, or when it is gone, undefined. */
  replace(id: string, content: RubricContent, asOf?: Timestamp): Promise<StoredRubric | undefined>;
  delete(id: string): Promise<boolean>;
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
  readonly oauthGrants: OAuthGrantStore;
  readonly links: LinkStore;
  readonly invitations: InvitationStore;
  readonly rateLimits: RateLimitStore;
  readonly secretKey: SecretKeyStore;
  readonly assistants: AssistantStore;
  readonly annotations: AnnotationStore;
  readonly assistantInsight: AssistantInsightStore;
  readonly attachments: AttachmentStore;
  readonly attachmentFiles: AttachmentFiles;
  readonly conversations: ConversationStore;
  readonly runs: RunStore;
  readonly feedback: FeedbackStore;
  readonly runMonths: RunMonthStore;
  readonly runNotes: RunNoteStore;
  readonly runFrames: RunFrameStore;
  readonly budgets: BudgetStore;
  readonly usage: UsageStore;
  readonly activityInsight: ActivityInsightStore;
  readonly erasure: ErasureStore;
  readonly audit: AuditStore;
  readonly platforms: PlatformStore;
  readonly ltiKeys: LtiKeyStore;
  readonly ltiPeople: LtiPersonStore;
  readonly launches: LaunchStore;
  readonly activities: ActivityStore;
  readonly participants: ParticipantStore;
  readonly tickets: TicketStore;
  readonly submissions: SubmissionStore;
  readonly gradingQueue: GradingQueue;
  readonly files: FileStore;
  readonly rubrics: RubricStore;
  readonly scenarios: ScenarioStore;
  readonly suiteRuns: SuiteRunStore;
  readonly suitePasses: PassStore;
  readonly suiteVerdicts: VerdictStore;
  readonly cassettes: CassetteStore;
  readonly promptTemplates: PromptTemplateStore;
  readonly templates: TemplateStore;
  readonly approvals: ApprovalStore;
  readonly handovers: HandoverStore;
  readonly collections: CollectionStore;
  readonly documents: DocumentStore;
  readonly documentFiles: DocumentFiles;
  readonly passages: PassageIndex;
  readonly sources: SourceStore;
  readonly vectors: VectorStore;
  readonly testQuestions: TestQuestionStore;
  readonly vainQuestions: VainQuestionStore;
}
