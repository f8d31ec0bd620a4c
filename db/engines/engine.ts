import type { Knex } from 'knex';
import type { Logger } from '../../src/core/log.js';
import type { Changes } from '../cache/table-versions.js';

/** What differs between the databases; everything else is written once. */
export interface Engine {
  readonly config: Knex.Config;
  /** First statements of the migrating transaction: from here until it ends no other process migrates. */
  lockForMigration(trx: Knex.Transaction): Promise<void>;
  /** Whether a migration was kept from what it is to change for so long that it gave way to those who use it. */
  isInUse(fault: unknown): boolean;
  /** Puts the connection back to everyday use. */
  afterMigration(db: Knex): Promise<void>;
  watchChanges(db: Knex): Promise<WatchedChanges>;
  /** Where the database is a server: tells why nobody can be served while it does not answer. */
  watchServer?(db: Knex): () => Error | undefined;
  /** Of connections that only read and wait for no writer; absent where all connections are like that. */
  readonly readers?: Knex.Config;
  /** Absent where all processes are on one machine and know each other. */
  openNews?(db: Knex, options: NewsOptions): Promise<News>;
}

/** Between the processes that share a database. */
export interface News {
  /** To all of them, this one included: less than 8000 bytes, and nothing secret. */
  tell(text: string): void;
  close(): Promise<void>;
}

export interface NewsOptions {
  heard(text: string): void;
  readonly log: Logger;
}

export interface WatchedChanges extends Changes {
  close(): Promise<void>;
}

/** How long a starting process waits for another one that is migrating the same database. */
export const MIGRATION_WAIT_MS = 60_000;

/** How long making a connection may take. */
export const CONNECT_TIMEOUT_MS = 5_000;

/** Nobody is still waiting for an answer after so long; until then `connection-wait.ts` says who is refused. */
export const ACQUIRE_TIMEOUT_MS = 120_000;
