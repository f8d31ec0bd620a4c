import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeIncoming } from './incoming.js';

/** Of each file so many are kept. */
const KEPT = 5;
/** Holds the path of the file whose states lie beside it. */
export const NAME_FILE = 'path';

export interface Backups {
  keep(path: string, bytes: Uint8Array): Promise<void>;
  drop(path: string): Promise<void>;
}

/** What files were before they were changed: a folder for each, with its path in it and the newest versions by time. */
export function createBackups(folder: string, incoming: string): Backups {
  const folderOf = (path: string) => backupFolder(folder, path);

  return {
    async keep(path, bytes) {
      const own = folderOf(path);
      await mkdir(own, { recursive: true, mode: 0o700 });
      const kept = (await readdir(own)).filter((name) => name !== NAME_FILE).sort();
      if (kept.length === 0) await put(join(own, NAME_FILE), Buffer.from(path), incoming);
      await put(join(own, nameAfter(kept.at(-1))), bytes, incoming);
      await syncFolder(own);
      const old = kept.slice(0, Math.max(0, kept.length + 1 - KEPT));
      await Promise.all(old.map((name) => rm(join(own, name), { force: true })));
    },

    drop: (path) => rm(folderOf(path), { recursive: true, force: true }),
  };
}

/** Where the states of one file are. */
export const backupFolder = (folder: string, path: string): string =>
  join(folder, createHash('sha256').update(path).digest('hex').slice(0, 32));

/** By time, and by number within one moment. */
function nameAfter(last = ''): string {
  return backupName(new Date().toISOString(), Number(last.split('-').at(-1)) + 1);
}

/** When a state was set aside, by its name. */
export const timeOfBackup = (name: string): string =>
  name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:').replace(/-\d+$/, '');

export const backupName = (at: string, number = 1): string =>
  `${at.replaceAll(':', '-')}-${String(number).padStart(6, '0')}`;

async function put(file: string, bytes: Uint8Array, incoming: string): Promise<void> {
  const arrived = await writeIncoming(incoming, bytes);
  await arrived.moveTo(file);
}
