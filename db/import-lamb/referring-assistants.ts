import type { AssistantRow } from '../stores/assistants/rows.js';
import { assistants, insertAssistant, keepFirstVersion } from './assistants.js';
import { importBatch, type Job } from './import-kind.js';
import { skipped, type Kind } from './kind.js';
import { alreadyImported } from './memory.js';
import { assistantsNamedIn, rewriteCalls, rewriteReferences } from './references.js';
import type { RowResult, Tally } from './report.js';
import { ROWS_AT_ONCE } from './source.js';

const CUT_OFF = 'names an assistant that did not come over: that number is negative now, and calls nobody';

/**
 * Assistants that name others, all in one transaction: they may name each other in a circle, so each must have
 * its new id before any can be written down for good.
 */
export async function importReferringAssistants(
  ids: readonly number[],
  job: Job,
  tally: Tally,
): Promise<void> {
  if (ids.length === 0) return;
  const { results, cutOff } = await job.db.transaction(async (trx) => {
    const made: number[] = [];
    const results = await insertAll(ids, made, { ...job, db: trx });
    const cutOff: string[] = [];
    for (const id of made) {
      job.signal.throwIfAborted();
      if (!(await rename(id, { ...job, db: trx }))) cutOff.push(String(id));
    }
    return { results, cutOff };
  });
  for (const result of results) tally.add(result);
  for (const id of cutOff) tally.remark(CUT_OFF, `number ${id} here`);
}

async function insertAll(ids: readonly number[], made: number[], job: Job): Promise<readonly RowResult[]> {
  const referring: Kind = {
    ...assistants,
    async importRow(row, ctx) {
      const id = await insertAssistant(row, ctx);
      if (id === undefined) return skipped('it has no owner');
      made.push(id);
      return { imported: id };
    },
  };
  const results: RowResult[] = [];
  for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
    const rows = await job.source.where('assistants', 'id', ids.slice(start, start + ROWS_AT_ONCE));
    results.push(...(await importBatch(referring, rows, job)));
  }
  return results;
}

/** Puts the new ids into its metadata. False when one of them is not known: that one is made to call nobody. */
async function rename(id: number, { db, source }: Job): Promise<boolean> {
  const row = (await db('assistants').where({ id }).first()) as AssistantRow;
  const { system_prompt, prompt_template } = row;
  const named = assistantsNamedIn(row.metadata, [system_prompt, prompt_template]);
  const known = await alreadyImported(db, source.identity, 'assistant', named.map(String));
  const inWords = (text: string) => rewriteCalls(text, (old) => Number(known.get(String(old)) ?? old));
  const metadata = rewriteReferences(row.metadata, (old) => Number(known.get(String(old)) ?? -old));
  // The type depends on which tools it has, not on whom they call: it was right from the start.
  await db('assistants')
    .where({ id })
    .update({
      metadata,
      system_prompt: inWords(system_prompt),
      prompt_template: inWords(prompt_template),
    });
  await keepFirstVersion(db, id);
  return assistantsNamedIn(row.metadata).every((old) => known.has(String(old)));
}
