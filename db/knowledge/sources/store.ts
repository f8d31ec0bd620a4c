import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import {
  nextRunAfter,
  type Source,
  type SourceContent,
  type SourceStore,
} from '../../../src/core/knowledge/source.js';
import { byTime, pageOf } from '../../query/paging.js';
import { rawRows } from '../../query/raw-rows.js';
import { isMissingParent } from '../../query/refusals.js';
import { now, storable } from '../../query/values.js';
import { createSourceQueue } from './queue.js';
import {
  contentColumns,
  type Home,
  lastRunsOf,
  type RunRow,
  type SourceRow,
  sourcesIn,
  toRun,
  toSource,
} from './rows.js';

const NEWEST_FIRST = byTime<RunRow>('started_at', (row) => [row.started_at, row.id]);

export function createSourceStore(db: Knex): SourceStore {
  const shown = async (collectionId: string, rows: readonly SourceRow[]): Promise<Source[]> => {
    const home = await homeOf(db, collectionId);
    if (!home) return [];
    const runs = await lastRunsOf(
      db,
      rows.map(({ seq }) => seq),
    );
    return rows.map((row) => toSource(row, home, runs.get(row.seq)));
  };
  const get = async (collectionId: string, id: string) => {
    const rows = (await sourcesIn(db, collectionId).where('id', storable(id))) as SourceRow[];
    return (await shown(collectionId, rows))[0];
  };

  return {
    ...createSourceQueue(db),
    get,

    async list(collectionId) {
      const rows = (await sourcesIn(db, collectionId).orderBy('created_at').orderBy('id')) as SourceRow[];
      return shown(collectionId, rows);
    },

    async create(collectionId, content) {
      const made = await insert(db, collectionId, content);
      return made && (await shown(collectionId, [made]))[0];
    },

    async replace(collectionId, id, content) {
      const before = await get(collectionId, id);
      if (!before) return undefined;
      await sourcesIn(db, collectionId)
        .where('id', before.id)
        .update({ ...contentColumns(content), ...dueAfterChange(db, before, content), updated_at: now() });
      return get(collectionId, id);
    },

    async want(collectionId, id) {
      await sourcesIn(db, collectionId)
        .where('id', storable(id))
        .whereNull('claim')
        .update({ next_run_at: now() });
      return get(collectionId, id);
    },

    async runs(collectionId, id, page) {
      const query = db('source_runs').where(
        'source_seq',
        sourcesIn(db, collectionId).select('seq').where('id', storable(id)),
      );
      const { data, nextCursor } = await pageOf(query, NEWEST_FIRST, page);
      return { data: data.map(toRun), nextCursor };
    },

    delete: (collectionId, id, documents) =>
      db.transaction((trx) => deleteSource(trx, { collectionId, id, documents })),

    async brought(sourceId) {
      const rows = await db('documents')
        .where('source_id', storable(sourceId))
        .select<BroughtRow[]>('id', 'filename', 'sha256', 'source_key', 'source_version');
      return rows.map(({ id, filename, sha256, source_key: key, source_version }) => ({
        ...{ id, filename, key, sha256: sha256 ?? undefined, version: source_version ?? undefined },
      }));
    },
  };
}

interface BroughtRow {
  readonly id: string;
  readonly filename: string;
  readonly sha256: string | null;
  readonly source_key: string;
  readonly source_version: string | null;
}

async function homeOf(db: Knex, collectionId: string): Promise<Home | undefined> {
  const row = await db('collections')
    .where('id', storable(collectionId))
    .first<{ readonly organization_id: number } | undefined>('organization_id');
  return row && { collectionId, organizationId: row.organization_id };
}

async function insert(
  db: Knex,
  collectionId: string,
  content: SourceContent,
): Promise<SourceRow | undefined> {
  const at = now();
  const columns = {
    id: randomUUID(),
    ...contentColumns(content),
    ...{ next_run_at: at, created_at: at, updated_at: at },
  };
  const names = Object.keys(columns);
  const [made] = await rawRows<SourceRow>(
    db,
    `INSERT INTO sources (collection_seq, ${names.join(', ')})
     SELECT seq, ${names.map(() => '?').join(', ')} FROM collections WHERE id = ? AND place = 'here' RETURNING *`,
    [...Object.values(columns), storable(collectionId)],
  ).catch((error: unknown) => {
    // The collection was deleted in the same moment.
    if (isMissingParent(error)) return [];
    throw error;
  });
  return made;
}

/** Another place is gone to at once, and whoever is at the old one has lost it; another schedule counts from the last run. */
function dueAfterChange(db: Knex, before: Source, content: SourceContent): object {
  const { schedule } = content;
  const [was, is] = [contentColumns(before), contentColumns(content)];
  const isElsewhere = was.settings !== is.settings || was.token !== is.token;
  if (isElsewhere) return { next_run_at: now(), claim: null, lease_until: null, attempts: 0 };
  if (schedule === before.schedule) return {};
  const next = nextRunAfter(schedule, before.lastRun?.startedAt ?? now()) ?? null;
  return { next_run_at: db.raw('CASE WHEN claim IS NULL THEN ? ELSE next_run_at END', [next]) };
}

interface Deletion {
  readonly collectionId: string;
  readonly id: string;
  readonly documents: 'keep' | 'remove';
}

async function deleteSource(trx: Knex.Transaction, { collectionId, id, documents }: Deletion) {
  const row = (await sourcesIn(trx, collectionId).where('id', storable(id)).first()) as SourceRow | undefined;
  if (!row) return undefined;
  await trx('sources').where('seq', row.seq).del();
  await trx('source_runs').where('source_seq', row.seq).del();
  const own = () => trx('documents').where('source_id', row.id);
  if (documents === 'keep') {
    // The address of a web page brings it without us; to others a token was needed.
    const address = row.kind === 'web' ? {} : { source_url: null };
    await own().update({ source_id: null, source_key: null, source_version: null, ...address });
    return { documentIds: [] };
  }
  const gone = await own().select<{ readonly seq: number; readonly id: string }[]>('seq', 'id');
  await own().del();
  // What they consist of is swept up later, a little at a time.
  for (const { seq } of gone) await trx('editions').where('document_seq', seq).update({ live: false });
  return { documentIds: gone.map((document) => document.id) };
}
