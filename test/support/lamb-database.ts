import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteFile, type SqliteFile } from '../../db/import-lamb/source.js';

/** Rows by table, the table without its prefix. */
export type LambRows = Readonly<Record<string, readonly object[]>>;

export interface LambOptions {
  readonly prefix?: string;
  readonly rows: LambRows;
  /** Committed, but still only in the log beside the file. */
  readonly rowsInWal?: LambRows;
}

export interface LambFile {
  readonly file: string;
  readonly folder: string;
  remove(): Promise<void>;
}

/** LAMB's tables as its version of June 2026 has them, with loose types where its own are. */
const TABLES: Readonly<Record<string, string>> = {
  organizations: `id INTEGER PRIMARY KEY AUTOINCREMENT, slug TEXT UNIQUE, name TEXT, is_system BOOLEAN DEFAULT 0,
    status TEXT DEFAULT 'active', config JSON NOT NULL, created_at INTEGER, updated_at INTEGER`,
  organization_roles: `id INTEGER PRIMARY KEY AUTOINCREMENT, organization_id INTEGER, user_id INTEGER, role TEXT,
    created_at INTEGER, updated_at INTEGER, UNIQUE(organization_id, user_id)`,
  Creator_users: `id INTEGER PRIMARY KEY AUTOINCREMENT, organization_id INTEGER, user_email TEXT UNIQUE, user_name TEXT,
    user_type TEXT DEFAULT 'creator', user_config JSON, created_at INTEGER, updated_at INTEGER,
    enabled BOOLEAN DEFAULT 1, lti_user_id TEXT, auth_provider TEXT DEFAULT 'password', password_hash TEXT,
    role TEXT DEFAULT 'user'`,
  assistants: `id INTEGER PRIMARY KEY AUTOINCREMENT, organization_id INTEGER NOT NULL, name TEXT NOT NULL,
    description TEXT, owner TEXT NOT NULL, api_callback TEXT, system_prompt TEXT, prompt_template TEXT,
    RAG_endpoint TEXT, RAG_Top_k INTEGER, RAG_collections TEXT, pre_retrieval_endpoint TEXT,
    post_retrieval_endpoint TEXT, created_at INTEGER, updated_at INTEGER, UNIQUE(organization_id, name, owner)`,
  assistant_publish: `assistant_id INTEGER PRIMARY KEY, assistant_name TEXT, assistant_owner TEXT, group_id TEXT,
    group_name TEXT, oauth_consumer_name TEXT UNIQUE, created_at INTEGER`,
  assistant_shares: `id INTEGER PRIMARY KEY AUTOINCREMENT, assistant_id INTEGER, shared_with_user_id INTEGER,
    shared_by_user_id INTEGER, shared_at INTEGER, UNIQUE(assistant_id, shared_with_user_id)`,
  rubrics: `id INTEGER PRIMARY KEY AUTOINCREMENT, rubric_id TEXT UNIQUE, organization_id INTEGER, owner_email TEXT,
    title TEXT, description TEXT, rubric_data JSON, is_public BOOLEAN, is_showcase BOOLEAN, parent_rubric_id TEXT,
    created_at INTEGER, updated_at INTEGER`,
  prompt_templates: `id INTEGER PRIMARY KEY AUTOINCREMENT, organization_id INTEGER, owner_email TEXT, name TEXT,
    description TEXT, system_prompt TEXT, prompt_template TEXT, is_shared BOOLEAN, metadata JSON,
    created_at INTEGER, updated_at INTEGER, UNIQUE(organization_id, owner_email, name)`,
  kb_registry: `id INTEGER PRIMARY KEY AUTOINCREMENT, kb_id TEXT UNIQUE, kb_name TEXT, owner_user_id INTEGER,
    organization_id INTEGER, is_shared BOOLEAN, metadata JSON, created_at INTEGER, updated_at INTEGER`,
  usage_logs: `id INTEGER PRIMARY KEY AUTOINCREMENT, organization_id INTEGER, user_id INTEGER, assistant_id INTEGER,
    usage_data JSON, created_at INTEGER, model_name TEXT, provider TEXT`,
  assistant_usage_totals: `assistant_id INTEGER PRIMARY KEY, prompt_tokens_total INTEGER,
    completion_tokens_total INTEGER, total_tokens_total INTEGER, cost_usd_total REAL, updated_at INTEGER`,
  assistant_test_scenarios: `id TEXT PRIMARY KEY, assistant_id INTEGER NOT NULL, title TEXT NOT NULL, description TEXT,
    scenario_type TEXT DEFAULT 'single_turn', messages TEXT NOT NULL, expected_behavior TEXT, tags TEXT,
    created_by TEXT NOT NULL, created_at TIMESTAMP, updated_at TIMESTAMP`,
  lamb_chats: 'id TEXT PRIMARY KEY, user_id INTEGER, assistant_id INTEGER, title TEXT, chat JSON',
};

/** Builds the file in one folder and takes it, log and all, to another: closing it would fold the log in. */
export async function buildLamb({ prefix = 'LAMB_', rows, rowsInWal = {} }: LambOptions): Promise<LambFile> {
  const workshop = await mkdtemp(join(tmpdir(), 'lamb-workshop-'));
  const folder = await mkdtemp(join(tmpdir(), 'lamb-file-'));
  const made = join(workshop, 'lamb_v4.db');
  const file = join(folder, 'lamb_v4.db');
  const db = await openSqliteFile(made);
  try {
    await db.all('PRAGMA journal_mode = WAL');
    await db.all('PRAGMA wal_autocheckpoint = 0');
    for (const [table, columns] of Object.entries(TABLES))
      await db.all(`CREATE TABLE ${quoted(prefix + table)} (${columns})`);
    await insertAll(db, prefix, rows);
    await db.all('PRAGMA wal_checkpoint(TRUNCATE)');
    await insertAll(db, prefix, rowsInWal);
    await copyFile(made, file);
    if (existsSync(`${made}-wal`)) await copyFile(`${made}-wal`, `${file}-wal`);
  } finally {
    await db.close();
    await rm(workshop, { recursive: true, force: true });
  }
  return { file, folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function insertAll(db: SqliteFile, prefix: string, rows: LambRows): Promise<void> {
  await db.all('BEGIN');
  for (const [table, entries] of Object.entries(rows)) {
    for (const entry of entries) {
      const columns = Object.keys(entry).map(quoted).join(', ');
      const places = Object.keys(entry).map(() => '?');
      const sql = `INSERT INTO ${quoted(prefix + table)} (${columns}) VALUES (${places.join(', ')})`;
      await db.all(sql, Object.values(entry));
    }
  }
  await db.all('COMMIT');
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
