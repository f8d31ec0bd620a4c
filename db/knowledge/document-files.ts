import { randomUUID } from 'node:crypto';
import { type BlobStore, isStorageAway } from '../../src/core/blobs.js';
import { notFound } from '../../src/core/errors.js';
import type { DocumentFiles } from '../../src/core/knowledge/stores.js';
import { spool } from '../blobs/spool.js';
import { tidyIncoming } from '../files/incoming.js';
import { whenDiskRefuses } from '../files/open-inside.js';

/** So long nobody looks again for files of processes that were killed. */
const TIDY_MS = 60_000;

const DOCUMENT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The originals are blobs, each under the id of its document; on their way they lie in the folder `incoming`. */
export function createDocumentFiles(blobs: BlobStore, incoming: string): DocumentFiles {
  // Nothing but an id of our own making: no key leads out of the folder.
  const keyOf = (id: string) => {
    if (!DOCUMENT_ID.test(id)) throw notFound('This document');
    return id;
  };

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

  const receive = async (
    bytes: AsyncIterable<Uint8Array>,
    { maxBytes, id }: { readonly maxBytes: number; readonly id: string },
  ) => {
    const key = keyOf(id);
    await tidy();
    const arrived = await spool(incoming, bytes, { maxBytes, isTidy: true });
    try {
      await blobs.put(key, arrived);
    } finally {
      await arrived.discard();
    }
    return { id, bytes: arrived.size, sha256: arrived.sha256 };
  };

  return {
    async receive(bytes, { maxBytes, id = randomUUID() }) {
      return receive(bytes, { maxBytes, id }).catch(whenDiskRefuses);
    },

    replace: async (id, by) => blobs.move(keyOf(by), keyOf(id)),

    open: async (id) => blobs.open(keyOf(id)),

    withFile: async (id, work) => blobs.withFile(keyOf(id), work),

    async delete(ids) {
      await blobs.delete(ids.map(keyOf)).catch((fault: unknown) => {
        if (!isStorageAway(fault)) throw fault;
      });
    },

    async idsOlderThan(ms) {
      const before = new Date(Date.now() - ms).toISOString();
      const old: string[] = [];
      for await (const { key, updatedAt } of blobs.list()) {
        if (DOCUMENT_ID.test(key) && updatedAt < before) old.push(key);
      }
      return old;
    },
  };
}
