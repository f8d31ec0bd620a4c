import type { Stores } from '../core/stores.js';

/** Whoever stores a file has long told its document by then. */
const ORPHANED_MS = 3_600_000;

/** Takes away originals that no document has: of processes that were killed, and of stores that were away. */
export async function sweepOriginals({
  documents,
  documentFiles,
}: Pick<Stores, 'documents' | 'documentFiles'>): Promise<number> {
  const orphans = await documents.unknown(await documentFiles.idsOlderThan(ORPHANED_MS));
  if (orphans.length > 0) await documentFiles.delete(orphans);
  return orphans.length;
}
