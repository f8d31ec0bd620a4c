import type { Knex } from 'knex';
import { assistantsNamedIn } from './references.js';

/** Where an assistant leaves traces of being used. */
const TRACES: readonly (readonly [table: string, column: string])[] = [
  ['conversations', 'assistant_id'],
  ['runs', 'assistant_id'],
  ['usage_ledger', 'assistant_id'],
  ['assistant_shares', 'assistant_id'],
  ['lti_activity_assistants', 'assistant_id'],
  ['lti_activities', 'evaluation_assistant_id'],
];

/** By what it says of itself: one that somebody has made their own is a demonstration no longer. */
export interface DemonstrationWords {
  readonly name: string;
  readonly description: string;
}

interface Demonstration extends DemonstrationWords {
  readonly id: number;
}

/** All of those that were never used, or none: what is left of them must not call what comes in another's place. */
export async function removeDemonstrations(
  trx: Knex,
  wanted: ReadonlySet<number>,
  demonstrations: readonly DemonstrationWords[],
): Promise<readonly Demonstration[]> {
  const names = demonstrations.map(({ name }) => name);
  const rows = await trx('assistants')
    .where({ deleted_at: null })
    .whereIn('name', names)
    .select<Demonstration[]>('id', 'name', 'description');
  const unused: Demonstration[] = [];
  for (const row of rows) {
    const isOurs = demonstrations.some(
      ({ name, description }) => name === row.name && description === row.description,
    );
    if (isOurs && (await isUnchanged(trx, row.id)) && !(await isUsed(trx, row.id))) unused.push(row);
  }
  const removable = await namedByNobodyElse(trx, unused);
  if (!removable.some(({ id }) => wanted.has(id))) return [];
  const ids = removable.map(({ id }) => id);
  await trx('assistant_versions').whereIn('assistant_id', ids).delete();
  await trx('assistants').whereIn('id', ids).delete();
  return removable;
}

/** Whatever was published or not: that is no work of anybody's. */
async function isUnchanged(trx: Knex, id: number): Promise<boolean> {
  const versions = await trx('assistant_versions')
    .where({ assistant_id: id })
    .select<{ readonly content: string }[]>('content');
  const contents = versions.map(({ content }) => {
    const {
      published: _is,
      publish_scope: _where,
      ...written
    } = JSON.parse(content) as Record<string, unknown>;
    return JSON.stringify(written);
  });
  return new Set(contents).size === 1;
}

async function isUsed(trx: Knex, id: number): Promise<boolean> {
  for (const [table, column] of TRACES) {
    if (
      await trx(table)
        .where({ [column]: id })
        .first(trx.raw('1'))
    )
      return true;
  }
  return false;
}

/** Without those that an assistant calls which stays. */
async function namedByNobodyElse(
  trx: Knex,
  candidates: readonly Demonstration[],
): Promise<readonly Demonstration[]> {
  const others = await trx('assistants')
    .whereNotIn(
      'id',
      candidates.map(({ id }) => id),
    )
    .where('metadata', 'like', '%assistant%')
    .select<{ readonly metadata: string | null }[]>('metadata');
  const named = new Set(others.flatMap(({ metadata }) => assistantsNamedIn(metadata)));
  const left = candidates.filter(({ id }) => !named.has(id));
  return left.length === candidates.length ? left : namedByNobodyElse(trx, left);
}
