import type { Knex } from 'knex';

export const BASELINE = '20261116000100_baseline';

/** What the baseline is made of: each was a migration of its own, and is recorded in databases that are older than it. */
export const SQUASHED: readonly string[] = [
  '20261115000100_people',
  '20261115000200_assistants',
  '20261115000300_conversations',
  '20261115000400_runs',
  '20261115000500_audit',
  '20261115000600_resources',
  '20261115000610_prompt_template_search',
  '20261115000700_approvals',
  '20261115000710_direct_runs',
  '20261115000800_indexes_for_lists',
  '20261115000810_generations',
  '20261115000900_knowledge',
  '20261115000910_collection_generation',
  '20261115001000_runs_of_assistants',
  '20261115001010_audit_lists',
  '20261115001020_lti_platforms',
  '20261115001030_answer_details',
  '20261115001100_lti_launches',
  '20261115001110_activities_of_chats',
  '20261115001120_launch_generations',
  '20261115001130_lti_submissions',
  '20261115001140_lti_erasures',
  '20261115001150_one_search',
  '20261115001200_platforms_of_each_organization',
  '20261115001210_collection_external_ids',
  '20261115001220_step_facts',
];

const RECORDS = 'knex_migrations';

/**
 * A database that has every migration of before the baseline has the baseline's schema, to the column: only its records
 * are exchanged. One that has some of them is refused, because nothing here can bring it the others.
 */
export async function recordBaseline(trx: Knex): Promise<void> {
  const squashed = await squashedIn(trx);
  if (squashed === 0) return;
  if (squashed < SQUASHED.length) throw new Error(stoppedHalfWay(squashed));
  await trx(RECORDS).whereIn('name', SQUASHED).delete();
  await trx(RECORDS).insert({ name: BASELINE, batch: 1, migration_time: new Date() });
}

/** Whether it is of before the baseline, and if so why it cannot be brought up to date, unless it can. */
export async function beforeBaseline(db: Knex): Promise<{ readonly fault: string | undefined } | undefined> {
  const squashed = await squashedIn(db);
  if (squashed === 0) return undefined;
  return { fault: squashed < SQUASHED.length ? stoppedHalfWay(squashed) : undefined };
}

async function squashedIn(db: Knex): Promise<number> {
  if (!(await db.schema.hasTable(RECORDS))) return 0;
  return (await db(RECORDS).whereIn('name', SQUASHED).pluck('name')).length;
}

function stoppedHalfWay(squashed: number): string {
  return (
    `This database is of an older version: it has ${String(squashed)} of the ${String(SQUASHED.length)} migrations that were later ` +
    'put together into one. Nothing was changed in it. Start it once with the last version that has them one by one ' +
    '(docs/operating.md, "A database of an older version", says how to get it), then start this version.'
  );
}
