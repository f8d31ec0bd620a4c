import type { Knex } from 'knex';
import {
  type Annotation,
  type AnnotationStatus,
  type AnnotationStore,
  type Example,
  MOST_ANNOTATIONS,
} from '../../../src/core/assistants/annotation.js';
import type { Timestamp } from '../../../src/core/stores.js';
import { cellsOf, number, plain, type RowOf, text, valuesIn } from '../../query/columns.js';
import { byId, countOf, pageOf } from '../../query/paging.js';
import { isRowId, now } from '../../query/values.js';

const CONTENT = {
  question: text('question'),
  answer: text('answer'),
  status: plain<AnnotationStatus>()('status'),
};
const NEW = { assistantId: number('assistant_id'), runId: plain<string | null>()('run_id'), ...CONTENT };
const COLUMNS = {
  id: number('id'),
  ...NEW,
  createdAt: plain<Timestamp>()('created_at'),
  updatedAt: plain<Timestamp>()('updated_at'),
};
type AnnotationRow = RowOf<typeof COLUMNS>;

const TABLE = 'assistant_annotations';
const PASSED = 'passed_examples';

export function createAnnotationStore(db: Knex): AnnotationStore {
  const of = (on: Knex, assistantId: number, table = TABLE) => on(table).where('assistant_id', assistantId);
  const one = (on: Knex, assistantId: number, id: number) =>
    of(on, assistantId).where('id', isRowId(id) ? id : 0);

  return {
    create: (annotation) =>
      db.transaction(async (trx) => {
        const at = now();
        const row = { ...cellsOf(NEW, annotation), created_at: at, updated_at: at };
        const [made] = (await trx(TABLE).insert(row, '*')) as [AnnotationRow];
        if ((await countOf(of(trx, annotation.assistantId), undefined, 'id')) > MOST_ANNOTATIONS) {
          await trx(TABLE).where('id', made.id).del();
          return undefined;
        }
        await countExamples(trx, annotation.assistantId);
        return toAnnotation(made);
      }),

    async list(assistantId, page) {
      const { data, nextCursor } = await pageOf(
        of(db, assistantId).select('*'),
        byId<AnnotationRow>('id'),
        page,
      );
      return { data: data.map(toAnnotation), nextCursor };
    },

    active: (assistantId) =>
      of(db, assistantId)
        .where('status', 'active')
        .orderBy('id', 'desc')
        .limit(MOST_ANNOTATIONS)
        .select<Example[]>('id', 'question', 'answer'),

    passed: (assistantId, contentHash) =>
      of(db, assistantId, PASSED)
        .where('content_hash', contentHash)
        .orderBy('annotation_id', 'desc')
        .limit(MOST_ANNOTATIONS)
        .select<Example[]>('annotation_id as id', 'question', 'answer'),

    keepPassed: (assistantId, contentHash, examples) =>
      db.transaction(async (trx) => {
        await of(trx, assistantId, PASSED).where('content_hash', contentHash).del();
        // One that was deleted meanwhile is not kept after all; the others stay until this is done.
        const ids = examples.map(({ id }) => id);
        const there = new Set(await of(trx, assistantId).whereIn('id', ids).forShare().pluck<number[]>('id'));
        const rows = examples
          .filter(({ id }) => there.has(id))
          .map(({ id, question, answer }) => ({
            ...{ assistant_id: assistantId, content_hash: contentHash, annotation_id: id, question, answer },
          }));
        if (rows.length > 0) await trx(PASSED).insert(rows);
        await countExamples(trx, assistantId);
      }),

    change: (assistantId, id, change) =>
      db.transaction(async (trx) => {
        const [row] = (await one(trx, assistantId, id).update(
          { ...cellsOf(CONTENT, change), updated_at: now() },
          '*',
        )) as AnnotationRow[];
        if (!row) return undefined;
        await countExamples(trx, assistantId);
        return toAnnotation(row);
      }),

    delete: (assistantId, id) =>
      db.transaction(async (trx) => {
        if ((await one(trx, assistantId, id).del()) === 0) return false;
        await countExamples(trx, assistantId);
        return true;
      }),
  };
}

function toAnnotation(row: AnnotationRow): Annotation {
  return valuesIn(COLUMNS, row);
}

async function countExamples(trx: Knex.Transaction, assistantId: number): Promise<void> {
  const passed = trx(PASSED).where('assistant_id', assistantId).select('annotation_id');
  const inUse = trx(TABLE)
    .where('assistant_id', assistantId)
    .where((some) => {
      void some.where('status', 'active').orWhereIn('id', passed);
    })
    .count('*');
  await trx('assistants').where('id', assistantId).update({ examples: inUse });
}
