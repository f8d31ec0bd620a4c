import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '../../src/core/blobs.js';
import { syncFolder } from '../files/incoming.js';
import { except } from '../files/open-inside.js';

/** Each blob is a file of a folder, named by its key. What is to be put has to lie on the same disk. */
export function createFolderBlobs(folder: string): BlobStore {
  const fileOf = (key: string) => join(folder, key);

  let syncing = Promise.resolve();
  let next: Promise<void> | undefined;
  /** The names of all that have arrived by then are on disk: those that wait share one turn. */
  const synced = () =>
    (next ??= syncing =
      syncing.then(() => {
        next = undefined;
        return syncFolder(folder);
      }));

  return {
    async put(key, { file }) {
      await rename(file, fileOf(key));
      await synced();
    },

    async open(key) {
      const handle = await open(fileOf(key)).catch(except('ENOENT'));
      return handle && (await opened(handle));
    },

    withFile: (key, work) => work(fileOf(key)),

    async move(from, to) {
      await rename(fileOf(from), fileOf(to));
      await syncFolder(folder);
    },

    async delete(keys) {
      for (const key of keys) await rm(fileOf(key), { force: true });
    },

    async *list() {
      const entries = (await readdir(folder, { withFileTypes: true }).catch(except('ENOENT'))) ?? [];
      for (const { name: key } of entries.filter((entry) => entry.isFile())) {
        const facts = await stat(fileOf(key)).catch(except('ENOENT'));
        if (facts) yield { key, size: facts.size, updatedAt: facts.mtime.toISOString() };
      }
    },
  };
}

async function opened(handle: FileHandle) {
  const { size } = await handle.stat();
  return { size, bytes: () => handle.createReadStream(), close: () => handle.close() };
}
