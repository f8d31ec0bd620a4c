import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Knex } from 'knex';
import { importLamb } from '../../db/import-lamb/import-lamb.js';
import { rehearse, withDb } from '../../db/import-lamb/rehearse.js';
import type { ImportReport } from '../../db/import-lamb/report.js';
import { lacksAdministrator, type LambSource, openLamb } from '../../db/import-lamb/source.js';
import { createSecretKeyStore } from '../../db/stores/access/secret-key.js';
import type { Config } from '../config.js';
import { createRedactor } from '../core/base/redactor.js';
import { AppError } from '../core/errors.js';
import { sealSecrets } from '../core/organizations/config-secrets.js';
import { DEMO_ASSISTANTS } from '../organizations/demo-data.js';
import { CODE } from '../paths.js';
import { loadAllPlugins } from '../plugins/load.js';
import { scenarioHash } from '../scenarios/hashes.js';
import { agreeOnKey } from '../security/agreed-key.js';
import { createSecretBox, readSecretKey } from '../security/secret-box.js';
import {
  createTerminalLogger,
  fail,
  FAILED,
  type GivenArguments,
  helpWanted,
  INTERRUPTED,
  misused,
  runProgram,
  say,
  stopSignal,
  typedPath,
} from './program.js';
import { createProgressDisplay } from './progress.js';

/** `npm run import:lamb`: a program of its own. */
interface ImportArguments {
  readonly file: string;
  readonly dryRun: boolean;
  readonly prefix: string | undefined;
  /** Where to write the whole report, as JSON. */
  readonly report: string | undefined;
}

const USAGE = `Imports an existing LAMB installation.

  npm run import:lamb -- path/to/lamb_v4.db [--dry-run] [--prefix LAMB_] [--report report.json]

  --dry-run   does everything, shows the report, and keeps nothing
  --prefix    which installation, when one file holds several
  --report    writes the report as JSON, with every assistant that has another number here
`;

function readArguments(args: string[]): GivenArguments<ImportArguments> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      prefix: { type: 'string' },
      report: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return helpWanted;
  const [file, ...more] = positionals;
  if (file === undefined) return misused('Which file? Give the path of LAMB’s database.');
  if (more.length > 0) return misused(`One file at a time; "${more.join('", "')}" is too much.`);
  const { 'dry-run': dryRun, prefix, report } = values;
  return { ok: true, arguments: { file, dryRun, prefix, report } };
}

async function run(
  { file, dryRun, prefix, report: reportFile }: ImportArguments,
  config: Config,
): Promise<void> {
  const signal = stopSignal();
  try {
    const source = await openLamb(typedPath(file), prefix);
    const outcome = await importFrom(source, config, { dryRun, signal }).finally(source.close);
    if (reportFile !== undefined) {
      await writeFile(
        typedPath(reportFile),
        `${JSON.stringify({ dry_run: dryRun, kinds: outcome.report }, null, 2)}\n`,
      );
    }
    say(`\n${importSummary(outcome.report)}\n\n${nextStep(outcome, dryRun, config)}`);
  } catch (fault) {
    if (signal.aborted)
      fail('Interrupted. What was reported is in place; run it again to go on from there.', INTERRUPTED);
    else fail(`The import failed: ${whyNot(fault)}`, FAILED);
  }
}

interface Outcome {
  readonly report: ImportReport;
  readonly administratorIsMissing: boolean;
}

