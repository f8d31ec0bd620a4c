import type { Page, PageRequest, Timestamp } from '../base/ids.js';
import type { DueRun } from '../lti/erasure.js';

/** By it people without an account chat with one assistant. */
export interface AssistantLink {
  readonly id: number;
  readonly assistantId: number;
  /** By whose right the assistant is used. */
  readonly createdBy: number;
  /** What stands in its address. */
  readonly sealedToken: string;
  /** What its visitors spend, besides the budgets that count anyway. */
  readonly budgetId: string | null;
  readonly expiresAt: Timestamp | null;
  readonly createdAt: Timestamp;
}

export type NewAssistantLink = Omit<AssistantLink, 'id' | 'createdAt'> & { readonly tokenHash: string };

/** Where somebody is who came by a link. They are nowhere else. */
export interface LinkPlace {
  readonly linkId: number;
  readonly assistantId: number;
  readonly budgetId: string | null;
}

/** One visit of somebody nobody knows: an account of their own, without name, address or password. */
export interface NewLinkVisit {
  readonly linkId: number;
  readonly organizationId: number;
  readonly tokenHash: string;
  readonly expiresAt: Timestamp;
}

export interface LinkStore {
  create(link: NewAssistantLink): Promise<AssistantLink>;
  get(id: number): Promise<AssistantLink | undefined>;
  /** One whose time is not over. */
  byToken(tokenHash: string, now: Timestamp): Promise<AssistantLink | undefined>;
  list(assistantId: number, page: PageRequest): Promise<Page<AssistantLink>>;
  count(assistantId: number): Promise<number>;
  /** With it every visit is over. */
  delete(id: number): Promise<boolean>;
  /** How many visits of each are under way. */
  visits(ids: readonly number[], now: Timestamp): Promise<ReadonlyMap<number, number>>;

  /** Who the visitor is from now on. */
  beginVisit(visit: NewLinkVisit): Promise<number>;
  endVisit(userId: number, now: Timestamp): Promise<void>;
  /** Those whose visit was over before that, and who may have left something behind. */
  visitorsToForget(before: Timestamp): Promise<readonly number[]>;
  /** What they said; the visit is marked as forgotten. */
  forgetVisit(userId: number, now: Timestamp): Promise<void>;
  /** Those whose visit was forgotten before that. */
  forgottenVisitors(before: Timestamp): Promise<readonly number[]>;
  runsOf(userId: number): Promise<readonly DueRun[]>;
  /** The account itself, once nothing of it is left. */
  eraseVisitor(userId: number): Promise<void>;
}
