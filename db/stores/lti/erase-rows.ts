import type { Knex } from 'knex';
import type { DueRun, ErasureStore, PastItsDate } from '../../../src/core/lti/erasure.js';

/** Wherever somebody may stand: as long as they are in one of them, they are not forgotten. */
const PLACES: readonly { readonly table: string; readonly column: string }[] = [
  { table: 'lti_participants', column: 'user_id' },
  { table: 'lti_sessions', column: 'user_id' },
  { table: 'lti_submissions', column: 'user_id' },
  { table: 'lti_erasures', column: 'user_id' },
  { table: 'conversations', column: 'user_id' },
  { table: 'runs', column: 'user_id' },
  { table: 'usage_ledger', column: 'user_id' },
  // Days are kept for longer than the rows of the ledger.
  { table: 'usage_user_days', column: 'user_id' },
  { table: 'approvals', column: 'user_id' },
  // Theirs is the right by which others use an assistant.
  { table: 'lti_activity_assistants', column: 'added_by' },
];

/** The list is read by the reader: it looks at everybody. */
export function createForgottenPeople(
  db: Knex,
  reader: Knex,
): Pick<ErasureStore, 'absentees' | 'eraseParticipants' | 'unneeded' | 'isUnneeded' | 'erasePerson'> {
  return {
    absentees: ({ activityId, before }) =>
      reader('lti_participants')
        .where('activity_id', activityId)
        .where('last_seen_at', '<', before)
        .modify(withNothingIn(reader, ['conversations', 'lti_sessions', 'lti_submissions', 'runs']))
        .limit(ROWS_AT_ONCE)
        .pluck<number[]>('user_id'),

    async eraseParticipants({ activityId, before }, userIds) {
      return db.transaction(async (trx) => {
        const theirs = (table: string) =>
          trx(table).where('activity_id', activityId).whereIn('user_id', userIds);
        // Whoever has come again meanwhile stays.
        const gone = await theirs('lti_participants').where('last_seen_at', '<', before).del();
        const there = trx('lti_participants').where('activity_id', activityId).select('user_id');
        await theirs('lti_consents').whereNotIn('user_id', there).del();
        return gone;
      });
    },

    unneeded: (after, knownBefore) =>
      forgettable(reader)
        .where('lti_people.user_id', '>', after)
        .where('lti_people.created_at', '<', knownBefore)
        .orderBy('lti_people.user_id')
        .limit(ROWS_AT_ONCE)
        .pluck<number[]>('lti_people.user_id'),

    async isUnneeded(userId) {
      const found: unknown = await forgettable(db).where('lti_people.user_id', userId).first('lti_people.id');
      return found !== undefined;
    },

    async erasePerson(userId) {
      return db.transaction(async (trx) => {
        const them = forgettable(trx).where('lti_people.user_id', userId).select('lti_people.user_id');
        // What else names them goes with this row.
        if ((await trx('users').whereIn('id', them).where('role', 'student').del()) === 0) return false;
        await trx('audit').where('user_id', userId).update({ user_id: null });
        for (const table of ['budget_accounts', 'budget_alerts'])
          await trx(table).where('user_id', userId).del();
        return true;
      });
    },
  };
}

function withNothingIn(db: Knex, tables: readonly string[]): (rows: Knex.QueryBuilder) => void {
  return (rows) => {
    for (const table of tables) {
      const here = db(table)
        .whereRaw('??.activity_id = lti_participants.activity_id', [table])
        .whereRaw('??.user_id = lti_participants.user_id', [table]);
      rows.whereNotExists(here);
    }
  };
}

/** Not those who have proved that an account here is theirs. */
function forgettable(db: Knex): Knex.QueryBuilder {
  const people = db('lti_people').whereNull('linked_user_id');
  for (const { table, column } of PLACES) {
    people.whereNotExists(db(table).whereRaw('??.?? = lti_people.user_id', [table, column]));
  }
  return people.whereNotExists(spentBySomebody(db)).whereNotExists(limitedPerson(db));
}

