import type { Timestamp } from '../base/ids.js';
import type { Reason } from './reason.js';
import type { Expectation, Scenario } from './scenario.js';

/** Undefined by the evidence: neither passed nor failed. */
export type Passed = boolean | null;

/** Whether what models and tools say is asked for, asked for and kept, or taken from what was kept. */
export const CASSETTES = ['live', 'record', 'replay'] as const;
export type CassetteMode = (typeof CASSETTES)[number];

export const SUITE_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type SuiteStatus = (typeof SUITE_STATUSES)[number];

export interface Verdict {
  readonly expectation: Expectation;
  readonly passed: Passed;
  /** Quotes what decided. */
  readonly why: string;
  /** What `why` says in English; absent where a model has said it, and in runs of before. */
  readonly reason?: Reason;
}

/** What was spent, also on judging. */
export interface Spent {
  readonly tokens: number;
  readonly cost: number | null;
}

/** What came of asking a scenario once. */
export interface ScenarioTry {
  readonly passed: Passed;
  /** The last one. */
  readonly answer: string;
  readonly expectations: readonly Verdict[];
}

/** A scenario as it was when the run was asked for. */
export type RunScenario = Pick<Scenario, 'id' | 'name' | 'messages' | 'expect' | 'required' | 'hash'>;

export interface ScenarioResult {
  readonly id: number;
  readonly runs: readonly ScenarioTry[];
  /** On all of them together. Runs of before this was counted do not say it. */
  readonly spent?: Spent;
}

export interface SuiteRun {
  readonly id: string;
  readonly assistantId: number;
  readonly version: number;
  readonly startedBy: number;
  readonly cassette: CassetteMode;
  readonly repeat: number;
  readonly scenarios: readonly RunScenario[];
  /** Of what the version says, without what the gate itself is. */
  readonly contentHash: string;
  /** The day, in UTC, in whose night the clock began it; null where somebody did. */
  readonly night: string | null;
  readonly status: SuiteStatus;
  readonly passed: Passed;
  readonly error: string | null;
  readonly done: number;
  readonly of: number;
  /** Null where no prices are set. */
  readonly cost: number | null;
  readonly tokens: number;
  readonly results: readonly ScenarioResult[];
  readonly createdAt: Timestamp;
  readonly endedAt: Timestamp | null;
}

/** What a list tells of a run. */
export type SuiteRunFacts = Omit<SuiteRun, 'scenarios' | 'results' | 'contentHash' | 'startedBy'>;

export type NewSuiteRun = Pick<
  SuiteRun,
  'assistantId' | 'version' | 'startedBy' | 'cassette' | 'repeat' | 'scenarios' | 'contentHash' | 'night'
>;

export type SuiteProgress = Pick<SuiteRun, 'done' | 'cost' | 'tokens' | 'results'>;

export interface SuiteWork {
  readonly run: SuiteRun;
  readonly attempts: number;
  readonly claim: string;
}

/** What is asked for every night, as long as it has not been. */
export interface DueNight {
  /** As `SuiteRun.night` has it. */
  readonly night: string;
  /** When it was due. What was changed since has the next night. */
  readonly at: Timestamp;
}

export interface SuiteRunStore {
  /**
   * Keeps the newest `kept` of an assistant, and its last night; 'too many' when `waiting` of them have not ended, 'there
   * already' when its night was begun by another.
   */
  create(
    run: NewSuiteRun,
    most: { readonly kept: number; readonly waiting: number },
  ): Promise<SuiteRun | 'too many' | 'there already'>;
  /** Assistants that ask for a run every night and have had none in this one: some at a time, in the order of their ids. */
  due(night: DueNight, after: number): Promise<readonly number[]>;
  get(id: string): Promise<SuiteRun | undefined>;
  /** Newest first, and without what was asked and answered: there are never many. */
  list(assistantId: number, limit: number): Promise<readonly SuiteRunFacts[]>;
  /** The newest that has ended, asking models; on this content, where it is said. */
  lastOf(assistantId: number, contentHash?: string): Promise<SuiteRun | undefined>;
  /** One that waits, or whose lease has run out. */
  claim(lease: { readonly ms: number }): Promise<SuiteWork | undefined>;
  /** Renews the lease and writes down how far it has come; false when it is not ours any more or is to be stopped. */
  keep(work: SuiteWork, progress: SuiteProgress, lease: { readonly ms: number }): Promise<boolean>;
  /** Gives it back, to be begun anew. */
  release(work: SuiteWork): Promise<void>;
  end(
    work: SuiteWork,
    ended: SuiteProgress & Pick<SuiteRun, 'passed' | 'error'> & { readonly status: SuiteStatus },
  ): Promise<boolean>;
  /** Undefined when there is none; one that has ended stays as it is. */
  cancel(id: string): Promise<SuiteRun | undefined>;
}

/** What a recording is of. */
export interface CassettePlace {
  readonly assistantId: number;
  readonly version: number;
  readonly scenarioId: number;
  readonly repetition: number;
}

/** What models and tools said, by what they were asked; in the order it was said. */
export type Recording = Readonly<Record<string, readonly unknown[]>>;

export interface CassetteStore {
  get(place: CassettePlace): Promise<Recording | undefined>;
  /** Instead of what was there. */
  put(place: CassettePlace, recording: Recording): Promise<void>;
}

/** Which contents have passed which scenarios, and which were let through without. */
export interface PassStore {
  add(pass: {
    readonly assistantId: number;
    readonly version: number;
    readonly contentHash: string;
    /** Of all required scenarios; null where somebody let it through. */
    readonly requiredHash: string | null;
  }): Promise<void>;
  /** By these very scenarios. */
  has(assistantId: number, contentHash: string, requiredHash: string): Promise<boolean>;
  /** By whatever scenarios there were, or because somebody let it through. */
  hasEver(assistantId: number, contentHash: string): Promise<boolean>;
  /** The newest version that has passed these very scenarios. */
  newest(assistantId: number, requiredHash: string): Promise<number | undefined>;
}

/** What came of trying an assistant. */
export interface SuiteVerdict {
  readonly assistantId: number;
  readonly version: number;
  readonly contentHash: string;
  readonly passed: boolean;
  readonly at: Timestamp;
}

/** Of each assistant the newest. */
export interface VerdictStore {
  put(verdict: Omit<SuiteVerdict, 'at'>): Promise<void>;
  /** One statement for as many as there are. */
  of(assistantIds: readonly number[]): Promise<ReadonlyMap<number, SuiteVerdict>>;
}

/** Passed when all are, failed when one is, else undecided; nothing at all is undecided. */
export function allPassed(each: readonly Passed[]): Passed {
  if (each.includes(false)) return false;
  return each.length > 0 && each.every((passed) => passed === true) ? true : null;
}

/** Of the required ones; without any it never passes. */
export function suitePassed(run: Pick<SuiteRun, 'scenarios' | 'results' | 'repeat'>): Passed {
  return allPassed(
    run.scenarios.filter(({ required }) => required).map((scenario) => scenarioPassed(scenario.id, run)),
  );
}

/** In every repetition. */
export function scenarioPassed(id: number, run: Pick<SuiteRun, 'results' | 'repeat'>): Passed {
  const runs = run.results.find((result) => result.id === id)?.runs ?? [];
  const passed = allPassed(runs.map((each) => each.passed));
  return passed === true && runs.length < run.repeat ? null : passed;
}
