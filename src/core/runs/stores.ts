import type { AuditEntry, AuditFilter, AuditRecord } from '../access/audit.js';
import type { Page, PageRequest, Timestamp } from '../base/ids.js';
import type { RunRecord, RunStatus } from './record.js';

/** Of `userId`, `organizationId` and `ownerId` each lets somebody see a run; all runs are seen where none is given. */
export interface RunFilter {
  readonly userId?: number | undefined;
  readonly organizationId?: number | undefined;
  /** Whose assistants they are of, deleted ones included. */
  readonly ownerId?: number | undefined;
  readonly assistantId?: number | undefined;
  readonly status?: RunStatus | undefined;
  /** Started at this moment or later. */
  readonly since?: Timestamp | undefined;
  /** Started earlier than this moment. */
  readonly before?: Timestamp | undefined;
}

export interface RunStore {
  /** The run, its steps and its ledger rows, all or none, safe on disk when the promise resolves. */
  record(run: RunRecord): Promise<void>;
  /** More of a run that is on record: its end is that of this part, its cost and its steps are added. */
  extend(run: RunRecord): Promise<void>;
  /** Resolves when all that was handed over until now is recorded or has failed. */
  settled(): Promise<void>;
  get(id: string): Promise<RunRecord | undefined>;
  list(filter: RunFilter, page: PageRequest): Promise<Page<RunRecord>>;
  byIds(ids: readonly string[]): Promise<ReadonlyMap<string, RunRecord>>;
}

/** One call that waits for a yes or a no. */
export interface OpenApproval {
  readonly runId: string;
  readonly callId: string;
  /** The only one who sees it and may answer. */
  readonly userId: number;
  readonly tool: string;
  readonly label: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly expiresAt: Timestamp;
}

type ApprovalId = Pick<OpenApproval, 'runId' | 'callId'>;

/** Questions live only as long as the run waits for them. */
export interface ApprovalStore {
  ask(approval: OpenApproval): Promise<void>;
  /** Those of this run that wait for this user, and have not been answered. */
  open(runId: string, userId: number): Promise<readonly OpenApproval[]>;
  /** False when there is no such question, it is somebody else's, it is past its time, or it has been answered. */
  answer(id: ApprovalId & Pick<OpenApproval, 'userId'>, approved: boolean): Promise<boolean>;
  /** Undefined while nobody has said anything. */
  answerTo(id: ApprovalId): Promise<boolean | undefined>;
  withdraw(id: ApprovalId): Promise<void>;
}

export interface AuditStore {
  record(entry: AuditEntry): Promise<void>;
  list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditRecord>>;
}

export const RATINGS = ['up', 'down'] as const;
export type Rating = (typeof RATINGS)[number];

/** What somebody thinks of an answer that they got. */
export interface Feedback {
  readonly rating: Rating;
  readonly comment: string | undefined;
  readonly at: Timestamp;
}

/** Of all who have said what they think of an assistant's answers. */
export interface FeedbackSummary {
  readonly up: number;
  readonly down: number;
  /** The newest first. Whose it is stands nowhere. */
  readonly comments: readonly (Feedback & { readonly runId: string; readonly comment: string })[];
  /** Whether there is more, of groups so small that it would tell who thinks what. */
  readonly isSuppressed: boolean;
}

export interface FeedbackStore {
  /** In the place of what they said before. False when they have asked no such thing. */
  give(runId: string, userId: number, feedback: Feedback): Promise<boolean>;
  /** Their own, by the ids of those of these runs that they have spoken about. */
  of(userId: number, runIds: readonly string[]): Promise<ReadonlyMap<string, Feedback>>;
  /** What is said in an activity counts when so many of its students have spoken. */
  on(assistantId: number, fewestStudents: number): Promise<FeedbackSummary>;
}

/** Runs, their steps and the ledger by months, which one setting says how many are kept of. */
export interface RunMonthStore {
  /** Sees to it that what is written in the next months has a place of its own that can be dropped; how many were made. */
  makeAhead(now: Date): Promise<number>;
  /**
   * From then on the sums of all days before it are for good, and their rows are not needed for any report. False while
   * something of those days is not added up yet.
   */
  close(before: Timestamp): Promise<boolean>;
  /** Lets go of months that are over before it, and are closed; how many parts went. What is in use stays until the next time. */
  dropMonths(before: Timestamp): Promise<number>;
  /** Deletes some of what is left of before it, and is closed; how many rows. */
  deleteSome(before: Timestamp): Promise<number>;
}
