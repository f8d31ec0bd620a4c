import type { Knex } from 'knex';
import type {
  AskedQuestion,
  AssistantInsightStore,
  KeptAnswer,
  RatedAnswer,
} from '../../../src/core/assistants/insight.js';
import type { TranscriptPolicy } from '../../../src/core/lti/activity.js';
import { type Content, textOf } from '../../../src/core/message.js';
import type { AnswerDetails } from '../../../src/core/runs/conversation.js';
import type { Rating } from '../../../src/core/runs/stores.js';
import type { Timestamp } from '../../../src/core/stores.js';
import { inLargeGroups } from '../runs/feedback.js';

interface RunRow {
  readonly id: string;
  readonly user_id: number;
  readonly activity_id: number | null;
  readonly conversation_id: string | null;
  readonly started_at: Timestamp;
}

interface RatedRow extends RunRow {
  readonly rating: Rating;
  readonly rating_comment: string | null;
  readonly rated_at: Timestamp;
}

interface SaidRow {
  readonly run_id: string;
  readonly role: 'user' | 'assistant';
  /** JSON. */
  readonly content: string;
  readonly details: string | null;
  readonly incomplete: boolean | number;
  readonly begun_under: TranscriptPolicy | null;
  readonly is_learner: number;
  readonly agrees: number;
  readonly is_visitor: number;
}

const RUN = ['id', 'user_id', 'activity_id', 'conversation_id', 'started_at'].map((name) => `runs.${name}`);
/** How many runs are looked for with one question: a database takes only so many values at once. */
const AT_ONCE = 500;

/** Along the runs of an assistant, which have an index of their own, to what was said for each. */
export function createAssistantInsightStore(db: Knex): AssistantInsightStore {
  return {
    async questions(assistantId, { since, before }, most) {
      const runs: RunRow[] = await db('runs')
        .where('assistant_id', assistantId)
        .where('started_at', '>=', since)
        .where('started_at', '<', before)
        .whereNotNull('conversation_id')
        .whereNull('parent_run_id')
        .orderBy([
          { column: 'started_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(most)
        .select(RUN);
      const asked = await askedIn(db, runs);
      return runs.flatMap(({ id }) => asked.get(id) ?? []);
    },

    async rated(assistantId, { since, before }, { fewestStudents, most }) {
      const rows: RatedRow[] = await inLargeGroups(db, assistantId, fewestStudents)
        .where('rated_at', '>=', since)
        .where('rated_at', '<', before)
        .orderBy([
          { column: 'rating', order: 'asc' },
          { column: 'rated_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(most)
        .select(RUN)
        .select('rating', 'rating_comment', 'rated_at');
      const asked = await askedIn(db, rows);
      return rows.map((row) => toRated(row, asked.get(row.id)));
    },
  };
}

async function askedIn(db: Knex, runs: readonly RunRow[]): Promise<ReadonlyMap<string, AskedQuestion>> {
  const kept = runs.filter(({ conversation_id }) => conversation_id !== null);
  const said = new Map<string, SaidRow[]>();
  for (let from = 0; from < kept.length; from += AT_ONCE) {
    for (const row of await saidIn(db, kept.slice(from, from + AT_ONCE)))
      said.set(row.run_id, [...(said.get(row.run_id) ?? []), row]);
  }
  return new Map(
    kept.flatMap((run) => {
      const asked = toAsked(run, said.get(run.id) ?? []);
      return asked ? [[run.id, asked]] : [];
    }),
  );
}

/** In the order in which it was said. Where a conversation was deleted, nothing is left. */
function saidIn(db: Knex, runs: readonly RunRow[]): Promise<SaidRow[]> {
  const isThere = (alias: string, name: string) =>
    db.raw(`CASE WHEN ${alias}.user_id IS NULL THEN 0 ELSE 1 END AS ${name}`);
  const inActivity =
    (alias: string): Knex.JoinCallback =>
    (on) =>
      void on.on(`${alias}.activity_id`, 'talk.activity_id').on(`${alias}.user_id`, 'talk.user_id');
  return db('messages as message')
    .join('conversations as talk', 'talk.id', 'message.conversation_id')
    .leftJoin('lti_participants as student', (on) => {
      inActivity('student').call(on, on);
      void on.onVal('student.role', 'learner');
    })
    .leftJoin('lti_consents as agreed', inActivity('agreed'))
    .leftJoin('link_visits as visit', 'visit.user_id', 'talk.user_id')
    .whereIn('message.conversation_id', [...new Set(runs.map((run) => run.conversation_id ?? ''))])
    .whereIn(
      'message.run_id',
      runs.map(({ id }) => id),
    )
    .orderBy('message.id')
    .select<SaidRow[]>(
      ...['run_id', 'role', 'content', 'details', 'incomplete'].map((name) => `message.${name}`),
      'talk.transcript_policy as begun_under',
      isThere('student', 'is_learner'),
      isThere('agreed', 'agrees'),
      isThere('visit', 'is_visitor'),
    );
}

function toAsked(run: RunRow, said: readonly SaidRow[]): AskedQuestion | undefined {
  const asked = said.findLast(({ role }) => role === 'user');
  if (!asked) return undefined;
  const answer = said.findLast(({ role }) => role === 'assistant');
  return {
    runId: run.id,
    userId: run.user_id,
    activityId: run.activity_id,
    isLearner: asked.is_learner === 1,
    begunUnder: asked.begun_under,
    agrees: asked.agrees === 1,
    isVisitor: asked.is_visitor === 1,
    question: JSON.parse(asked.content) as Content,
    answer: answer && toAnswer(answer),
    at: run.started_at,
  };
}

function toAnswer({ content, incomplete, details }: SaidRow): KeptAnswer {
  return {
    text: textOf(JSON.parse(content) as Content),
    isIncomplete: Boolean(incomplete),
    sources: details === null ? [] : (JSON.parse(details) as AnswerDetails).sources,
  };
}

function toRated(row: RatedRow, asked: AskedQuestion | undefined): RatedAnswer {
  return {
    ...{ runId: row.id, rating: row.rating, comment: row.rating_comment, at: row.rated_at },
    asked,
  };
}
