import type { Knex } from 'knex';
import type { CredentialHolder, Timestamp } from '../../../src/core/stores.js';

interface HolderRow {
  readonly user_id: number;
  readonly email: string;
  readonly name: string;
  readonly organization_id: number;
  readonly link_id: number;
  readonly assistant_id: number;
  readonly budget_id: string | null;
  readonly visit_ends: Timestamp;
  readonly link_ends: Timestamp | null;
}

/** Whoever came by a link, as long as it is there and its time is not over. */
export async function linkHolder(
  db: Knex,
  hash: string,
  at: Timestamp,
): Promise<CredentialHolder | undefined> {
  const row = await db({ visit: 'link_visits' })
    .join({ link: 'assistant_links' }, 'link.id', 'visit.link_id')
    .join('users', 'users.id', 'visit.user_id')
    .where({ 'visit.token_hash': hash, 'users.enabled': true })
    .first<HolderRow | undefined>(
      'visit.user_id',
      'users.email',
      'users.name',
      'users.organization_id',
      'visit.link_id',
      'link.assistant_id',
      'link.budget_id',
      'visit.expires_at as visit_ends',
      'link.expires_at as link_ends',
    );
  const holder = row && toHolder(row);
  return holder && at < (holder.expiresAt ?? at) ? holder : undefined;
}

function toHolder(row: HolderRow): CredentialHolder {
  const ends = [row.visit_ends, row.link_ends ?? row.visit_ends].sort();
  return {
    userId: row.user_id,
    email: row.email,
    name: row.name,
    organizationId: row.organization_id,
    role: 'student',
    via: 'link',
    credentialId: `link:${String(row.user_id)}`,
    link: { linkId: row.link_id, assistantId: row.assistant_id, budgetId: row.budget_id },
    trustedProxy: false,
    expiresAt: ends[0] ?? null,
  };
}
