import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeIncoming } from './incoming.js';

/** Of each file so many are kept. */
const KEPT = 5;
const NAME_FILE = 'path';

export interface Backups {
  keep(path: string, bytes: Uint8Array): Promise<void>;
  drop(path: string): Promise<void>;
}

/** What files were before they were changed: a folder for each, with its path in it and the newest versions by time. */
export function createBackups(folder: string, incoming: string): Backups {
  const folderOf = (path: string) =>
    join(folder, createHash('sha256').update(path).digest('hex').slice(0, 32));

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

/** By time, and by number within one moment. */
function nameAfter(last = ''): string {
  const time = new Date().toISOString().replaceAll(':', '-');
  const number = Number(last.split('-').at(-1)) + 1;
  return `${time}-${String(number).padStart(6, '0')}`;
}

async function put(file: string, bytes: Uint8Array, incoming: string): Promise<void> {
  const arrived = await writeIncoming(incoming, bytes);
  await arrived.moveTo(file);
}
