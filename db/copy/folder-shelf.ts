import { mkdir, open, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OpenBytes } from '../../src/core/blobs.js';
import { backupFolder, backupName, NAME_FILE, timeOfBackup } from '../files/backups.js';
import { syncFolder } from '../files/incoming.js';
import { factsOf, walk } from '../files/list.js';
import { except } from '../files/open-inside.js';
import { digestOf, type FileName, type Shelf } from './shelf.js';

const BACKUPS = '.backups';
const OWNER = /^[1-9]\d*$/;

/** Private files below `DATA_DIR/files`, with their times. */
export function createFolderShelf(folder: string): Shelf {
  const backupsOf = (ownerId: number) => join(folder, BACKUPS, String(ownerId));
  const placeOf = ({ ownerId, path, at, isBackup }: FileName) =>
    isBackup
      ? join(backupFolder(backupsOf(ownerId), path), backupName(at))
      : join(folder, String(ownerId), path);

  async function* files(): ReturnType<Shelf['list']> {
    for (const owner of await ownersIn(folder)) {
      const home = join(folder, owner);
      for await (const path of walk(home)) {
        const facts = await factsOf(home, path);
        if (facts)
          yield {
            ...{ ownerId: Number(owner), path, at: facts.updatedAt, isBackup: false },
            open: () => opened(join(home, path)),
          };
      }
    }
  }

  async function* backups(): ReturnType<Shelf['list']> {
    for (const owner of await ownersIn(join(folder, BACKUPS)))
      for (const hash of await namesIn(join(folder, BACKUPS, owner))) {
        const own = join(folder, BACKUPS, owner, hash);
        const path = await readFile(join(own, NAME_FILE), 'utf8').catch(except('ENOENT'));
        for (const name of (await namesIn(own)).sort())
          if (path !== undefined && name !== NAME_FILE)
            yield {
              ...{ ownerId: Number(owner), path, at: timeOfBackup(name), isBackup: true },
              open: () => opened(join(own, name)),
            };
      }
  }

  return {
    async *list() {
      yield* files();
      yield* backups();
    },

    digestOf: async (file) => digestOf(await opened(placeOf(file))),

    async keep(file, { file: spooled }) {
      const place = placeOf(file);
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      if (file.isBackup) await writeFile(join(dirname(place), NAME_FILE), file.path, { mode: 0o600 });
      const at = new Date(file.at);
      await utimes(spooled, at, at);
      await rename(spooled, place);
      await syncFolder(dirname(place));
    },
  };
}

async function opened(file: string): Promise<OpenBytes | undefined> {
  const handle = await open(file).catch(except('ENOENT'));
  if (!handle) return undefined;
  const { size } = await handle.stat();
  return { size, bytes: () => handle.createReadStream(), close: () => handle.close() };
}

const namesIn = async (folder: string) => (await readdir(folder).catch(except('ENOENT'))) ?? [];
const ownersIn = async (folder: string) => (await namesIn(folder)).filter((name) => OWNER.test(name));
