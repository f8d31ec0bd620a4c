import type { Knex } from 'knex';
import { oversize, readMetadata } from '../metadata/canonical.js';
import { textIn } from '../metadata/json.js';
import { assistantSetup } from '../metadata/setup.js';
import { versionContent, type AssistantRow } from '../stores/assistants/rows.js';
import { emailKey } from '../stores/users.js';
import { ofTable, skipped, type Kind, type RowContext } from './kind.js';
import { organizationHere } from './organizations.js';
import { assistantsNamedIn } from './references.js';
import { OWNER_OF_THE_DELETED, ownerHere } from './users.js';
import { integerOf, textOf, timeOf, wordsOf, type LambRow } from './values.js';

/** Numbers stand in scripts and in other software. Beyond this none is kept, or no room would be left for new ones. */
const HIGHEST_KEPT = 1_000_000_000;

export const mayKeepNumber = (id: number) => id >= 1 && id <= HIGHEST_KEPT;

/** Assistants that name no other. Those that do need the new ids of all first, and come after. */
export const assistants: Kind = {
  name: 'assistant',
  title: 'assistants',
  ...ofTable('assistants'),
  idOf: (row) => integerOf(row['id'])?.toString(),
  exampleOf: (row) => `${textOf(row['id']) ?? '?'} ${wordsOf(row['name']) ?? ''}`.trim(),

  async importRow(row, ctx) {
    if (isDeleted(row)) return skipped('it was deleted in LAMB');
    const { metadata, texts } = namingParts(row);
    if (assistantsNamedIn(metadata, texts).length > 0) return { postponed: true };
    const made = await insertAssistant(row, ctx);
    if (made === undefined) return skipped('it has no owner');
    await keepFirstVersion(ctx.trx, made);
    return { imported: made };
  },
};

const namingParts = (row: LambRow) => ({
  metadata: textOf(row['api_callback']) ?? null,
  texts: [textOf(row['system_prompt']) ?? '', textOf(row['prompt_template']) ?? ''],
});

/** The number it had, unless it is taken here. */
async function numberFor(row: LambRow, { trx }: RowContext): Promise<{ readonly id?: number }> {
  const id = integerOf(row['id']);
  if (id === undefined || !mayKeepNumber(id)) return {};
  return (await trx('assistants').where({ id }).first('id')) === undefined ? { id } : {};
}

/** The id here, undefined when it has no owner. Its metadata is, byte for byte, what LAMB has. */
export async function insertAssistant(row: LambRow, ctx: RowContext): Promise<number | undefined> {
  const organizationId = await organizationHere(ctx, row['organization_id']);
  const ownerId = await ownerHere(ctx, row['owner'], organizationId);
  if (ownerId === undefined) return undefined;

  const name = textOf(row['name']) ?? '';
  const description = textOf(row['description']) ?? '';
  const stored = storedIn(row, ctx);
  const [made] = (await ctx.trx('assistants').insert(
    {
      ...(await numberFor(row, ctx)),
      organization_id: organizationId,
      owner_id: ownerId,
      name,
      description,
      system_prompt: textOf(row['system_prompt']) ?? '',
      prompt_template: textOf(row['prompt_template']) ?? '',
      metadata: stored.metadata,
      rag_collections: stored.ragCollections,
      rag_top_k: stored.ragTopK,
      published: await isPublished(row, ctx),
      assistant_type: assistantSetup(stored, ctx.catalogue).type,
      created_at: timeOf(row['created_at']) ?? ctx.at,
      updated_at: timeOf(row['updated_at']) ?? timeOf(row['created_at']) ?? ctx.at,
    },
    ['id'],
  )) as [{ readonly id: number }];
  return made.id;
}

export async function keepFirstVersion(trx: Knex, id: number): Promise<void> {
  const row = (await trx('assistants').where({ id }).first()) as AssistantRow;
  await trx('assistant_versions').insert({
    assistant_id: id,
    version: row.version,
    ...versionContent(row),
    author_id: row.owner_id,
    created_at: row.updated_at,
  });
}

interface Stored {
  readonly metadata: string | null;
  readonly ragCollections: string;
  readonly ragTopK: number | null;
}

function storedIn(row: LambRow, { catalogue, remark }: RowContext): Stored {
  const topK = integerOf(row['rag_top_k']);
  const stored = {
    metadata: textOf(row['api_callback']) ?? null,
    ragCollections: textOf(row['rag_collections']) ?? '',
    ragTopK: topK !== undefined && topK >= 0 ? topK : null,
  };
  if (oversize(stored.metadata) !== undefined)
    remark('its metadata is larger than an assistant may have: it was kept as it is and does not run');
  else if (assistantSetup(stored, catalogue).problems.length > 0)
    remark('its metadata cannot be understood: it was kept as it is and does not run');
  notTakenOver(stored.metadata).forEach(remark);
  return stored;
}

/** What LAMB 0.7 brought that works otherwise here, or is not here. */
function notTakenOver(stored: string | null): readonly string[] {
  const { metadata } = readMetadata(stored);
  const [rag, document, prompt] = ['rag_processor', 'document_rag', 'prompt_processor'].map((key) =>
    textIn(metadata, key),
  );
  const isOfLibrary = rag === 'single_file_rag' && textIn(metadata, 'library_id') !== undefined;
  return [
    ...(isOfLibrary || [rag, document].includes('library_file_rag') ? [OF_THE_LIBRARY] : []),
    ...(rag === 'query_rewriting_ks_rag' || rag === 'knowledge_store_rag' ? [OF_A_STORE] : []),
    ...(prompt === 'kvcache_augment' ? [KV_CACHE] : []),
  ];
}

const OF_THE_LIBRARY =
  'reads a document of LAMB’s library (library_file_rag), which does not come over: upload the file here and choose it in the assistant';
const OF_A_STORE =
  'asks knowledge stores of LAMB, which do not come over: make a knowledge base here and choose it in the assistant';
const KV_CACHE = 'has the prompt processor kvcache_augment, which works like simple_augment here';

/** A deleted assistant has a stand-in for its owner, and the time in its name. */
export function isDeleted(row: LambRow): boolean {
  const owner = emailKey(textOf(row['owner']) ?? '');
  return owner === OWNER_OF_THE_DELETED || /_deleted_\d+$/.test(textOf(row['name']) ?? '');
}

/** Every assistant has a row there; that of a published one names who consumes it. */
async function isPublished(row: LambRow, { source }: RowContext): Promise<boolean> {
  const [publication] = await source.where('assistant_publish', 'assistant_id', [integerOf(row['id']) ?? 0]);
  const consumer = textOf(publication?.['oauth_consumer_name']);
  return consumer !== undefined && consumer !== 'null';
}
