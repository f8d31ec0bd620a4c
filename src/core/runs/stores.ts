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
