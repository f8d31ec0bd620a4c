import type { Knex } from 'knex';
import type { Visibility } from '../../src/core/access.js';
import { badRequest } from '../../src/core/errors.js';
import type { AssistantFilter } from '../../src/core/stores.js';
import { searchable } from './assistant-rows.js';
import { emailKey } from './users.js';

/** Well below the length at which SQLite refuses a pattern. */
const LONGEST_SEARCH = 1_000;

/** Every assistant that is not deleted, with its owner's e-mail. */
export function existing(db: Knex): Knex.QueryBuilder {
  return withOwners(db).whereNull('assistants.deleted_at');
}

export function deleted(db: Knex): Knex.QueryBuilder {
  return withOwners(db).whereNotNull('assistants.deleted_at');
}

function withOwners(db: Knex): Knex.QueryBuilder {
  return db('assistants')
    .join('users', 'users.id', 'assistants.owner_id')
    .select('assistants.*', 'users.email as owner');
}

export function onlyVisible(query: Knex.QueryBuilder, visibleTo: Visibility): Knex.QueryBuilder {
  if (visibleTo.everything) return query;
  const { userId, organizationId, wholeOrganization } = visibleTo;
  return query.where((any) => {
    any
      .where('assistants.owner_id', userId)
      .orWhereExists((share) => {
        share
          .from('assistant_shares')
          .whereRaw('assistant_shares.assistant_id = assistants.id')
          .where('assistant_shares.user_id', userId)
          // What a closed account lent is lent no longer.
          .where('users.enabled', true);
      })
      .orWhere((published) => {
        published.where({ 'assistants.published': true, 'users.enabled': true }).where((reach) => {
          reach
            .where('assistants.organization_id', organizationId)
            .orWhere('assistants.publish_scope', 'everyone');
        });
      });
    if (wholeOrganization) any.orWhere('assistants.organization_id', organizationId);
  });
}

export function onlyMatching(query: Knex.QueryBuilder, filter: AssistantFilter): Knex.QueryBuilder {
  if (filter.type !== undefined) query.where('assistants.assistant_type', filter.type);
  if (filter.owner !== undefined) query.where('users.email', emailKey(filter.owner));
  if (filter.published !== undefined) query.where('assistants.published', filter.published);
  if (filter.q !== undefined)
    query.whereRaw("assistants.search_text LIKE ? ESCAPE '!'", [containing(filter.q)]);
  return query;
}

function containing(text: string): string {
  if (text.length > LONGEST_SEARCH) {
    throw badRequest(`A search may have at most ${String(LONGEST_SEARCH)} characters.`, 'q');
  }
  return `%${searchable(text).replace(/[!%_]/g, '!$&')}%`;
}
