import type { Knex } from 'knex';
import type { ToolCatalogue } from '../../../src/core/assistants/assistant.js';
import type {
  AssistantHistory,
  AssistantVersion,
  VersionFacts,
} from '../../../src/core/assistants/history.js';
import { readMetadata } from '../../metadata/canonical.js';
import { assistantSetup } from '../../metadata/setup.js';
import { pageOf, type Order } from '../../query/paging.js';
import { isRowId } from '../../query/values.js';
import { keepVersionRow, living, nextVersion, rowOf } from './queries.js';
import { authoredColumns, readVersionContent, toAssistant } from './rows.js';

interface FactsRow {
  readonly version: number;
  readonly author: string;
  readonly created_at: string;
  readonly content_hash: string;
}

const NEWEST_FIRST: Order<FactsRow> = {
  columns: ['assistant_versions.version'],
  position: ({ version }) => [version],
  accepts: ([version, ...rest]) => typeof version === 'number' && isRowId(version) && rest.length === 0,
};

export function createHistory(
  db: Knex,
  catalogue: ToolCatalogue,
): Pick<AssistantHistory, 'versions' | 'version' | 'atVersion' | 'restoreVersion'> {
  const versionsOf = (id: number) =>
    db('assistant_versions')
      .join('users', 'users.id', 'assistant_versions.author_id')
      .where('assistant_versions.assistant_id', isRowId(id) ? id : 0)
      .select('assistant_versions.*', 'users.email as author');

  async function version(id: number, number: number): Promise<AssistantVersion | undefined> {
    if (!isRowId(number)) return undefined;
    const row = (await versionsOf(id).where('assistant_versions.version', number).first()) as
      (FactsRow & { readonly content: string }) | undefined;
    return row && { ...factsOf(row), ...readVersionContent(row.content) };
  }

  return {
    version,

    async versions(id, page) {
      const { data, nextCursor } = await pageOf(versionsOf(id), NEWEST_FIRST, page);
      return { data: data.map(factsOf), nextCursor };
    },

    async atVersion(id, number) {
      const [row, old] = await Promise.all([rowOf(db, id), version(id, number)]);
      if (!row || !old) return undefined;
      return toAssistant({ ...row, ...authoredColumns(old), version: old.version }, catalogue);
    },

    async restoreVersion(id, number, by) {
      // Read outside the transaction: a version never changes, and over another than the expected one nothing is written.
      const [row, old] = await Promise.all([rowOf(db, id), version(id, number)]);
      if (!row || !old) return undefined;
      const metadata = withNightsOf(row.metadata, old);
      const columns = {
        ...authoredColumns(old),
        metadata,
        assistant_type: assistantSetup({ ...old, metadata }, catalogue).type,
      };
      return db.transaction(async (trx) => {
        const changed = await living(trx, id)
          .where('version', by.expectedVersion)
          .update({ ...columns, ...nextVersion(trx) });
        if (changed === 1) return toAssistant(await keepVersionRow(trx, id, by.userId), catalogue);
        return (await rowOf(trx, id)) ? 'stale' : undefined;
      });
    },
  };
}

/** Its very text, unless whether the scenarios run every night, which is nothing that the assistant says, differs. */
function withNightsOf(now: string | null, { metadata: old, metadataText }: AssistantVersion): string | null {
  const areNightly = readMetadata(now).metadata['nightly_suite'] === true;
  if (!old || (old['nightly_suite'] === true) === areNightly) return metadataText;
  return JSON.stringify({ ...old, nightly_suite: areNightly || undefined });
}

function factsOf({ version, author, created_at, content_hash }: FactsRow): VersionFacts {
  return { version, author, createdAt: created_at, contentHash: content_hash };
}
