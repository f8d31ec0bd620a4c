import { createHash, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Collection } from '../../../src/core/knowledge/collection.js';
import type {
  IngestedFacts,
  KnowledgeDocument,
  NewDocument,
  Work,
} from '../../../src/core/knowledge/document.js';
import type { PassageDraft, SectionDraft } from '../../../src/core/knowledge/passage.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { aUser } from '../fixtures.js';

/** Long enough for any test. */
export const LEASE = { ms: 60_000 };
/** Over as soon as it has begun. */
export const NO_LEASE = { ms: -1 };
export const ALL = { limit: 100 };

export const FACTS: IngestedFacts = {
  format: 'markdown',
  pages: undefined,
  language: 'en',
  faults: [],
  embeddedWith: undefined,
};

export async function aCollection(
  stores: Stores,
  { owner, name = 'Biology' }: { readonly owner?: User; readonly name?: string } = {},
): Promise<Collection> {
  const content = { name, description: '', isShared: false };
  return stores.collections.create(owner ?? (await aUser(stores)), content);
}

export function newDocument(changes: Partial<NewDocument> = {}): NewDocument {
  const id = randomUUID();
  const sha256 = createHash('sha256').update(id).digest('hex');
  return { id, filename: 'cells.md', sourceUrl: undefined, bytes: 10, sha256, ...changes };
}

export async function aDocument(
  { documents }: Stores,
  collectionId: string,
  changes: Partial<NewDocument> = {},
): Promise<KnowledgeDocument> {
  const added = await documents.add(collectionId, newDocument(changes));
  if (!added) throw new Error('There is no such collection.');
  return added.document;
}

export async function claimed({ documents }: Stores, lease = LEASE): Promise<Work> {
  const work = await documents.claim(lease);
  if (!work) throw new Error('Nothing waits.');
  return work;
}

export const section = (changes: Partial<SectionDraft> = {}): SectionDraft => ({
  title: 'Cells',
  page: 1,
  start: 0,
  end: 100,
  text: 'All about cells.',
  ...changes,
});

/** One passage, found by the words of its text. */
export const passage = (text: string, changes: Partial<PassageDraft> = {}): PassageDraft => ({
  section: 0,
  page: 1,
  pageEnd: undefined,
  start: 0,
  end: text.length,
  text,
  terms: text.split(' '),
  ...changes,
});

/** Writes all of it and publishes it; tells whether that was allowed. */
export async function ingest(
  { documents }: Stores,
  work: Work,
  texts: readonly string[],
  facts: Partial<IngestedFacts> = {},
): Promise<boolean> {
  const edition = await documents.beginEdition(work);
  if (edition === undefined) return false;
  await documents.write(edition, { sections: [section()], passages: texts.map((text) => passage(text)) });
  return documents.publish(work, edition, { ...FACTS, ...facts });
}

/** A document that can be found. */
export async function aReadDocument(
  stores: Stores,
  collectionId: string,
  texts: readonly string[],
): Promise<KnowledgeDocument> {
  const { id } = await aDocument(stores, collectionId);
  const work = await claimed(stores);
  if (work.document.id !== id) throw new Error('Something else waits as well.');
  await ingest(stores, work, texts);
  const read = await stores.documents.get(collectionId, id);
  if (!read) throw new Error('It vanished.');
  return read;
}

/** The texts of what is found, best first. */
export async function find(
  { passages }: Stores,
  collectionIds: readonly string[],
  words: string,
  limit = 10,
): Promise<readonly string[]> {
  const groups = words.split(' ').map((word) => ({ forms: [word] }));
  const statistics = await passages.statistics(
    collectionIds,
    groups.flatMap(({ forms }) => forms),
  );
  const found = await passages.lexical({ collectionIds, groups, statistics, limit });
  const stored = await passages.read(found.map(({ passageId }) => passageId));
  return stored.map(({ text }) => text);
}

/** What the counts say, and what they should say by the rows that are there. */
export async function countsOf(db: Knex): Promise<{ readonly kept: object; readonly recounted: object }> {
  const kept: { collection_seq: number; term: string; passages: number; total: number }[] =
    await db('term_counts').select();
  const rows: { collection_seq: number; terms: string }[] = await db('passages').select(
    'collection_seq',
    'terms',
  );
  const counts = new Map<string, [passages: number, total: number]>();
  const add = (key: string, total: number) => {
    const [passages, sum] = counts.get(key) ?? [0, 0];
    counts.set(key, [passages + 1, sum + total]);
  };
  for (const { collection_seq: seq, terms } of rows) {
    const words = terms === '' ? [] : terms.split(' ');
    add(`${String(seq)} `, words.length);
    for (const word of new Set(words)) add(`${String(seq)} ${word}`, 0);
  }
  return {
    kept: Object.fromEntries(
      kept.map((row) => [`${String(row.collection_seq)} ${row.term}`, [row.passages, row.total]]),
    ),
    recounted: Object.fromEntries(counts),
  };
}
