import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyDatabase, type CopyJob, type CopyOutcome } from '../../db/copy/copy.js';
import { type BlobPlace, isSamePlace, nameOfPlace } from '../../db/copy/files.js';
import { nameOf } from '../../db/copy/sides.js';
import type { Config } from '../config.js';
import type { DatabaseTarget } from '../core/base/database-target.js';
import { createRedactor } from '../core/base/redactor.js';
import { blobsUrlFault, type S3Place, s3PlaceIn } from '../core/blobs.js';
import { AppError } from '../core/errors.js';
import {
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

/** `npm run db:copy`: a program of its own. */
interface CopyArguments {
  readonly from: DatabaseTarget;
  readonly to: DatabaseTarget;
  /** Where each has its files: a folder, or a place in object storage; found out when absent. */
  readonly fromBlobs: string | undefined;
  readonly toBlobs: string | undefined;
}

const USAGE = `Copies an installation from one database into another, and verifies the copy.

  npm run db:copy -- --from <database> --to <database> [--from-blobs <place>] [--to-blobs <place>]

  --from         where it is: sqlite:path/to/bellwether.db or postgres://user:password@host/database
  --to           where it goes, in the same words: an empty database, or a file that is not there
  --from-blobs   where its files and documents are: a data folder, or s3://bucket/prefix?endpoint=…&region=…
  --to-blobs     where those go, in the same words

Without the last two: the folder of the SQLite file, and for PostgreSQL what BLOBS_URL or DATA_DIR says. Where both are the
same place, files stay where they are.

Stop the service first. The source is only read. Interrupted or killed, run it again: it goes on where it was.
`;

function readArguments(args: string[]): GivenArguments<CopyArguments> {
  const { values } = parseArgs({
    args,
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      'from-blobs': { type: 'string' },
      'to-blobs': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return helpWanted;
  const [from, to] = [databaseIn(values.from), databaseIn(values.to)];
  for (const [option, given, read] of [
    ['--from', values.from, from],
    ['--to', values.to, to],
  ] as const) {
    if (given === undefined) return misused(`${option} is missing: which database?`);
    if (read === undefined)
      return misused(`${option} must begin with sqlite: or postgres://, and "${beginning(given)}" does not.`);
  }
  for (const option of ['from-blobs', 'to-blobs'] as const) {
    const fault = blobsFault(values[option]);
    if (fault !== undefined) return misused(`--${option} ${fault}.`);
  }
  if (!from || !to) return helpWanted;
  const { 'from-blobs': fromBlobs, 'to-blobs': toBlobs } = values;
  return { ok: true, arguments: { from, to, fromBlobs, toBlobs } };
}

function blobsFault(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (given === '') return 'must be a folder or s3://bucket/prefix';
  return /^\w+:\/\//.test(given) ? blobsUrlFault(given)?.replace('empty', 'a folder') : undefined;
}

/** Undefined for what is neither a file nor a server. */
function databaseIn(given = ''): DatabaseTarget | undefined {
  const [, file] = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(given) ?? [];
  if (file !== undefined) return { kind: 'sqlite', file: typedPath(file) };
  return /^postgres(ql)?:\/\//.test(given) && URL.canParse(given)
    ? { kind: 'postgres', url: given }
    : undefined;
}

/** What is misspelt may hold a password. */
const beginning = (given: string) => (given.length > 12 ? `${given.slice(0, 12)}…` : given);

/** Where nothing is said: of the database that this installation is configured for, its own; of a file elsewhere, its folder. */
function blobsOf(given: string | undefined, database: DatabaseTarget, config: Config): BlobPlace {
  const { dataDir, filesFolder, blobs, s3 } = config;
  const inFolder = (folder: string) => ({ kind: 'folder' as const, dataDir: folder });
  const inStorage = (place: S3Place) => ({
    ...{ kind: 's3' as const, place, incoming: join(filesFolder, '.incoming') },
  });
  if (given?.startsWith('s3://') === true) return inStorage(s3PlaceIn(given, s3));
  if (given !== undefined) return inFolder(typedPath(given));
  if (database.kind === 'sqlite' && nameOf(database) !== nameOf(config.database))
    return inFolder(dirname(database.file));
  return blobs ? inStorage(blobs) : inFolder(dataDir);
}

async function run({ from, to, fromBlobs, toBlobs }: CopyArguments, config: Config): Promise<void> {
  const signal = stopSignal();
  const display = createProgressDisplay(process.stdout);
  const blobs = { from: blobsOf(fromBlobs, from, config), to: blobsOf(toBlobs, to, config) };
  say(`Copying ${nameOf(from)} to ${nameOf(to)}.`);
  say(
    isSamePlace(blobs.from, blobs.to)
      ? `Files and documents stay at ${nameOfPlace(blobs.from)}.`
      : `Files and documents go from ${nameOfPlace(blobs.from)} to ${nameOfPlace(blobs.to)}.`,
  );
  try {
    const outcome = await copyDatabase({
      ...{ from, to, signal, blobs },
      onProgress: atTimes(display.show),
      warn: (sentence) => {
        process.stderr.write(`${sentence}\n`);
      },
    }).finally(display.end);
    say(summary(outcome));
    if (outcome.sealed) say(aboutKey(from, config));
  } catch (fault) {
    if (signal.aborted) fail('Interrupted. Run it again to go on from there.', INTERRUPTED);
    else fail(`The copy failed: ${whyNot(fault, [from, to])}`, FAILED);
  }
}

/** A log gets a line when a table is done, and one now and then while a large one is under way. */
const LINE_EVERY_MS = 5_000;

function atTimes(show: CopyJob['onProgress']): CopyJob['onProgress'] {
  let last = 0;
  return (progress) => {
    const isDue = progress.done >= progress.total || Date.now() - last > LINE_EVERY_MS;
    if (!process.stdout.isTTY && !isDue) return;
    last = Date.now();
    show(progress);
  };
}

function summary({ tables, copied, files }: CopyOutcome): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const isNothing = copied === 0 && files.copied === 0;
  return [
    isNothing
      ? 'Nothing was left to copy.'
      : `Copied ${String(copied)} rows and ${String(files.copied)} files.`,
    `Verified: ${String(rows)} rows in ${String(tables.length)} tables and ${String(files.verified)} files are the same in both, by count and checksum.`,
  ].join('\n');
}

function aboutKey(from: DatabaseTarget, { secretKey, dataDir }: Config): string {
  if (secretKey !== undefined) return 'Secrets were copied as they are sealed: keep the same SECRET_KEY.';
  const file = join(from.kind === 'sqlite' ? dirname(from.file) : dataDir, 'secret.key');
  return `Secrets were copied as they are sealed: take ${file} along into the DATA_DIR of the new place, or they cannot be opened.`;
}

/** For the administrator's eyes, on the terminal where they started it. */
function whyNot(fault: unknown, databases: readonly DatabaseTarget[]): string {
  if (fault instanceof AppError) return fault.message;
  const { code, message } = fault as { readonly code?: string; readonly message?: string };
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT')
    return 'a file is no SQLite database, or is damaged. "npm run doctor" looks through it.';
  if (code === 'SQLITE_BUSY')
    return 'a file is being written to all the time, by a service or another copy. Let it finish, or stop it meanwhile.';
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === '53100')
    return 'the disk is full. Make room, then run it again.';
  if (code === '3D000') return 'the database does not exist on that server. Make it first (createdb).';
  const redactor = createRedactor();
  for (const database of databases) if (database.kind === 'postgres') redactor.protect(database.url);
  return redactor.redact(message ?? 'unknown reason');
}

await runProgram({ usage: USAGE, read: readArguments, run });
