import type { Knex } from 'knex';
import type { UsageFilter, UsageGroup, UsageSlice, UsageStore } from '../../src/core/runs/usage.js';
import { storable } from '../query/values.js';

const KEYS: Readonly<Record<UsageGroup, string>> = {
  day: 'substr(created_at, 1, 10)',
  assistant: 'assistant_id',
  user: 'user_id',
  activity: 'activity_id',
  model: `coalesce(connector, '') || '/' || coalesce(model, '')`,
};

const MODEL = `organization_id, coalesce(connector, '') AS connector, coalesce(model, '') AS model, currency`;

interface SliceRow {
  readonly key: string | number | null;
  readonly organization_id: number;
  readonly connector: string;
  readonly model: string;
  readonly prompt_tokens: number | string;
  readonly completion_tokens: number | string;
  readonly cost: number | string | null;
  /** Null where there was no price. */
  readonly currency: string | null;
}

interface Counted {
  readonly key: SliceRow['key'];
  readonly runs: number | string;
}

/** Adds up the ledger when somebody asks: nothing is counted while somebody chats. */
export function createUsageStore(db: Knex): UsageStore {
  return {
    async slices(filter, group) {
      const rows: SliceRow[] = await seen(db, filter)
        .select(db.raw(`${KEYS[group]} AS key, ${MODEL}`))
        .sum({ prompt_tokens: 'prompt_tokens', completion_tokens: 'completion_tokens', cost: 'cost' })
        .groupByRaw('1, 2, 3, 4, 5');
      return rows.map(toSlice);
    },

    async runs(filter, group) {
      const rows: Counted[] = await seen(db, filter)
        .select(db.raw(`${KEYS[group]} AS key`))
        .countDistinct({ runs: 'run_id' })
        .groupByRaw('1');
      return new Map(rows.map(({ key, runs }) => [keyOf(key), Number(runs)]));
    },

    async runCount(filter, models) {
      if (models?.length === 0) return 0;
      const counted = seen(db, filter).countDistinct({ runs: 'run_id' });
      if (models) {
        const each = models.map(() => '(CAST(? AS integer), ?, ?)').join(', ');
        const values = models.flatMap(({ organizationId, connector, model }) => [
          organizationId,
          storable(connector),
          storable(model),
        ]);
        counted.whereRaw(
          `(organization_id, coalesce(connector, ''), coalesce(model, '')) IN (VALUES ${each})`,
          values,
        );
      }
      const [row] = (await counted) as [Pick<Counted, 'runs'>];
      return Number(row.runs);
    },
  };
}

/** Each reason to see a row goes along an index of its own; what an earlier one has found, a later one leaves out. */
function seen(db: Knex, filter: UsageFilter): Knex.QueryBuilder {
  const { userId, organizationId, ownerId } = filter;
  const used = () => within(db('usage_ledger').select('usage_ledger.*'), filter);
  const elsewhere = (query: Knex.QueryBuilder) =>
    organizationId === undefined ? query : query.whereNot('organization_id', organizationId);
  const branches = [
    ...(organizationId === undefined ? [] : [used().where('organization_id', organizationId)]),
    ...(userId === undefined ? [] : [elsewhere(used().where('user_id', userId))]),
    ...(ownerId === undefined ? [] : [elsewhere(ofOwner(db, used(), { ...filter, ownerId }))]),
  ];
  const [first = used().whereIn('organization_id', db('organizations').select('id')), ...others] = branches;
  return db.from(first.unionAll(others).as('way'));
}

function ofOwner(
  db: Knex,
  used: Knex.QueryBuilder,
  { userId, ownerId }: UsageFilter & { readonly ownerId: number },
): Knex.QueryBuilder {
  used.whereIn('assistant_id', db('assistants').where('owner_id', ownerId).select('id'));
  // Of somebody who is forgotten by now it is nobody's.
  return userId === undefined ? used : used.whereRaw('coalesce(user_id, 0) <> ?', [userId]);
}

function within(
  query: Knex.QueryBuilder,
  { assistantId, activityId, since, before }: UsageFilter,
): Knex.QueryBuilder {
  query.where('created_at', '>=', since).where('created_at', '<', before);
  if (activityId !== undefined) query.where('activity_id', activityId);
  return assistantId === undefined ? query : query.where('assistant_id', assistantId);
}

function keyOf(key: SliceRow['key']): string {
  return key === null ? '' : String(key);
}

function toSlice(row: SliceRow): UsageSlice {
  return {
    key: keyOf(row.key),
    organizationId: row.organization_id,
    connector: row.connector,
    model: row.model,
    promptTokens: Number(row.prompt_tokens),
    completionTokens: Number(row.completion_tokens),
    ...bookedIn(row),
  };
}

export function bookedIn({
  cost,
  currency,
}: Pick<SliceRow, 'cost' | 'currency'>): Pick<UsageSlice, 'booked'> {
  return currency === null ? {} : { booked: { amount: Number(cost ?? 0), currency } };
}
