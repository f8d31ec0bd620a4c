import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Service } from '../../support/service.js';
import { inDatabase } from './users-fixture.js';

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

/** The database with what its write-ahead log holds. */
export function databaseBytes(service: Service): Promise<string> {
  return inDatabase(service, async () => {
    const names = (await readdir(service.dataDir)).filter((name) => name.startsWith('bellwether.db'));
    const files = await Promise.all(names.map((name) => readFile(join(service.dataDir, name), 'latin1')));
    return files.join('');
  });
}
