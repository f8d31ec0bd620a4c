import type { Knex } from 'knex';
import type { PastItsDate } from '../../../src/core/lti/erasure.js';
import { ROWS_AT_ONCE } from './forgotten-runs.js';

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
