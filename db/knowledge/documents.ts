import type { Knex } from 'knex';
import type { NewDocument, SourcedFrom } from '../../src/core/knowledge/document.js';
import type { AddedDocument, DocumentStore } from '../../src/core/knowledge/stores.js';
import { byTime, pageOf } from '../query/paging.js';
import { rawRows } from '../query/raw-rows.js';
import { onlyContaining } from '../query/search.js';
import { isMissingParent } from '../query/refusals.js';
import { now, storable, storableOrNull } from '../query/values.js';
import { tagsOf, withTags } from './decisions/document-changes.js';
import {
  type DocumentRow,
  documentsIn,
  orSameDocument,
  toDocument,
  UNREAD,
  waitingFor,
} from './document-rows.js';

type Shelf = Pick<
  DocumentStore,
  | 'add'
  | 'addAll'
  | 'get'
  | 'countByStatus'
  | 'list'
  | 'requeue'
  | 'requeueScans'
  | 'renew'
  | 'delete'
  | 'unknown'
  | 'isUnderWay'
>;

/** Few enough for the parameters a statement may have. */
const IDS_AT_ONCE = 500;

const NEWEST_FIRST = byTime<DocumentRow>('created_at', (row) => [row.created_at, row.id]);

export function createDocumentRecords(db: Knex): Shelf {
  return {
    add: (collectionId, document) => addOne(db, collectionId, document).catch(orGone),

    addAll: (collectionId, documents) =>
      db
        .transaction(async (trx) => {
          const all: AddedDocument[] = [];
          for (const document of documents) {
            const added = await addOne(trx, collectionId, document);
            if (!added) return undefined;
            all.push(added);
          }
          return all;
        })
        .catch(orGone),

    async get(collectionId, id) {
      const row = (await documentsIn(db, collectionId).where('id', storable(id)).first()) as
        DocumentRow | undefined;
      return row && withTags(db, row, collectionId);
    },

    async countByStatus(collectionId) {
      const rows: (Pick<DocumentRow, 'status'> & { readonly count: number | string })[] = await documentsIn(
        db,
        collectionId,
      )
        .groupBy('status')
        .select('status')
        .count({ count: '*' });
      const counts = rows.map(({ status, count }) => [status, Number(count)] as const);
      return { queued: 0, processing: 0, ready: 0, failed: 0, ...Object.fromEntries(counts) };
    },

    async list(collectionId, { q, status }, page) {
      const query = documentsIn(db, collectionId);
      if (status !== undefined) query.where({ status });
      if (q !== undefined) onlyContaining(query, ['filename'], q);
      const { data, nextCursor } = await pageOf(query, NEWEST_FIRST, page);
      const tags = await tagsOf(db, data);
      return { data: data.map((row) => toDocument(row, collectionId, tags.get(row.seq))), nextCursor };
    },

    async requeue(collectionId, id) {
      const [row] = (await documentsIn(db, collectionId)
        .where('id', storable(id))
        .update({ ...UNREAD, ...waitingFor('ingest') }, '*')) as DocumentRow[];
      return row && withTags(db, row, collectionId);
    },

    async isUnderWay(collectionId) {
      return (await documentsIn(db, collectionId).whereNotNull('work').first('seq')) !== undefined;
    },

    async renew(id, source, news) {
      const columns = news && {
        ...{ filename: storable(news.filename), source_url: storableOrNull(news.sourceUrl) },
        ...{ bytes: news.bytes, sha256: storableOrNull(news.sha256) },
        ...{ ...UNREAD, ...waitingFor('ingest') },
      };
      const count = await db('documents')
        .where({ id: storable(id), source_id: source.id })
        .whereExists(claimedSource(db, source))
        .update({ source_version: storableOrNull(source.version), ...columns })
        .catch(orSameDocument);
      return count > 0;
    },

    requeueScans: (collectionId) =>
      documentsIn(db, collectionId)
        .where('needs_ocr', true)
        // What waits or is being read is read as the collection is set when its turn comes.
        .whereIn('status', ['ready', 'failed'])
        .update({ ...UNREAD, ...waitingFor('ingest') }),

    async unknown(ids) {
      const known = new Set<string>();
      for (let start = 0; start < ids.length; start += IDS_AT_ONCE)
        for (const id of await db('documents')
          .whereIn('id', ids.slice(start, start + IDS_AT_ONCE).map(storable))
          .pluck<string[]>('id'))
          known.add(id);
      return ids.filter((id) => !known.has(id));
    },

    delete: (collectionId, id) =>
      db.transaction(async (trx) => {
        const [gone] = await rawRows<{ readonly seq: number }>(
          trx,
          `DELETE FROM documents
           WHERE id = ? AND collection_seq = (SELECT seq FROM collections WHERE id = ?) RETURNING seq`,
          [storable(id), storable(collectionId)],
        );
        if (!gone) return false;
        // What it consists of is swept up later, a little at a time.
        await trx('editions').where('document_seq', gone.seq).update({ live: false });
        for (const table of ['passage_decisions', 'document_tags'])
          await trx(table).where('document_seq', gone.seq).del();
        return true;
      }),
  };
}

async function addOne(
  db: Knex,
  collectionId: string,
  document: NewDocument,
): Promise<AddedDocument | undefined> {
  const made = await insert(db, collectionId, document);
  if (made) return { document: toDocument(made, collectionId), isNew: true };
  const known = await knownAlready(db, collectionId, document);
  return known && { document: await withTags(db, known, collectionId), isNew: false };
}

/** The collection was deleted in the same moment. */
function orGone(error: unknown): undefined {
  if (!isMissingParent(error)) throw error;
}

/** Nothing when there is no such collection here, or when it has these bytes already. */
async function insert(
  db: Knex,
  collectionId: string,
  document: NewDocument,
): Promise<DocumentRow | undefined> {
  const at = now();
  const columns = {
    id: document.id,
    filename: storable(document.filename),
    source_url: storableOrNull(document.sourceUrl),
    ...sourceColumns(document.source),
    bytes: document.bytes,
    sha256: storableOrNull(document.sha256),
    ...UNREAD,
    work: 'ingest',
    queued_at: at,
    created_at: at,
    updated_at: at,
  };
  const names = Object.keys(columns);
  const { source } = document;
  const [made] = await rawRows<DocumentRow>(
    db,
    `INSERT INTO documents (collection_seq, owner_id, ${names.join(', ')})
     SELECT seq, owner_id, ${names.map(() => '?').join(', ')} FROM collections WHERE id = ? AND place = 'here'
       ${source ? 'AND EXISTS (SELECT 1 FROM sources WHERE id = ? AND claim = ?)' : ''}
     ON CONFLICT DO NOTHING RETURNING *`,
    [...Object.values(columns), storable(collectionId), ...(source ? [source.id, source.claim] : [])],
  );
  return made;
}

function sourceColumns(source: SourcedFrom | undefined) {
  if (!source) return {};
  const { id, key, version } = source;
  return { source_id: id, source_key: storable(key), source_version: storableOrNull(version) };
}

function claimedSource(db: Knex, { id, claim }: SourcedFrom): Knex.QueryBuilder {
  return db('sources').where({ id, claim });
}

async function knownAlready(
  db: Knex,
  collectionId: string,
  { sha256 }: NewDocument,
): Promise<DocumentRow | undefined> {
  if (sha256 === undefined) return undefined;
  const same = () => documentsIn(db, collectionId).where('sha256', storable(sha256));
  await same()
    .where('status', 'failed')
    .update({ ...UNREAD, ...waitingFor('ingest') });
  return (await same().first()) as DocumentRow | undefined;
}
