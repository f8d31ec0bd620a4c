import type { Knex } from 'knex';
import type { ToolCatalogue } from '../../src/core/assistants/assistant.js';
import type { ScenarioContent } from '../../src/core/scenarios/scenario.js';
import type { DemonstrationWords } from './demonstrations.js';
import type { LambSource } from './source.js';
import type { LambRow } from './values.js';

/** What was remembered of a row goes under these names; they are stored and must not change. */
export type KindName =
  | 'organization'
  | 'user'
  | 'assistant'
  | 'share'
  | 'rubric'
  | 'prompt_template'
  | 'kb'
  | 'scenario'
  | 'usage';

export interface ImportOptions {
  readonly catalogue: ToolCatalogue;
  /** Hides the secrets of an organisation's configuration, which LAMB keeps in the open. */
  readonly seal: (config: Record<string, unknown>) => Record<string, unknown>;
  readonly scenarioHash: (content: ScenarioContent) => string;
  /** Assistants that a first start makes; where nobody has used them they give way to what comes over. */
  readonly demonstrations?: readonly DemonstrationWords[] | undefined;
  /** Said of every organisation whose configuration `seal` changed. */
  readonly sealRemark?: string | undefined;
}

/** What a row is imported with. Everything goes through `trx`: with SQLite there is no other connection. */
export interface RowContext extends ImportOptions {
  readonly trx: Knex;
  readonly source: LambSource;
  /** For what has no time of its own. */
  readonly at: string;
  remark(text: string): void;
}

/** `imported`: it was made now. `matched`: something of ours stands for it. */
export type Outcome =
  | { readonly imported: string | number }
  | { readonly matched: string | number }
  | { readonly skipped: string }
  /** Left for a later step, which counts it. */
  | { readonly postponed: true };

export interface Kind {
  readonly name: KindName;
  readonly title: string;
  readonly count: (source: LambSource) => Promise<number>;
  readonly batches: (source: LambSource) => AsyncIterable<readonly LambRow[]>;
  /** Undefined for a row that has none and cannot be told from others. */
  readonly idOf: (row: LambRow) => string | undefined;
  /** How a person would name it. */
  readonly exampleOf: (row: LambRow) => string;
  readonly importRow: (row: LambRow, ctx: RowContext) => Promise<Outcome>;
}

/** The rows of one table. */
export const ofTable = (table: string): Pick<Kind, 'count' | 'batches'> => ({
  count: (source) => source.count(table),
  batches: (source) => source.batches(table),
});

export const skipped = (reason: string): Outcome => ({ skipped: reason });
