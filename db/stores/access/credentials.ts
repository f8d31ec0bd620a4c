import type { Knex } from 'knex';
import type { Role } from '../../../src/core/access/caller.js';
import type { ApiKey, CredentialHolder, CredentialStore, Timestamp } from '../../../src/core/stores.js';
import { byId, pageOf } from '../../query/paging.js';
import { isRowId, now, storable } from '../../query/values.js';
import { launchHolder } from '../lti/launch-holder.js';
import { linkHolder } from './link-holder.js';

interface KeyRow {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly trusted_proxy: boolean | number;
  readonly expires_at: Timestamp | null;
  readonly created_at: Timestamp;
}

interface CallerRow {
  readonly kind: 'key' | 'session' | 'oauth';
  readonly credential_id: number;
  readonly trusted_proxy: boolean | number;
  readonly user_id: number;
  readonly email: string;
  readonly name: string;
  readonly organization_id: number;
  readonly role: Role;
  readonly expires_at: Timestamp | null;
}

export function createCredentialStore(db: Knex): CredentialStore {
  return {
    async addKey(key) {
      const row = {
        user_id: key.userId,
        name: storable(key.name),
        prefix: storable(key.prefix),
        hash: key.hash,
        trusted_proxy: key.trustedProxy,
        expires_at: key.expiresAt,
        created_at: now(),
      };
      const [created] = (await db('api_keys').insert(row, '*')) as [KeyRow];
      return toKey(created);
    },

    async listKeys(userId, page) {
      const keys = db('api_keys').where('user_id', userId).select('*');
      const { data, nextCursor } = await pageOf(keys, byId<KeyRow>('id'), page);
      return { data: data.map(toKey), nextCursor };
    },

    async keyHolder(id) {
      if (!isRowId(id)) return undefined;
      const row = await db('api_keys')
        .where({ id })
        .first<{ readonly user_id: number } | undefined>('user_id');
      return row?.user_id;
    },

    async deleteKey(userId, id) {
      if (!isRowId(id)) return false;
      return (await db('api_keys').where({ id, user_id: userId }).del()) > 0;
    },

    async addSession({ userId, hash, expiresAt }) {
      const at = now();
      // Signing in is the moment to forget what has run out: no clean-up job is needed.
      await db('sessions').where('user_id', userId).where('expires_at', '<=', at).del();
      await db('sessions').insert({ user_id: userId, hash, expires_at: expiresAt, created_at: at });
    },

    async deleteSession(hash) {
      await db('sessions').where('hash', hash).del();
    },

    async callerOf(hash, at) {
      const row = (await validKeys(db, hash, at).unionAll([
        validSessions(db, hash, at),
        validAccessTokens(db, hash, at),
      ])) as CallerRow[];
      if (row[0]) return toHolder(row[0]);
      return (await launchHolder(db, hash, at)) ?? linkHolder(db, hash, at);
    },
  };
}

function validKeys(db: Knex, hash: string, at: Timestamp): Knex.QueryBuilder {
  return enabledUsers(db, 'key', hash).where((still) => {
    still.whereNull('credential.expires_at').orWhere('credential.expires_at', '>', at);
  });
}

function validSessions(db: Knex, hash: string, at: Timestamp): Knex.QueryBuilder {
  return enabledUsers(db, 'session', hash).where('credential.expires_at', '>', at);
}

function validAccessTokens(db: Knex, hash: string, at: Timestamp): Knex.QueryBuilder {
  return enabledUsers(db, 'oauth', hash).where('credential.access_expires_at', '>', at);
}

const TABLES = {
  key: { table: 'api_keys', hash: 'hash', end: 'expires_at' },
  session: { table: 'sessions', hash: 'hash', end: 'expires_at' },
  oauth: { table: 'oauth_grants', hash: 'access_hash', end: 'access_expires_at' },
} as const;

function enabledUsers(db: Knex, kind: CallerRow['kind'], hash: string): Knex.QueryBuilder {
  const columns = TABLES[kind];
  return db({ credential: columns.table })
    .join('users', 'users.id', 'credential.user_id')
    .where(`credential.${columns.hash}`, hash)
    .where('users.enabled', true)
    .select(
      db.raw(`'${kind}' as kind`),
      'credential.id as credential_id',
      kind === 'key' ? 'credential.trusted_proxy' : db.raw('false as trusted_proxy'),
      'users.id as user_id',
      'users.email',
      'users.name',
      'users.organization_id',
      'users.role',
      `credential.${columns.end} as expires_at`,
    );
}

const VIA = { key: 'api-key', session: 'session', oauth: 'oauth' } as const;

function toHolder(row: CallerRow): CredentialHolder {
  return {
    userId: row.user_id,
    email: row.email,
    name: row.name,
    organizationId: row.organization_id,
    role: row.role,
    via: VIA[row.kind],
    credentialId: `${row.kind}:${String(row.credential_id)}`,
    verifiedEmail: row.email,
    trustedProxy: Boolean(row.trusted_proxy),
    expiresAt: row.expires_at,
  };
}

function toKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    trustedProxy: Boolean(row.trusted_proxy),
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  };
}
