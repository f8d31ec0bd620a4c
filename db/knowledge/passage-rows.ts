import type { Knex } from 'knex';
import type { TextOrigin } from '../../src/core/knowledge/extracted.js';
import type { StoredPassage, StoredSection } from '../../src/core/knowledge/passage.js';

export interface PassageRow {
  readonly id: number;
  readonly collection_id: string;
  readonly document_id: string;
  readonly filename: string;
  readonly source_url: string | null;
  readonly position: number;
  readonly section_id: number;
  readonly title: string;
  readonly page: number | null;
  readonly page_end: number | null;
  readonly start_at: number;
  readonly end_at: number;
  readonly text: string;
  readonly original: string | null;
  readonly off: boolean | number;
  readonly pinned: boolean | number;
  readonly origin: TextOrigin | null;
}

/** Holds for an edition of which something may be found at the given time. */
export const FINDABLE = "(editions.live AND coalesce(editions.off_until, '') <= ?)";
export const IS_PINNED =
  'EXISTS (SELECT 1 FROM pinned_passages WHERE pinned_passages.passage_id = passages.id)';

/** Passages that can be found, with what they belong to. Whatever is not shown has no way here. */
export function livePassages(db: Knex): Knex.QueryBuilder {
  return (
    db('passages')
      .join('editions', 'editions.id', 'passages.edition')
      .join('documents', 'documents.seq', 'editions.document_seq')
      .join('collections', 'collections.seq', 'documents.collection_seq')
      .join('sections', 'sections.id', 'passages.section_id')
      // Both say the same; by the second one finds the passages of a document, by the first the document of a passage.
      .where('editions.live', true)
      .whereRaw('documents.edition = passages.edition')
      .select(
        'passages.id',
        'collections.id as collection_id',
        'documents.id as document_id',
        'documents.filename',
        'documents.source_url',
        'passages.position',
        'passages.section_id',
        'sections.title',
        'passages.page',
        'passages.page_end',
        'passages.start_at',
        'passages.end_at',
        'passages.text',
        'passages.original',
        'passages.off',
        db.raw(`${IS_PINNED} AS pinned`),
        'passages.origin',
      )
  );
}

export function toPassage(row: PassageRow): StoredPassage {
  return {
    id: row.id,
    collectionId: row.collection_id,
    documentId: row.document_id,
    filename: row.filename,
    sourceUrl: row.source_url ?? undefined,
    position: row.position,
    sectionId: row.section_id,
    section: row.title,
    page: row.page ?? undefined,
    pageEnd: row.page_end ?? undefined,
    start: row.start_at,
    end: row.end_at,
    text: row.text,
    original: row.original ?? undefined,
    isOff: Boolean(row.off),
    isPinned: Boolean(row.pinned),
    origin: row.origin ?? undefined,
  };
}

export interface SectionRow {
  readonly id: number;
  readonly title: string;
  readonly page: number | null;
  readonly start_at: number;
  readonly end_at: number;
  readonly text: string;
  readonly edited: string | null;
}

export function toSection({ page, start_at, end_at, edited, ...row }: SectionRow): StoredSection {
  return {
    ...{ ...row, page: page ?? undefined, start: start_at, end: end_at },
    ...(edited === null ? {} : { edited }),
  };
}
