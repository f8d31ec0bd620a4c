import type { Knex } from 'knex';
import type { WeakAnswerFilter } from '../../../src/core/lti/activity-insight.js';

/**
 * Every question that a learner has asked in an activity, with what became of it. A conversation that was used since
 * then is all that can hold something said since then, so the index of the activity leads to no other.
 */
export function judgedQuestions(
  db: Knex,
  { activityId, since, before, retrieving }: WeakAnswerFilter,
): Knex.Raw {
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
