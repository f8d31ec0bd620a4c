import type { Knex } from 'knex';
import type { Page, PageRequest, RunFilter } from '../../src/core/stores.js';
import { byTime, pageOf, pageOfAny, upTo } from '../query/paging.js';
import { isPostgres } from '../query/raw-rows.js';
import type { RunRow } from './run-rows.js';

const NEWEST_FIRST = byTime<RunRow>('started_at', (row) => [row.started_at, row.id]);

export function pageOfRuns(db: Knex, filter: RunFilter, page: PageRequest): Promise<Page<RunRow>> {
  const ways = waysToSee(db, filter, page);
  const rows = db('runs').select('*');
  return ways.length === 0
    ? pageOf(narrowed(rows, filter), NEWEST_FIRST, page)
    : pageOfAny({ rows, ways }, NEWEST_FIRST, page);
}

function waysToSee(db: Knex, filter: RunFilter, page: PageRequest): readonly Knex.QueryBuilder[] {
  const { userId, organizationId, ownerId } = filter;
  const runs = () => narrowed(db('runs'), filter);
  return [
    ...(userId === undefined ? [] : [runs().where('user_id', userId)]),
    ...(organizationId === undefined ? [] : [runs().where('organization_id', organizationId)]),
    ...(ownerId === undefined ? [] : [runsOfOwned(db, { ...filter, ownerId }, page)]),
  ];
}

interface OwnerFilter extends RunFilter {
  readonly ownerId: number;
}

/** All they own are gone through, with as many runs of each as fit on the page: one index leads to them. */
function runsOfOwned(db: Knex, filter: OwnerFilter, page: PageRequest): Knex.QueryBuilder {
  const owned = db('assistants').where('owner_id', filter.ownerId);
  if (filter.assistantId !== undefined) {
    return narrowed(db('runs'), filter).whereExists(owned.where('id', filter.assistantId).select('id'));
  }
  const ofOne = narrowed(db('runs').whereRaw('assistant_id = assistants.id'), filter).select('id');
  const newest = upTo(ofOne, NEWEST_FIRST, page);
  // The databases have no words in common for a part that depends on what stands beside it.
  const beside = isPostgres(db)
    ? 'CROSS JOIN LATERAL ? AS newest'
    : 'CROSS JOIN runs AS newest ON newest.id IN ?';
  return db('runs').whereIn('id', owned.joinRaw('?', [db.raw(beside, [newest])]).select('newest.id'));
}

function narrowed(query: Knex.QueryBuilder, filter: RunFilter): Knex.QueryBuilder {
  const { assistantId, status, since, before } = filter;
  if (assistantId !== undefined) query.where('assistant_id', assistantId);
  if (status !== undefined) query.where('status', status);
  if (since !== undefined) query.where('started_at', '>=', since);
  if (before !== undefined) query.where('started_at', '<', before);
  return query;
}
