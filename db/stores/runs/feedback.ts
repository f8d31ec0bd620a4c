import type { Knex } from 'knex';
import type { Feedback, FeedbackStore, Rating } from '../../../src/core/runs/stores.js';
import { storable } from '../../query/values.js';

interface RatedRow {
  readonly id: string;
  readonly rating: Rating;
  readonly rating_comment: string | null;
  readonly rated_at: string;
}

interface SumRow {
  readonly rating: Rating;
  readonly runs: number | string;
}

const MOST_COMMENTS = 200;

/** Only whoever asked may speak about an answer: it stands with the run, and goes with it. */
export function createFeedbackStore(db: Knex): FeedbackStore {
  const rated = (assistantId: number) => ratedRuns(db, assistantId);

  return {
    async give(runId, userId, { rating, comment, at }) {
      const theirs = db('runs')
        .where({ id: storable(runId), user_id: userId })
        .whereNull('parent_run_id');
      const changed = await theirs.update({
        ...{ rating, rating_comment: comment === undefined ? null : storable(comment), rated_at: at },
      });
      return changed > 0;
    },

    async of(userId, runIds) {
      if (runIds.length === 0) return new Map();
      const rows = await db<RatedRow>('runs')
        .whereIn('id', runIds.map(storable))
        .where('user_id', userId)
        .whereNotNull('rating')
        .select('id', 'rating', 'rating_comment', 'rated_at');
      return new Map(rows.map((row) => [row.id, toFeedback(row)]));
    },

    async on(assistantId, fewestStudents) {
      const shown = () => inLargeGroups(db, assistantId, fewestStudents);
      const sums: SumRow[] = await shown().groupBy('rating').select('rating').count({ runs: '*' });
      const rows: RatedRow[] = await shown()
        .whereNotNull('rating_comment')
        .orderBy([
          { column: 'rated_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(MOST_COMMENTS)
        .select('id', 'rating', 'rating_comment', 'rated_at');
      const hidden: unknown = await rated(assistantId)
        .whereNotNull('activity_id')
        .whereNotIn('activity_id', largeGroups(db, assistantId, fewestStudents))
        .first('id');
      const sumOf = (rating: Rating) => Number(sums.find((sum) => sum.rating === rating)?.runs ?? 0);
      return {
        ...{ up: sumOf('up'), down: sumOf('down'), isSuppressed: hidden !== undefined },
        comments: rows.map((row) => ({
          ...toFeedback(row),
          ...{ runId: row.id, comment: row.rating_comment ?? '' },
        })),
      };
    },
  };
}

function ratedRuns(db: Knex, assistantId: number): Knex.QueryBuilder {
  return db('runs').where('runs.assistant_id', assistantId).whereNotNull('runs.rating');
}

/** The activities in which so many students have spoken. */
function largeGroups(db: Knex, assistantId: number, fewestStudents: number): Knex.QueryBuilder {
  return ratedRuns(db, assistantId)
    .join('lti_participants as student', (on) =>
      on.on('student.activity_id', 'runs.activity_id').on('student.user_id', 'runs.user_id'),
    )
    .where('student.role', 'learner')
    .groupBy('runs.activity_id')
    .havingRaw('count(DISTINCT runs.user_id) >= ?', [fewestStudents])
    .select('runs.activity_id');
}

/** Its runs that somebody has spoken about, but for those of small groups. */
export function inLargeGroups(db: Knex, assistantId: number, fewestStudents: number): Knex.QueryBuilder {
  const large = largeGroups(db, assistantId, fewestStudents);
  return ratedRuns(db, assistantId).where((one) => {
    void one.whereNull('runs.activity_id').orWhereIn('runs.activity_id', large);
  });
}

function toFeedback({ rating, rating_comment, rated_at }: RatedRow): Feedback {
  return { rating, comment: rating_comment ?? undefined, at: rated_at };
}
