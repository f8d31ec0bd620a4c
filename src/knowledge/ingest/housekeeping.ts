import type { DocumentFiles, DocumentStore } from '../../core/knowledge/stores.js';
import type { Logger } from '../../core/log.js';
import type { OrganizationStore } from '../../core/stores.js';
import { whereItBroke } from '../../core/where-it-broke.js';
import type { Ingestion } from './ingestion.js';

export interface HousekeepingDeps {
  readonly organizations: Pick<OrganizationStore, 'list'>;
  readonly documents: Pick<DocumentStore, 'unknown'>;
  readonly documentFiles: Pick<DocumentFiles, 'idsOlderThan' | 'delete'>;
  readonly ingestion: Pick<Ingestion, 'reconsider'>;
  readonly log: Logger;
}

/** Whoever stores a file has long told its document by then. */
const ORPHANED_MS = 3_600_000;
const PAGE = 200;

/** Once at every start: the embeddings wanted may be others by now, and a process that was killed may have left files. */
export async function keepHouse(deps: HousekeepingDeps): Promise<void> {
  try {
    await reconsiderAll(deps);
    await removeOrphans(deps);
  } catch (fault) {
    deps.log.error({ fault: whereItBroke(fault) }, 'tidying up at the start failed');
  }
}

async function reconsiderAll({ organizations, ingestion }: HousekeepingDeps): Promise<void> {
  for (let cursor: string | undefined; ;) {
    const { data, nextCursor } = await organizations.list({}, { limit: PAGE, cursor });
    for (const { id } of data) await ingestion.reconsider(id);
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

async function removeOrphans({ documents, documentFiles, log }: HousekeepingDeps): Promise<void> {
  const orphans = await documents.unknown(await documentFiles.idsOlderThan(ORPHANED_MS));
  if (orphans.length === 0) return;
  await documentFiles.delete(orphans);
  log.info({ files: orphans.length }, 'files that no document has were cleared away');
}
