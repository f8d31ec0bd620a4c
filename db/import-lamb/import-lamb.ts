import { now } from '../query/values.js';
import { assistants } from './assistants.js';
import { eachBatch, importKind, type Job } from './import-kind.js';
import type { Kind } from './kind.js';
import { renumbered, reserveNumbers } from './numbers.js';
import { organizations } from './organizations.js';
import { importReferringAssistants } from './referring-assistants.js';
import { createTally, type ImportReport, type KindReport } from './report.js';
import { kbRegistry, promptTemplates, rubrics, shares } from './resources.js';
import { scenarios } from './scenarios.js';
import { usage } from './usage.js';
import { users } from './users.js';
import { integerOf } from './values.js';

/** Imports everything that is not here yet. Killed at any moment, it goes on where it was when run again. */
export async function importLamb(job: Job): Promise<ImportReport> {
  const report: KindReport[] = [];
  for (const kind of [organizations, users]) report.push(await importKind(kind, job));
  report.push(await importAssistants(job));
  for (const kind of [shares, rubrics, promptTemplates, kbRegistry, scenarios, usage]) {
    report.push(await importKind(kind, job));
  }
  if (report.some(({ imported }) => imported > 0)) await audit(job, report);
  return report;
}

async function importAssistants(job: Job): Promise<KindReport> {
  const tally = createTally(assistants.title);
  const referring: number[] = [];
  const noticing: Kind = {
    ...assistants,
    async importRow(row, ctx) {
      const outcome = await assistants.importRow(row, ctx);
      const id = integerOf(row['id']);
      if ('postponed' in outcome && id !== undefined) referring.push(id);
      return outcome;
    },
  };
  await reserveNumbers(job, tally);
  await eachBatch(noticing, job, tally);
  await importReferringAssistants(referring, job, tally);
  const total = await assistants.count(job.source);
  job.onProgress({ title: assistants.title, done: total, total });
  return { ...tally.report(), renumbered: await renumbered(job) };
}

/** Done at a terminal, so by nobody who has an account. */
async function audit({ db, source }: Job, report: ImportReport): Promise<void> {
  await db('audit').insert({
    action: 'import',
    resource: source.identity,
    outcome: 'done',
    reason: report.map(({ title, imported }) => `${title}: ${String(imported)}`).join(', '),
    created_at: now(),
  });
}
