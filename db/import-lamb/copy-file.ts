import { constants } from 'node:fs';
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, badRequest } from '../../src/core/errors.js';

/** What SQLite keeps beside a database: changes that are committed but not yet in the file itself. */
const BESIDE = ['-wal', '-journal'];
const MOST_TRIES = 5;

export interface Copy {
  readonly file: string;
  remove(): Promise<void>;
}

/** The database and what belongs to it, in a private folder: SQLite writes beside a file even to read it. */
export async function copyDatabase(file: string): Promise<Copy> {
  await mustBeAFile(file);
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-import-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'lamb.db');
    await copyWhileStill(file, copy);
    return { file: copy, remove };
  } catch (fault) {
    await remove();
    throw fault;
  }
}

async function mustBeAFile(file: string): Promise<void> {
  const facts = await stat(file).catch(unreadable(file));
  if (!facts.isFile()) throw badRequest(`${file} is not a file. Give the path of LAMB's lamb_v4.db.`);
}

/** A copy made while somebody was writing may be of two halves; it is made again. */
async function copyWhileStill(file: string, copy: string): Promise<void> {
  const all = ['', ...BESIDE];
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const before = await Promise.all(all.map((suffix) => fingerprint(file + suffix)));
    await Promise.all(all.map((suffix, i) => copyOne(file + suffix, copy + suffix, before[i] !== undefined)));
    const after = await Promise.all(all.map((suffix) => fingerprint(file + suffix)));
    if (before.join('\n') === after.join('\n')) return;
  }
  throw badRequest(`${file} is being written to all the time. Stop LAMB, or import a copy of its database.`);
}

async function copyOne(from: string, to: string, isThere: boolean): Promise<void> {
  await rm(to, { force: true });
  if (isThere) await copyFile(from, to, constants.COPYFILE_FICLONE).catch(unreadable(from));
}

async function fingerprint(file: string): Promise<string | undefined> {
  const facts = await stat(file, { bigint: true }).catch(() => undefined);
  return facts && `${String(facts.ino)} ${String(facts.size)} ${String(facts.mtimeNs)}`;
}

function unreadable(file: string): (fault: unknown) => never {
  return (fault) => {
    const { code } = fault as { readonly code?: string };
    if (code === 'ENOENT') throw badRequest(`There is no file ${file}.`);
    if (code === 'EACCES' || code === 'EPERM') throw badRequest(`${file} may not be read by this account.`);
    if (code === 'ENOSPC')
      throw badRequest('There is no room for a copy of the file in the temporary folder.');
    throw fault instanceof AppError
      ? fault
      : badRequest(`${file} cannot be read (${code ?? 'unknown reason'}).`);
  };
}