async function importFrom(
  source: LambSource,
  config: Config,
  { dryRun, signal }: { readonly dryRun: boolean; readonly signal: AbortSignal },
): Promise<Outcome> {
  const log = createTerminalLogger('error');
  const { tools } = await loadAllPlugins(CODE, log, config.toolFolders);
  const display = createProgressDisplay(process.stdout);
  // A dry run leaves nothing behind, not even the key that a first start would make.
  const key = dryRun ? randomBytes(32) : await readSecretKey(config);
  const box = createSecretBox(key);
  const options = {
    catalogue: { placeholderOf: (type: string) => tools.get(type)?.placeholder },
    demonstrations: DEMO_ASSISTANTS,
    scenarioHash,
    seal: (organizationConfig: Record<string, unknown>) => ({ ...sealSecrets(organizationConfig, box) }),
  };
  const work = async (db: Knex): Promise<Outcome> => {
    if (!dryRun) await agreeOnKey(key, config, createSecretKeyStore(db));
    const report = await importLamb({ db, source, options, onProgress: display.show, signal });
    return { report, administratorIsMissing: await lacksAdministrator(db, config.admin.email) };
  };
  say(
    `Importing from a LAMB database with the table prefix "${source.prefix}"${dryRun ? ' (dry run)' : ''}.`,
  );
  try {
    return await (dryRun ? rehearse(config.database, work) : withDb(config.database, work));
  } finally {
    display.end();
  }
}

function nextStep({ administratorIsMissing }: Outcome, dryRun: boolean, { admin }: Config): string {
  if (dryRun) return 'This was a dry run: nothing was changed. Run it without --dry-run to import.';
  if (!administratorIsMissing)
    return 'Next: npm start, then people sign in with the passwords they have in LAMB.';
  return `Next: set ADMIN_EMAIL to an address that is not an imported user's (${admin.email} is), then npm start makes the administrator.`;
}

/** For the administrator's eyes, on the terminal where they started it. */
function whyNot(fault: unknown): string {
  if (fault instanceof AppError) return fault.message;
  const { code, message } = fault as { readonly code?: string; readonly message?: string };
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return `the database of DATABASE_URL cannot be reached (${code}).`;
  if (code === 'SQLITE_BUSY')
    return 'the database is being written to all the time. Try again, or stop the service meanwhile.';
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return 'the disk is full. Make room, then run it again.';
  return createRedactor().redact(message ?? 'unknown reason');
}

/** What became of the rows of one kind; the shape in which an import reports. */
export interface ReportedKind {
  readonly title: string;
  readonly imported: number;
  readonly present: number;
  readonly skipped: number;
  readonly reasons: readonly ReportedNote[];
  readonly remarks: readonly ReportedNote[];
  readonly renumbered?: readonly { readonly from: number; readonly to: number; readonly name: string }[];
}

interface ReportedNote {
  readonly text: string;
  readonly count: number;
  readonly examples: readonly string[];
}

const MOST_RENUMBERED = 100;
const HEAD = ['', 'imported', 'already there', 'skipped'];

/** The table a person reads at the end, with every reason below it. */
function importSummary(report: readonly ReportedKind[]): string {
  const rows = report.map(({ title, imported, present, skipped }) =>
    [title, imported, present, skipped].map(String),
  );
  const widths = HEAD.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('   ')}`;

  return [
    line(HEAD),
    ...rows.map(line),
    ...section('Skipped, and why', report, ({ reasons }) => reasons),
    ...section('Good to know', report, ({ remarks }) => remarks),
    ...report.flatMap(newNumbers),
  ].join('\n');
}

/** For whoever has the old numbers in a script, or in other software. */
function newNumbers({ title, renumbered = [] }: ReportedKind): string[] {
  if (renumbered.length === 0) return [];
  const lines = renumbered
    .slice(0, MOST_RENUMBERED)
    .map(({ from, to, name }) => `  lamb_assistant.${String(from)} → lamb_assistant.${String(to)}   ${name}`);
  const more = renumbered.length - lines.length;
  return [
    '',
    `Another number here, because the old one is taken (${title})`,
    ...lines,
    ...(more > 0 ? [`  and ${String(more)} more: --report writes them all`] : []),
  ];
}

function section(
  title: string,
  report: readonly ReportedKind[],
  notesOf: (kind: ReportedKind) => readonly ReportedNote[],
): string[] {
  const lines = report.flatMap((kind) => notesOf(kind).map((note) => `  ${kind.title}: ${told(note)}`));
  return lines.length === 0 ? [] : ['', title, ...lines];
}

function told({ text, count, examples }: ReportedNote): string {
  const more = count > examples.length ? ', …' : '';
  return `${String(count)} × ${text} (${examples.join(', ')}${more})`;
}

await runProgram({ usage: USAGE, read: readArguments, run });
