import type { Stores } from '../core/stores.js';

/** Whoever stores a file has long told its document by then. */
const ORPHANED_MS = 3_600_000;

/** Whoever uploads a file has said by then what it is for. */
const UNUSED_MS = 86_400_000;

/** Takes away originals that no document has: of processes that were killed, and of stores that were away. */
export async function sweepOriginals({
  documents,
  documentFiles,
}: Pick<Stores, 'documents' | 'documentFiles'>): Promise<number> {
  const orphans = await documents.unknown(await documentFiles.idsOlderThan(ORPHANED_MS));
  if (orphans.length > 0) await documentFiles.delete(orphans);
  return orphans.length;
}

/** Takes away attachments that nobody has used, and bytes that no attachment has. */
export async function sweepAttachments(
  { attachments, attachmentFiles }: Pick<Stores, 'attachments' | 'attachmentFiles'>,
  now: number,
): Promise<number> {
  const unused = await attachments.sweep(new Date(now - UNUSED_MS).toISOString());
  const orphans = await attachments.unknown(await attachmentFiles.idsOlderThan(ORPHANED_MS));
  if (orphans.length > 0) await attachmentFiles.delete(orphans);
  return unused;
}