/** Until its period is over: whoever could be forgotten at will would have a new budget each time they come again. */
const spentBySomebody = (db: Knex) =>
  db('budget_accounts')
    .join('budgets', 'budgets.id', 'budget_id')
    .whereRaw('budget_accounts.user_id = lti_people.user_id')
    .where('used', '>', 0);

const limitedPerson = (db: Knex) =>
  db('budgets').where('scope_type', 'user').whereRaw('scope_id = lti_people.user_id');

/** In one transaction: few enough that nobody waits long for it. */
export const ROWS_AT_ONCE = 200;

interface RunRow {
  readonly id: string;
  readonly user_id: number;
}

export function createForgottenRuns(
  db: Knex,
): Pick<ErasureStore, 'dueRuns' | 'runsToErase' | 'strays' | 'eraseRuns' | 'forgetApprovals'> {
  const some = async (runs: Knex.QueryBuilder): Promise<readonly DueRun[]> => {
    const rows: RunRow[] = await runs.limit(ROWS_AT_ONCE).select('runs.id', 'runs.user_id');
    return rows.map(({ id, user_id }) => ({ id, userId: user_id }));
  };

  return {
    dueRuns: ({ activityId, before }) =>
      some(db('runs').where('activity_id', activityId).where('started_at', '<', before)),

    runsToErase: ({ activityId, userId, askedAt }) =>
      some(db('runs').where({ activity_id: activityId, user_id: userId }).where('started_at', '<=', askedAt)),

    strays: (activityId, since) =>
      some(strayIn(db, 'runs', activityId).where('runs.started_at', '>=', since)),

    async eraseRuns(runs) {
      const ids = runs.map(({ id }) => id);
      const people = [...new Set(runs.map(({ userId }) => userId))];
      await db.transaction(async (trx) => {
        for (const table of ['usage_ledger', 'audit']) {
          // By the person as well: the books have no index by run, and grow with every question.
          await trx(table).whereIn('user_id', people).whereIn('run_id', ids).update({ user_id: null });
        }
        await trx('approvals').whereIn('run_id', ids).del();
        await trx('runs').whereIn('id', ids).del();
      });
    },

    forgetApprovals: (now) => db('approvals').where('expires_at', '<', now).del(),
  };
}

/** Of somebody who is not in that activity. Whoever comes is, before they can say anything. */
export function strayIn(db: Knex, table: 'runs' | 'conversations', activityId: number): Knex.QueryBuilder {
  return db(table)
    .where(`${table}.activity_id`, activityId)
    .whereNotExists(
      db('lti_participants')
        .whereRaw('lti_participants.activity_id = ??.activity_id', [table])
        .whereRaw('lti_participants.user_id = ??.user_id', [table]),
    );
}

/** A grade that an instructor has given is still told to the platform; nothing but the grade is kept for that. */
const TO_BE_TOLD = `(status = 'approved' AND coalesce(work, '') = 'post')`;
const BLANKED = { text: '', who: null, proposal: null };

/** All that somebody has handed in. */
export async function eraseSubmissions(
  trx: Knex.Transaction,
  whose: { readonly activity_id: number; readonly user_id: number },
): Promise<void> {
  const theirs = () => trx('lti_submissions').where(whose);
  await theirs().whereRaw(TO_BE_TOLD).update(BLANKED);
  await theirs().whereRaw(`NOT ${TO_BE_TOLD}`).del();
}

/** What nothing has happened to since, and what was blanked and has been told by now. */
export async function forgetSubmissions(db: Knex, { activityId, before }: PastItsDate): Promise<number> {
  const some = (chosen: Knex.QueryBuilder) =>
    db('lti_submissions').whereIn('id', chosen.limit(ROWS_AT_ONCE).select('id')).del();
  const done = () => db('lti_submissions').where('activity_id', activityId).whereRaw(`NOT ${TO_BE_TOLD}`);
  const old = await some(done().where('updated_at', '<', before));
  return old + (await some(done().where('text', '')));
}
