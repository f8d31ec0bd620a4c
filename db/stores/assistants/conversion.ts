import type { Knex } from 'knex';
import type { ToolCatalogue } from '../../../src/core/assistants/assistant.js';
import type { AssistantHistory } from '../../../src/core/assistants/history.js';
import { conflict } from '../../../src/core/errors.js';
import type { AssistantChange } from '../../../src/core/stores.js';
import { canonicalMetadata, conversionOf } from '../../metadata/canonical.js';
import { assistantSetup } from '../../metadata/setup.js';
import { insertVersion, keepVersionRow, living, nextVersion, rowOf } from './queries.js';
import { type AssistantRow, toAssistant } from './rows.js';

/** Each lost race means that somebody else wrote; so many in a row are no longer a race. */
const MOST_RACES = 20;

export function createConversions(db: Knex, catalogue: ToolCatalogue): Pick<AssistantHistory, 'convert'> {
  return {
    async convert(id, { userId, dryRun = false }) {
      for (let race = 0; race < MOST_RACES; race++) {
        const row = await rowOf(db, id);
        if (!row) return undefined;
        const conversion = conversionOf(storedIn(row), catalogue);
        const fromVersion = row.version;
        if (dryRun || conversion.changed.length === 0) {
          return { ...conversion, fromVersion, assistant: toAssistant(row, catalogue) };
        }
        const columns = columnsFor(conversion.after, row, catalogue);
        const written = await db.transaction((trx) => writeOver(row, { columns, userId }, trx));
        if (written) return { ...conversion, fromVersion, assistant: toAssistant(written, catalogue) };
      }
      throw conflict('The assistant is being changed by others all the time. Try again in a moment.');
    },
  };
}

/** The canonical columns of a change that is about to be stored; none when that cannot be told, or the change is stale. */
export async function canonicalColumns(
  db: Knex,
  id: number,
  facts: {
    readonly change: AssistantChange;
    readonly by: { readonly expectedVersion: number };
    readonly catalogue: ToolCatalogue;
  },
): Promise<object> {
  const { change, by, catalogue } = facts;
  const row = change.metadata === undefined ? await rowOf(db, id) : undefined;
  const metadata = change.metadata ?? row?.metadata;
  if (metadata === undefined || (row && row.version !== by.expectedVersion)) return {};
  const { ragCollections, ragTopK } = change;
  const canonical = canonicalMetadata({ metadata, ragCollections, ragTopK }, catalogue);
  if (!canonical.readable) return {};
  return columnsFor(canonical.metadata, { rag_collections: ragCollections, rag_top_k: ragTopK }, catalogue);
}

type LegacyRow = Pick<AssistantRow, 'rag_collections' | 'rag_top_k'>;

function columnsFor(metadata: object, row: LegacyRow, catalogue: ToolCatalogue) {
  const stored = { metadata, ragCollections: row.rag_collections, ragTopK: row.rag_top_k };
  return { metadata: JSON.stringify(metadata), assistant_type: assistantSetup(stored, catalogue).type };
}

function storedIn({ metadata, rag_collections, rag_top_k }: AssistantRow) {
  return { metadata, ragCollections: rag_collections, ragTopK: rag_top_k };
}

/** Only over exactly what was read: of all who convert the same text at once, in any process, one succeeds. */
async function writeOver(
  before: AssistantRow,
  { columns, userId }: { readonly columns: object; readonly userId: number },
  trx: Knex.Transaction,
): Promise<AssistantRow | undefined> {
  const changed = await living(trx, before.id)
    .where('version', before.version)
    .where('metadata', before.metadata)
    .update({ ...columns, ...nextVersion(trx) });
  if (changed !== 1) return undefined;
  await keepOriginal(before, trx);
  return keepVersionRow(trx, before.id, userId);
}

/** The text that is written over must be among the versions, also when whoever stored it wrote no version of it. */
async function keepOriginal(before: AssistantRow, trx: Knex.Transaction): Promise<void> {
  const [kept] = await trx('assistant_versions')
    .where({ assistant_id: before.id, version: before.version })
    .pluck<string[]>('content');
  if (kept === undefined) {
    await insertVersion(trx, before, before.owner_id);
    return;
  }
  const { metadata } = JSON.parse(kept) as { readonly metadata: string | null };
  if (metadata === before.metadata) return;
  await insertVersion(trx, { ...before, version: before.version + 1 }, before.owner_id);
  await living(trx, before.id).update({ version: before.version + 2 });
}
