import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Service } from '../../support/service.js';

export const PASSWORD = 'a long enough password 1';
export const LOGIN = '/lamb/v1/auth/login';
export const KEYS = '/lamb/v1/api-keys';

export interface SignedIn {
  readonly token: string;
  readonly expires_at: string;
  readonly user: Record<string, unknown>;
}
export interface MadeKey {
  readonly id: number;
  readonly name: string;
  readonly key: string;
  readonly prefix: string;
  readonly created_at: string;
}
export interface KeyList {
  readonly data: readonly Record<string, unknown>[];
  readonly next_cursor: string | null;
}
export interface Me {
  readonly id: number;
  readonly email: string;
  readonly via: string;
}

export const signIn = ({ request }: Service, email: string, password: string) =>
  request<SignedIn>(LOGIN, { body: { email, password }, key: null });

export const me = ({ request }: Service, key: string, headers = {}) =>
  request<Me>('/lamb/v1/me', { key, headers });

export const newKey = ({ request }: Service, key: string, body: object) =>
  request<MadeKey>(KEYS, { body, key });

const run = promisify(execFile);
const WRITE_FILES = `
  const { readdirSync, readFileSync } = require('node:fs');
  for (const name of readdirSync('.').filter((each) => each.startsWith('bellwether.db')))
    process.stdout.write(readFileSync(name));
`;

/**
 * The database with what its write-ahead log holds, one character a byte. Another process reads it: closing a file takes
 * from this one all the locks that SQLite has on it, and whoever comes next would take the database for their own.
 */
export async function databaseBytes({ dataDir }: Pick<Service, 'dataDir'>): Promise<string> {
  const options = { cwd: dataDir, encoding: 'latin1', maxBuffer: 1024 ** 3 } as const;
  const { stdout } = await run(process.execPath, ['-e', WRITE_FILES], options);
  if (stdout === '') throw new Error('There is no database to read.');
  return stdout;
}
