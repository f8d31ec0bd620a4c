import type { Page, PageRequest, Timestamp } from '../base/ids.js';
import type { SourceFault } from './source-faults.js';

/** Where a source's documents are; nothing of it is secret. */
export type SourceSettings =
  | {
      readonly kind: 'moodle';
      readonly siteUrl: string;
      readonly courseId: number;
      /** By the organisation's token, not by one of its own. */
      readonly byOrganization: boolean;
    }
  | {
      readonly kind: 'web';
      readonly url: string;
      /** All pages that the site's sitemap names, not the one page alone. */
      readonly sitemap: boolean;
    }
  | {
      readonly kind: 'git';
      readonly url: string;
      /** The repository's own choice when absent. */
      readonly branch?: string | undefined;
      readonly folder?: string | undefined;
      /** Only files whose path fits one of these; all when empty. */
      readonly files: readonly string[];
    }
  | { readonly kind: 'folder'; readonly path: string; readonly files: readonly string[] };

export type Schedule = 'off' | 'hourly' | 'daily' | 'weekly';

export interface Source {
  readonly id: string;
  readonly collectionId: string;
  readonly organizationId: number;
  readonly name: string;
  readonly settings: SourceSettings;
  /** Sealed. */
  readonly token: string | undefined;
  readonly schedule: Schedule;
  readonly nextRunAt: Timestamp | undefined;
  readonly lastRun: SourceRun | undefined;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export type SourceContent = Pick<Source, 'name' | 'settings' | 'token' | 'schedule'>;

/** A document of a source that was not brought, and why. */
export interface FailedDocument extends Omit<SourceFault, 'message'> {
  readonly name: string;
  readonly reason: string;
}

/** What bringing a source in step has come to. Names are safe to show. */
export interface RunOutcome {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Of kinds that cannot be taken in, or not everybody's to see. */
  readonly skipped: number;
  readonly changes: readonly { readonly name: string; readonly what: 'added' | 'changed' | 'removed' }[];
  readonly failed: readonly FailedDocument[];
}

export const NOTHING_YET: RunOutcome = {
  ...{ added: 0, changed: 0, removed: 0, unchanged: 0, skipped: 0, changes: [], failed: [] },
};

export interface SourceRun {
  readonly id: string;
  readonly status: 'running' | 'done' | 'failed';
  /** Why it could not be brought in step, or not all of it. */
  readonly error: SourceFault | undefined;
  readonly total: number;
  readonly done: number;
  readonly outcome: RunOutcome;
  readonly startedAt: Timestamp;
  readonly endedAt: Timestamp | undefined;
}

/** A source that one process brings in step, for as long as it keeps saying so. */
export interface SourceWork {
  readonly source: Source;
  /** Begun by this process, or by one that fell silent over it. */
  readonly run: SourceRun;
  readonly attempts: number;
  readonly claim: string;
}

/** A document that a source has brought, as far as the next run needs it. */
export interface BroughtDocument {
  readonly id: string;
  readonly key: string;
  readonly version: string | undefined;
  readonly filename: string;
  readonly sha256: string | undefined;
}

type RunProgress = Pick<SourceRun, 'total' | 'done' | 'outcome'>;

export interface SourceStore {
  /** To be run at once. Undefined when there is no such collection here. */
  create(collectionId: string, content: SourceContent): Promise<Source | undefined>;
  get(collectionId: string, id: string): Promise<Source | undefined>;
  /** All of a collection, oldest first; there are few. */
  list(collectionId: string): Promise<readonly Source[]>;
  replace(collectionId: string, id: string, content: SourceContent): Promise<Source | undefined>;
  /** Its documents become the collection's own, or go; tells which documents' files are left over. */
  delete(
    collectionId: string,
    id: string,
    documents: 'keep' | 'remove',
  ): Promise<{ readonly documentIds: readonly string[] } | undefined>;
  /** Asks for a run as soon as somebody can; one that is under way is enough. */
  want(collectionId: string, id: string): Promise<Source | undefined>;
  /** Newest first. */
  runs(collectionId: string, id: string, page: PageRequest): Promise<Page<SourceRun>>;

  /** One that is due and that nobody is at, the longest due first; undefined when there is none. */
  claim(lease: { readonly ms: number }): Promise<SourceWork | undefined>;
  /** When `claim` may next find one; undefined when none is to be run. */
  nextDue(): Promise<Timestamp | undefined>;
  /** False when it is gone or somebody else's by now: whoever is at it stops. */
  report(work: SourceWork, progress: RunProgress, lease: { readonly ms: number }): Promise<boolean>;
  /** Gives it back, for the next who asks: at a stop of the service. */
  release(work: SourceWork): Promise<void>;
  finish(
    work: SourceWork,
    end: RunProgress & Pick<SourceRun, 'error'> & { readonly failed: boolean },
  ): Promise<void>;

  brought(sourceId: string): Promise<readonly BroughtDocument[]>;
}

const HOUR_MS = 3_600_000;
const EVERY: Readonly<Record<Exclude<Schedule, 'off'>, number>> = {
  hourly: HOUR_MS,
  daily: 24 * HOUR_MS,
  weekly: 7 * 24 * HOUR_MS,
};

/** When a source that was run then is to be run again. */
export function nextRunAfter(schedule: Schedule, startedAt: Timestamp): Timestamp | undefined {
  if (schedule === 'off') return undefined;
  return new Date(Date.parse(startedAt) + EVERY[schedule]).toISOString();
}
