import type { Knex } from 'knex';
import type {
  ActivityInsightStore,
  StudentDay,
  ToolDay,
  WeakAnswer,
  WeakAnswerFilter,
} from '../../../src/core/lti/activity-insight.js';
import type { ChatContent } from '../../../src/core/message.js';
import type { UsageSlice } from '../../../src/core/runs/usage.js';
import { rawRows } from '../../query/raw-rows.js';
import { bookedIn } from '../usage.js';
import { createTranscripts, onlyReadable } from './transcripts.js';

interface StudentDayRow {
  readonly day: string;
  readonly user_id: number;
  readonly questions: number | string;
  readonly unanswered: number | string;
  readonly sourceless: number | string;
  readonly named: number;
}

interface ToolDayRow {
  readonly day: string;
  readonly tool: string;
  readonly calls: number | string;
  readonly failed: number | string;
}

interface UsageRow {
  readonly day: string;
  readonly organization_id: number;
  readonly prompt_tokens: number | string;
  readonly completion_tokens: number | string;
  readonly cost: number | string;
  readonly currency: string;
}

interface WeakRow {
  readonly conversation_id: string;
  /** JSON. */
  readonly content: string;
  readonly unanswered: number;
  readonly created_at: string;
}

/** What an instructor may come to see of an activity. Everything is found along the indexes of activities. */
export function createActivityInsightStore(db: Knex): ActivityInsightStore {
  return {
    async studentDays(filter) {
      const rows: StudentDayRow[] = await db
        .from(db.raw('(?) AS judged', [judgedQuestions(db, filter)]))
        .groupBy('day', 'user_id')
        .select('day', 'user_id')
        .count({ questions: '*' })
        .sum({ unanswered: 'unanswered', sourceless: 'sourceless' })
        .min({ named: 'named' });
      return rows.map(toStudentDay);
    },

    async toolDays(activityId, { since, before }) {
      const rows = await rawRows<ToolDayRow>(db, TOOL_DAYS, [activityId, since, before]);
      return rows.map(toToolDay);
    },

    async usageDays(activityId, { since, before }) {
      const rows = await rawRows<UsageRow>(db, USAGE_DAYS, [activityId, since, before, activityId]);
      return rows.map(toSlice);
    },

    async weakAnswers(filter, of, most) {
      const judged = db.from(db.raw('(?) AS judged', [judgedQuestions(db, filter)]));
      const rows: WeakRow[] = await onlyReadable(judged, of)
        .whereRaw('unanswered + sourceless > 0')
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'message_id', order: 'desc' },
        ])
        .limit(most)
        .select('conversation_id', 'content', 'unanswered', 'created_at');
      return rows.map(toWeakAnswer);
    },

    ...createTranscripts(db),
  };
}

const TOOL_DAYS = `
  SELECT substr(run.started_at, 1, 10) AS day, step.tool, count(*) AS calls,
    sum(CASE WHEN step.ok THEN 0 ELSE 1 END) AS failed
  FROM runs AS run
  JOIN lti_participants AS student
    ON student.activity_id = run.activity_id AND student.user_id = run.user_id AND student.role = 'learner'
  JOIN run_steps AS step ON step.run_id = run.id
  WHERE run.activity_id = ? AND run.started_at >= ? AND run.started_at < ?
    AND step.kind IN ('tool', 'placeholder') AND step.tool IS NOT NULL
  GROUP BY 1, 2`;

/** What is nobody's any more was a student's more often than not. */
const USAGE_DAYS = `
  SELECT substr(created_at, 1, 10) AS day, organization_id, coalesce(currency, '') AS currency,
    sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens, sum(coalesce(cost, 0)) AS cost
  FROM usage_ledger
  WHERE activity_id = ? AND created_at >= ? AND created_at < ? AND coalesce(user_id, 0) NOT IN
    (SELECT user_id FROM lti_participants WHERE activity_id = ? AND role = 'instructor')
  GROUP BY 1, 2, 3`;

function toStudentDay(row: StudentDayRow): StudentDay {
  return {
    day: row.day,
    userId: row.user_id,
    questions: Number(row.questions),
    unanswered: Number(row.unanswered),
    sourceless: Number(row.sourceless),
    named: row.named === 1,
  };
}

function toToolDay({ day, tool, calls, failed }: ToolDayRow): ToolDay {
  return { day, tool, calls: Number(calls), failed: Number(failed) };
}

function toSlice(row: UsageRow): UsageSlice {
  return {
    key: row.day,
    organizationId: row.organization_id,
    promptTokens: Number(row.prompt_tokens),
    completionTokens: Number(row.completion_tokens),
    ...bookedIn(row),
  };
}

function toWeakAnswer(row: WeakRow): WeakAnswer {
  return {
    conversationId: row.conversation_id,
    question: JSON.parse(row.content) as ChatContent,
    why: row.unanswered === 1 ? 'unanswered' : 'sourceless',
    at: row.created_at,
  };
}

/**
 * Every question that a learner has asked in an activity, with what became of it. A conversation that was used since
 * then is all that can hold something said since then, so the index of the activity leads to no other.
 */
function judgedQuestions(db: Knex, { activityId, since, before, retrieving }: WeakAnswerFilter): Knex.Raw {
  // Nobody's, where there is none: a list may not be empty.
  const assistants = retrieving.length === 0 ? [0] : retrieving;
  const sql = judgedBy(assistants.map(() => '?').join(', '));
  return db.raw(sql, [...assistants, activityId, since, since, before]);
}

/** What is said next in the same conversation is beside each. */
const SAID = `
  SELECT message.id AS message_id, message.conversation_id, message.role, message.content, message.run_id,
    message.created_at, talk.user_id, talk.assistant_id, talk.transcript_policy,
    CASE WHEN agreed.user_id IS NULL THEN 0 ELSE 1 END AS agrees,
    lead(message.role) OVER next AS next_role, lead(message.run_id) OVER next AS next_run_id,
    lead(message.incomplete) OVER next AS next_incomplete, lead(message.details) OVER next AS next_details
  FROM conversations AS talk
  JOIN lti_participants AS student
    ON student.activity_id = talk.activity_id AND student.user_id = talk.user_id AND student.role = 'learner'
  LEFT JOIN lti_consents AS agreed
    ON agreed.activity_id = talk.activity_id AND agreed.user_id = talk.user_id
  JOIN messages AS message ON message.conversation_id = talk.id
  WHERE talk.activity_id = ? AND talk.updated_at >= ?
  WINDOW next AS (PARTITION BY message.conversation_id ORDER BY message.id)`;

const ANSWERED = `(next_role = 'assistant' AND NOT next_incomplete)`;

/** As they are written with every answer: sources first. */
const NO_SOURCES = `(next_details IS NULL OR next_details LIKE '{"sources":[]%')`;

/** Several messages that one run was asked with are one question. */
const CONTINUED = `(next_role = 'user' AND next_run_id = run_id)`;

function judgedBy(retrieving: string): string {
  return `
    SELECT substr(created_at, 1, 10) AS day, user_id, transcript_policy, agrees, conversation_id, message_id, content,
      created_at,
      CASE WHEN transcript_policy = 'named' AND agrees = 1 THEN 1 ELSE 0 END AS named,
      CASE WHEN ${ANSWERED} THEN 0 ELSE 1 END AS unanswered,
      CASE WHEN ${ANSWERED} AND ${NO_SOURCES} AND assistant_id IN (${retrieving}) THEN 1 ELSE 0 END AS sourceless
    FROM (${SAID}) AS said
    WHERE role = 'user' AND created_at >= ? AND created_at < ? AND ${CONTINUED} IS NOT TRUE`;
}
