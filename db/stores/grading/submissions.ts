import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Grade, GradingRubric, Proposal } from '../../../src/core/grading/grading.js';
import {
  type PostingState,
  type Seen,
  type Submission,
  type SubmissionStatus,
  type SubmissionStore,
  UNDECIDED,
  type WorkKind,
} from '../../../src/core/grading/submission.js';
import type { Timestamp } from '../../../src/core/stores.js';
import {
  json,
  jsonOrNull,
  number,
  numberOrNull,
  plain,
  type RowOf,
  text,
  textOrNull,
  valuesIn,
} from '../../query/columns.js';
import { byTime, pageOf } from '../../query/paging.js';
import { orConflict } from '../../query/refusals.js';
import { isRowId, now, storable } from '../../query/values.js';

const NEWEST_FIRST = byTime<SubmissionRow>('created_at', (row) => [row.created_at, row.id]);
const ONE_IS_OPEN = 'A submission of yours is being looked at. It can be handed in again once that is over.';

export function createSubmissionStore(db: Knex): SubmissionStore {
  const rows = () => db<SubmissionRow>('lti_submissions');

  return {
    async submit({ activityId, userId, text, who, rubric }) {
      const at = now();
      const id = randomUUID();
      await db('lti_submissions')
        .insert({
          ...{ id, activity_id: activityId, user_id: userId, who, is_open: 1, version: 1 },
          ...{ text: storable(text), rubric: storable(JSON.stringify(rubric)) },
          ...{ status: 'submitted', posting: 'none', ...workToDo('evaluate') },
          ...{ created_at: at, updated_at: at },
        })
        .catch(orConflict(ONE_IS_OPEN));
      const made = await rows().where({ id }).first();
      if (!made) throw new Error('a submission vanished while it was being made');
      return toSubmission(made);
    },

    async get(activityId, id) {
      const row = isRowId(activityId) ? await one(db, { activityId, id }).first<SubmissionRow>() : undefined;
      return row && toSubmission(row);
    },

    async list({ activityId, userId, status }, page) {
      const found = db('lti_submissions').where('activity_id', isRowId(activityId) ? activityId : 0);
      if (userId !== undefined) found.where('user_id', userId);
      if (status !== undefined) found.where('status', status);
      const { data, nextCursor } = await pageOf(found, NEWEST_FIRST, page);
      return { data: data.map(toSubmission), nextCursor };
    },

    ...decisionsOn(db),

    async withdraw(seen, userId) {
      return (await one(db, seen).where('user_id', userId).whereIn('status', UNDECIDED).del()) > 0;
    },

    async ofPerson(activityId, userId) {
      const found = await rows()
        .where({ activity_id: activityId, user_id: userId })
        .orderBy(['created_at', 'id']);
      return found.map(toSubmission);
    },
  };
}

type Decisions = Pick<SubmissionStore, 'edit' | 'approve' | 'reject' | 'evaluateAgain' | 'postAgain'>;

/** Each is one conditional statement: of two who decide at once, one does. */
function decisionsOn(db: Knex): Decisions {
  const change = async (query: Knex.QueryBuilder, columns: object): Promise<Submission | undefined> => {
    const [row] = (await query
      .update({ ...columns, ...movedOn(db) })
      .returning('*')
      .catch(orConflict(ONE_IS_OPEN_ALREADY))) as SubmissionRow[];
    return row && toSubmission(row);
  };
  const inState = (seen: Seen, ...statuses: readonly SubmissionStatus[]) =>
    one(db, seen).whereIn('status', statuses);

  return {
    edit: (seen, grade) =>
      change(inState(seen, 'proposed', 'failed'), { grade: storable(JSON.stringify(grade)) }),

    approve(seen, { userId, impossible }) {
      const at = now();
      const posting =
        impossible === undefined
          ? { posting: 'waiting', ...workToDo('post') }
          : { posting: 'impossible', posting_error: storable(impossible), is_open: null, ...NO_WORK };
      return change(inState(seen, 'proposed', 'failed').whereNotNull('grade'), {
        ...{ status: 'approved', decided_by: userId, decided_at: at, score_timestamp: at },
        ...posting,
      });
    },

    reject: (seen, { userId, comment }) =>
      change(inState(seen, 'proposed', 'failed'), {
        ...{ status: 'rejected', is_open: null, rejection: storable(comment) },
        ...{ decided_by: userId, decided_at: now() },
      }),

    evaluateAgain: (seen) =>
      change(inState(seen, 'proposed', 'failed'), {
        ...{ status: 'submitted', proposal: null, grade: null, ...workToDo('evaluate') },
        ...{ evaluation_attempts: 0, evaluation_error: null },
      }),

    postAgain: (seen) =>
      change(withoutLaterGrade(db, inState(seen, 'approved')), {
        ...{ posting: 'waiting', posting_error: null, is_open: 1, ...workToDo('post') },
      }),
  };
}

const ONE_IS_OPEN_ALREADY = 'The same person has handed in something since, which is being looked at.';

/** The one that was seen; whoever saw another version sees nothing. */
function one(db: Knex, { activityId, id, version }: Seen): Knex.QueryBuilder {
  return db('lti_submissions').where({
    ...{ activity_id: activityId, id: storable(id) },
    ...(version === undefined ? {} : { version }),
  });
}

function withoutLaterGrade(db: Knex, query: Knex.QueryBuilder): Knex.QueryBuilder {
  const later = db({ later: 'lti_submissions' })
    .whereRaw('later.activity_id = lti_submissions.activity_id')
    .whereRaw('later.user_id = lti_submissions.user_id')
    .whereRaw('later.created_at > lti_submissions.created_at')
    .whereIn('later.status', ['approved', 'posted']);
  return query.whereNotExists(later);
}

const COLUMNS = {
  id: text('id'),
  activityId: number('activity_id'),
  userId: number('user_id'),
  status: plain<SubmissionStatus>()('status'),
  version: number('version'),
  text: text('text'),
  who: textOrNull('who'),
  rubric: json<GradingRubric>()('rubric'),
  proposal: jsonOrNull<Proposal>()('proposal'),
  grade: jsonOrNull<Grade>()('grade'),
  evaluationError: textOrNull('evaluation_error'),
  rejection: textOrNull('rejection'),
  decidedBy: numberOrNull('decided_by'),
  decidedAt: plain<Timestamp | null>()('decided_at'),
  scoreTimestamp: plain<Timestamp | null>()('score_timestamp'),
  createdAt: plain<Timestamp>()('created_at'),
  updatedAt: plain<Timestamp>()('updated_at'),
};
const POSTING = {
  state: plain<PostingState>()('posting'),
  attempts: number('posting_attempts'),
  lastError: textOrNull('posting_error'),
  postedAt: plain<Timestamp | null>()('posted_at'),
};

/** With what the queue alone reads. */
export type SubmissionRow = RowOf<typeof COLUMNS> &
  RowOf<typeof POSTING> & { readonly claim: string | null; readonly evaluation_attempts: number };

export function toSubmission(row: SubmissionRow): Submission {
  return { ...valuesIn(COLUMNS, row), posting: valuesIn(POSTING, row) };
}

/** Something that an instructor would want to have seen. */
export function movedOn(db: Knex) {
  return { version: db.raw('version + 1'), updated_at: now() };
}

/** To be done at once, by whoever comes first. */
function workToDo(kind: WorkKind) {
  return { work: kind, next_attempt_at: now(), claim: null, lease_until: null };
}

export const NO_WORK = { work: null, next_attempt_at: null, claim: null, lease_until: null } as const;
