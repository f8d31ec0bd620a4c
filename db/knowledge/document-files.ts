import { createHash, randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { notFound, tooLarge } from '../../src/core/errors.js';
import type { DocumentFiles } from '../../src/core/knowledge/stores.js';
import { syncFolder, tidyIncoming, writeIncoming } from '../files/incoming.js';
import { except, whenDiskRefuses } from '../files/open-inside.js';

/** So long nobody looks again for files of processes that were killed. */
const TIDY_MS = 60_000;

const DOCUMENT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createDocumentFiles(folder: string): DocumentFiles {
  // Nothing but an id of our own making: no path leads out of the folder.
  const pathOf = (id: string) => {
    if (!DOCUMENT_ID.test(id)) throw notFound('This document');
    return join(folder, id);
  };

  const incoming = join(folder, 'incoming');
  let tidied = { until: 0, done: Promise.resolve() };
  /** Not for each of a thousand files that come in a row: each would look at all that are on their way with it. */
  const tidy = async () => {
    if (Date.now() > tidied.until) tidied = { until: Date.now() + TIDY_MS, done: tidyIncoming(incoming) };
    try {
      await tidied.done;
    } catch (error) {
      tidied = { ...tidied, until: 0 };
      throw error;
    }
  };

  let syncing = Promise.resolve();
  let next: Promise<void> | undefined;
  /** The names of all that have arrived by then are on disk: those that wait share one turn. */
  const synced = () =>
    (next ??= syncing =
      syncing.then(() => {
        next = undefined;
        return syncFolder(folder);
      }));

  const receive = async (
    bytes: AsyncIterable<Uint8Array>,
    { maxBytes, id }: { readonly maxBytes: number; readonly id: string },
  ) => {
    const target = pathOf(id);
    await tidy();
    const hash = createHash('sha256');
    const arrived = await writeIncoming(incoming, metered(bytes, maxBytes, hash), { isTidy: true });
    try {
      await arrived.moveTo(target);
    } catch (error) {
      await arrived.discard();
      throw error;
    }
    await synced();
    return { id, bytes: arrived.size, sha256: hash.digest('hex') };
  };

  return {
    pathOf,

    async receive(bytes, { maxBytes, id = randomUUID() }) {
      return receive(bytes, { maxBytes, id }).catch(whenDiskRefuses);
    },

    async replace(id, by) {
      await rename(pathOf(by), pathOf(id));
      await syncFolder(folder);
    },

    async delete(ids) {
      for (const id of ids) await rm(pathOf(id), { force: true });
    },

    async idsOlderThan(ms) {
      const names = (await readdir(folder).catch(except('ENOENT'))) ?? [];
      const old: string[] = [];
      for (const id of names.filter((name) => DOCUMENT_ID.test(name))) {
        const facts = await stat(pathOf(id)).catch(except('ENOENT'));
        if (facts && Date.now() - facts.mtimeMs > ms) old.push(id);
      }
      return old;
    },
  };
}

/** The bytes as they come, as long as they are not too many. */
async function* metered(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  hash: { update(chunk: Uint8Array): unknown },
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(`The file is larger than ${inWords(maxBytes)}.`);
    hash.update(chunk);
    yield chunk;
  }
}

function inWords(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return megabytes >= 1 ? `${String(Math.floor(megabytes * 10) / 10)} MB` : `${String(bytes)} bytes`;
}
