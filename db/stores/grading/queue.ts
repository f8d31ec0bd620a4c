import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { GradingQueue, GradingWork, WorkKind } from '../../../src/core/grading/submission.js';
import { isPostgres, rawRows } from '../../query/raw-rows.js';
import { now, storable } from '../../query/values.js';
import { movedOn, NO_WORK, type SubmissionRow, toSubmission } from './submissions.js';

const ATTEMPTS = { evaluate: 'evaluation_attempts', post: 'posting_attempts' } as const;
const ERROR = { evaluate: 'evaluation_error', post: 'posting_error' } as const;

export function createGradingQueue(db: Knex): GradingQueue {
  const settle = async (work: GradingWork, columns: object) => (await mine(db, work).update(columns)) > 0;

  return {
    async claim(kind, { ms }) {
      const at = now();
      const statement = claiming(kind, isPostgres(db));
      const values = [randomUUID(), inMs(ms), kind, at, at];
      const [row] = await rawRows<SubmissionRow>(db, statement, values);
      return row && { submission: toSubmission(row), attempts: row[ATTEMPTS[kind]], claim: row.claim ?? '' };
    },

    keep: (work, { ms }) => settle(work, { lease_until: inMs(ms) }),

    release: (kind, work) =>
      settle(work, { ...waiting(kind), [ATTEMPTS[kind]]: work.attempts - 1, next_attempt_at: now() }),

    later: (kind, work, { at, reason }) =>
      settle(work, { ...waiting(kind), [ERROR[kind]]: storable(reason), next_attempt_at: at }),

    propose(work, { rubric, proposal }) {
      const { levels, total: score, maximum, comment } = proposal;
      return settle(work, {
        ...{ status: 'proposed', evaluation_error: null },
        rubric: storable(JSON.stringify(rubric)),
        proposal: storable(JSON.stringify(proposal)),
        grade: storable(JSON.stringify({ levels, score, maximum, comment })),
        ...{ ...NO_WORK, ...movedOn(db) },
      });
    },

    failEvaluation: (work, reason) =>
      settle(work, {
        ...{ status: 'failed', evaluation_error: storable(reason) },
        ...{ ...NO_WORK, ...movedOn(db) },
      }),

    setScoreTimestamp: (work, at) => settle(work, { score_timestamp: at }),

    posted: (work) =>
      settle(work, {
        ...{ status: 'posted', posting: 'posted', posting_error: null, posted_at: now(), is_open: null },
        ...{ ...NO_WORK, ...movedOn(db) },
      }),

    failPosting: (work, { state, reason }) =>
      settle(work, {
        ...{ posting: state, posting_error: storable(reason) },
        // What cannot be told at all has come to its end; what failed may be tried again.
        ...(state === 'impossible' ? { is_open: null } : {}),
        ...{ ...NO_WORK, ...movedOn(db) },
      }),
  };
}

/** The submission of a claim, unless it is gone or somebody else's by now. */
function mine(db: Knex, { submission, claim }: GradingWork): Knex.QueryBuilder {
  return db('lti_submissions').where({ id: submission.id, claim });
}

const waiting = (kind: WorkKind) => ({
  ...{ claim: null, lease_until: null },
  ...(kind === 'evaluate' ? { status: 'submitted' } : {}),
});

/** One statement, so that of many who ask at once each gets another. */
function claiming(kind: WorkKind, postgres: boolean): string {
  const taken = kind === 'evaluate' ? `, status = 'evaluating'` : '';
  return `
    UPDATE lti_submissions SET
      claim = ?, lease_until = ?, ${ATTEMPTS[kind]} = ${ATTEMPTS[kind]} + 1${taken}
    WHERE id = (
      SELECT id FROM lti_submissions AS waiting
      WHERE waiting.work = ? AND waiting.next_attempt_at <= ?
        AND (waiting.lease_until IS NULL OR waiting.lease_until < ?)
      ORDER BY waiting.next_attempt_at, waiting.id
      LIMIT 1 ${postgres ? 'FOR UPDATE OF waiting SKIP LOCKED' : ''}
    )
    RETURNING *`;
}

function inMs(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}
