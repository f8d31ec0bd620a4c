import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type {
  QuestionTarget,
  RunReason,
  TestQuestion,
  TestQuestionStore,
  TestRun,
  VainQuestion,
  VainQuestionStore,
} from '../../src/core/knowledge/questions.js';
import type { Timestamp } from '../../src/core/stores.js';
import { byTimeAndRow, pageOf } from '../query/paging.js';
import { rawRows } from '../query/raw-rows.js';
import { isRowId, now, storable, storableOrNull } from '../query/values.js';

const seqOf = (db: Knex, collectionId: string) =>
  db('collections').select('seq').where('id', storable(collectionId));

interface QuestionRow {
  readonly id: string;
  readonly question: string;
  /** JSON. */
  readonly targets: string;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

function toQuestion(row: QuestionRow): TestQuestion {
  return {
    id: row.id,
    question: row.question,
    targets: JSON.parse(row.targets) as QuestionTarget[],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function createTestQuestionStore(db: Knex): TestQuestionStore {
  const questionsOf = (collectionId: string) =>
    db<QuestionRow>('test_questions').where('collection_seq', seqOf(db, collectionId));
  const contentOf = (content: Pick<TestQuestion, 'question' | 'targets'>) => ({
    question: storable(content.question),
    targets: storable(JSON.stringify(content.targets)),
  });

  return {
    async list(collectionId) {
      const rows = await questionsOf(collectionId).orderBy(['created_at', 'id']);
      return rows.map(toQuestion);
    },

    async add(collectionId, content, most) {
      const at = now();
      const columns = { id: randomUUID(), ...contentOf(content), created_at: at, updated_at: at };
      const names = Object.keys(columns);
      const [row] = await rawRows<QuestionRow>(
        db,
        `INSERT INTO test_questions (collection_seq, ${names.join(', ')})
         SELECT seq, ${names.map(() => '?').join(', ')} FROM collections
         WHERE id = ? AND (SELECT count(*) FROM test_questions WHERE collection_seq = collections.seq) < ?
         RETURNING *`,
        [...Object.values(columns), storable(collectionId), most],
      );
      if (row) return toQuestion(row);
      return (await seqOf(db, collectionId).first()) === undefined ? undefined : 'too many';
    },

    async replace(collectionId, id, content) {
      const [row] = await questionsOf(collectionId)
        .where('id', storable(id))
        .update({ ...contentOf(content), updated_at: now() }, '*');
      return row && toQuestion(row);
    },

    async delete(collectionId, id) {
      return (await questionsOf(collectionId).where('id', storable(id)).del()) > 0;
    },

    addRun: (collectionId, run, most) => db.transaction((trx) => addRun(trx, collectionId, { run, most })),

    async runs(collectionId, limit) {
      const rows = await db<RunRow>('test_question_runs')
        .where('collection_seq', seqOf(db, collectionId))
        .orderBy('id', 'desc')
        .limit(limit);
      return rows.map(toRun);
    },
  };
}

interface RunRow {
  readonly id: number;
  readonly at: Timestamp;
  readonly reason: RunReason;
  readonly top_k: number;
  readonly embeddings: string | null;
  readonly asked: number;
  readonly found: number;
  readonly mrr: number;
  /** JSON. */
  readonly ranks: string;
}

function toRun(row: RunRow): TestRun {
  return {
    id: row.id,
    at: row.at,
    reason: row.reason,
    topK: row.top_k,
    embeddings: row.embeddings ?? undefined,
    asked: row.asked,
    found: row.found,
    mrr: row.mrr,
    ranks: JSON.parse(row.ranks) as TestRun['ranks'],
  };
}

async function addRun(
  trx: Knex.Transaction,
  collectionId: string,
  { run, most }: { readonly run: Omit<TestRun, 'id' | 'at'>; readonly most: number },
): Promise<TestRun | undefined> {
  const columns = {
    ...{ at: now(), reason: run.reason, top_k: run.topK, asked: run.asked, found: run.found, mrr: run.mrr },
    embeddings: storableOrNull(run.embeddings),
    ranks: JSON.stringify(run.ranks),
  };
  const names = Object.keys(columns);
  const [row] = await rawRows<RunRow & { readonly collection_seq: number }>(
    trx,
    `INSERT INTO test_question_runs (collection_seq, ${names.join(', ')})
     SELECT seq, ${names.map(() => '?').join(', ')} FROM collections WHERE id = ? RETURNING *`,
    [...Object.values(columns), storable(collectionId)],
  );
  if (!row) return undefined;
  const runs = () => trx('test_question_runs').where('collection_seq', row.collection_seq);
  const oldest = await runs()
    .orderBy('id', 'desc')
    .offset(most)
    .first<{ readonly id: number } | undefined>('id');
  if (oldest) await runs().where('id', '<=', oldest.id).del();
  return toRun(row);
}

interface VainRow {
  readonly id: number;
  readonly question: string;
  readonly count: number;
  readonly last_asked_at: Timestamp;
}

/** Asked again while somebody turns pages, a question moves to the front: it is seen there, or twice. */
const LAST_FIRST = byTimeAndRow<VainRow>('last_asked_at', (row) => [row.last_asked_at, row.id]);

export function createVainQuestionStore(db: Knex): VainQuestionStore {
  const questionsOf = (collectionId: string) =>
    db('vain_questions').where('collection_seq', seqOf(db, collectionId));
  return {
    add: (question, most) =>
      db.transaction(async (trx) => {
        const [row] = await rawRows<{ readonly collection_seq: number }>(
          trx,
          `INSERT INTO vain_questions (collection_seq, normalised, question, count, last_asked_at, expires_at)
           SELECT seq, ?, ?, ?, ?, ? FROM collections WHERE id = ?
           ON CONFLICT (collection_seq, normalised) DO UPDATE SET
             count = vain_questions.count + excluded.count, question = excluded.question,
             last_asked_at = excluded.last_asked_at, expires_at = excluded.expires_at
           RETURNING collection_seq`,
          [
            ...[storable(question.normalised), storable(question.question), question.count],
            ...[now(), question.expiresAt, storable(question.collectionId)],
          ],
        );
        if (!row) return;
        const all = () => trx('vain_questions').where('collection_seq', row.collection_seq);
        const beyond = all().orderBy([
          { column: 'last_asked_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ]);
        const ids = (await beyond.offset(most).limit(most).pluck('id')) as number[];
        if (ids.length > 0) await all().whereIn('id', ids).del();
      }),

    async list(collectionId, page) {
      const { data, nextCursor } = await pageOf<VainRow>(questionsOf(collectionId), LAST_FIRST, page);
      return { data: data.map(toVainQuestion), nextCursor };
    },

    async delete(collectionId, id) {
      return isRowId(id) && (await questionsOf(collectionId).where({ id }).del()) > 0;
    },

    sweep: (at) => db('vain_questions').where('expires_at', '<=', at).del(),
  };
}

function toVainQuestion({ id, question, count, last_asked_at }: VainRow): VainQuestion {
  return { id, question, count, lastAskedAt: last_asked_at };
}
