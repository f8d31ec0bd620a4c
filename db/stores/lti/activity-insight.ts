import type { Knex } from 'knex';
import type {
  ActivityInsightStore,
  StudentDay,
  ToolDay,
  WeakAnswer,
} from '../../../src/core/lti/activity-insight.js';
import type { Content } from '../../../src/core/message.js';
import type { UsageSlice } from '../../../src/core/runs/usage.js';
import { rawRows } from '../../query/raw-rows.js';
import { judgedQuestions } from './judged-questions.js';
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
  readonly connector: string;
  readonly model: string;
  readonly prompt_tokens: number | string;
  readonly completion_tokens: number | string;
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
  SELECT substr(created_at, 1, 10) AS day, organization_id, coalesce(connector, '') AS connector,
    coalesce(model, '') AS model, sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens
  FROM usage_ledger
  WHERE activity_id = ? AND created_at >= ? AND created_at < ? AND coalesce(user_id, 0) NOT IN
    (SELECT user_id FROM lti_participants WHERE activity_id = ? AND role = 'instructor')
  GROUP BY 1, 2, 3, 4`;

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
    connector: row.connector,
    model: row.model,
    promptTokens: Number(row.prompt_tokens),
    completionTokens: Number(row.completion_tokens),
  };
}

function toWeakAnswer(row: WeakRow): WeakAnswer {
  return {
    conversationId: row.conversation_id,
    question: JSON.parse(row.content) as Content,
    why: row.unanswered === 1 ? 'unanswered' : 'sourceless',
    at: row.created_at,
  };
}
