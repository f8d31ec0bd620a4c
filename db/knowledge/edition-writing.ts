import type { Knex } from 'knex';
import type { PassageDraft, SectionDraft } from '../../src/core/knowledge/passage.js';
import type { DocumentStore } from '../../src/core/knowledge/stores.js';
import {
  columnsOf,
  type Field,
  packedRow,
  packedRows,
  postgresValues,
  sqliteValues,
} from '../query/prepared.js';
import { isPostgres, rawRows } from '../query/raw-rows.js';
import { changeCounts, indexableTerms, joinTerms, scoped, tsvectorOf } from './terms.js';

type Draft = Parameters<DocumentStore['write']>[1];

type IndexedPassage = Omit<PassageDraft, 'terms'> & { readonly terms: readonly string[] };

/** Where the next rows of an edition belong. */
interface Place {
  readonly edition: number;
  readonly collectionSeq: number;
  readonly section: number;
  readonly passage: number;
}

export function createEditionWriting(db: Knex): Pick<DocumentStore, 'write'> {
  return {
    write: (edition, part) =>
      db.transaction(async (trx) => {
        const place = await takePlace(trx, edition, part);
        // Its document is gone or was queued anew, and what had been written is swept up: `publish` will say so.
        if (place) await countTerms(trx, [await writeRows(trx, place, part)]);
      }),
  };
}

/** The terms of passages that have come to a collection. */
export interface WrittenText {
  readonly collectionSeq: number;
  readonly terms: readonly (readonly string[])[];
}

/** Part of a transaction, which ends with `countTerms`. */
export async function writeRows(
  trx: Knex,
  place: Place,
  { sections, passages }: Draft,
): Promise<WrittenText> {
  const { writeSections, writePassages } = isPostgres(trx) ? POSTGRES : SQLITE;
  const indexed = passages.map((passage) => ({ ...passage, terms: indexableTerms(passage.terms) }));
  if (sections.length > 0) await writeSections(trx, place, sections);
  if (indexed.length > 0) await writePassages(trx, place, indexed);
  return { collectionSeq: place.collectionSeq, terms: indexed.map((passage) => passage.terms) };
}

/** All at once: documents of one collection have most of their words in common. */
export async function countTerms(trx: Knex, written: readonly WrittenText[]): Promise<void> {
  const collections = [
    ...new Set(written.filter(({ terms }) => terms.length > 0).map(({ collectionSeq }) => collectionSeq)),
  ].sort((a, b) => a - b);
  for (const collectionSeq of collections) {
    const terms = written
      .filter((each) => each.collectionSeq === collectionSeq)
      .flatMap((each) => each.terms);
    await changeCounts(trx, { collectionSeq, terms, by: 1 });
  }
}

/** Numbers what is written, and locks the edition: nobody sweeps it up while rows come to it. */
async function takePlace(trx: Knex, edition: number, part: Draft): Promise<Place | undefined> {
  const [row] = await rawRows<Record<'collection_seq' | 'sections' | 'passages', number>>(
    trx,
    `UPDATE editions SET sections = sections + ?, passages = passages + ? WHERE id = ? AND claim IS NOT NULL
     RETURNING collection_seq, sections, passages`,
    [part.sections.length, part.passages.length, edition],
  );
  return (
    row && {
      edition,
      collectionSeq: row.collection_seq,
      section: row.sections - part.sections.length,
      passage: row.passages - part.passages.length,
    }
  );
}

const SECTION_FIELDS: readonly Field<SectionDraft>[] = [
  { column: 'title', type: 'text', value: (section) => section.title },
  { column: 'page', type: 'integer', value: (section) => section.page },
  { column: 'start_at', type: 'integer', value: (section) => section.start },
  { column: 'end_at', type: 'integer', value: (section) => section.end },
  { column: 'text', type: 'text', value: (section) => section.text },
];

const PASSAGE_FIELDS: readonly Field<IndexedPassage>[] = [
  { column: 'page', type: 'integer', value: (passage) => passage.page },
  { column: 'page_end', type: 'integer', value: (passage) => passage.pageEnd },
  { column: 'start_at', type: 'integer', value: (passage) => passage.start },
  { column: 'end_at', type: 'integer', value: (passage) => passage.end },
  { column: 'terms', type: 'text', value: (passage) => joinTerms(passage.terms) },
  { column: 'text', type: 'text', value: (passage) => passage.text },
  { column: 'origin', type: 'text', value: (passage) => passage.origin },
];
/** After the fields of a passage: its section, and what PostgreSQL finds it by. */
const [SECTION, LEXEMES] = [PASSAGE_FIELDS.length, PASSAGE_FIELDS.length + 1].map(String) as [string, string];

const INTO_SECTIONS = `INSERT INTO sections (edition, position, ${columnsOf(SECTION_FIELDS)})`;
const PASSAGE_COLUMNS = `edition, collection_seq, position, section_id, ${columnsOf(PASSAGE_FIELDS)}`;
/** None for a section that is not there, which no passage may have. */
const sectionAt = (position: string) =>
  `(SELECT id FROM sections WHERE sections.edition = ? AND sections.position = ${position})`;

const packedSections = (sections: readonly SectionDraft[]) =>
  packedRows(sections.map((section) => packedRow(SECTION_FIELDS, section)));

const SQLITE = {
  writeSections: (trx: Knex, place: Place, sections: readonly SectionDraft[]) =>
    trx.raw(
      `${INTO_SECTIONS} SELECT ?, ? + key, ${sqliteValues(SECTION_FIELDS, 'value')} FROM json_each(?)`,
      [place.edition, place.section, packedSections(sections)],
    ),

  async writePassages(trx: Knex, place: Place, passages: readonly IndexedPassage[]) {
    const { edition, collectionSeq } = place;
    const rows = passages.map((passage) => [...packedRow(PASSAGE_FIELDS, passage), passage.section]);
    await trx.raw(
      `INSERT INTO passages (${PASSAGE_COLUMNS})
       SELECT ?, ?, ? + key, ${sectionAt(`value ->> ${SECTION}`)}, ${sqliteValues(PASSAGE_FIELDS, 'value')}
       FROM json_each(?)`,
      [edition, collectionSeq, place.passage, edition, packedRows(rows)],
    );
    const before = scoped(collectionSeq, '');
    await trx.raw(
      `INSERT INTO passage_index (rowid, terms)
       SELECT id, CASE terms WHEN '' THEN '' ELSE ? || replace(terms, ' ', ?) END
       FROM passages WHERE edition = ? AND position >= ? ORDER BY position`,
      [before, ` ${before}`, edition, place.passage],
    );
  },
};

const POSTGRES = {
  writeSections: (trx: Knex, place: Place, sections: readonly SectionDraft[]) =>
    trx.raw(
      `${INTO_SECTIONS} SELECT ?::integer, ?::integer + place - 1, ${postgresValues(SECTION_FIELDS, 'packed')}
       FROM jsonb_array_elements(?::jsonb) WITH ORDINALITY AS rows (packed, place)`,
      [place.edition, place.section, packedSections(sections)],
    ),

  async writePassages(trx: Knex, place: Place, passages: readonly IndexedPassage[]) {
    const { edition, collectionSeq } = place;
    const rows = passages.map((passage) => [
      ...packedRow(PASSAGE_FIELDS, passage),
      passage.section,
      tsvectorOf(collectionSeq, passage.terms),
    ]);
    await trx.raw(
      `INSERT INTO passages (${PASSAGE_COLUMNS}, lexemes)
       SELECT ?::integer, ?::integer, ?::integer + place - 1, ${sectionAt(`(packed ->> ${SECTION})::integer`)},
         ${postgresValues(PASSAGE_FIELDS, 'packed')}, (packed ->> ${LEXEMES})::tsvector
       FROM jsonb_array_elements(?::jsonb) WITH ORDINALITY AS rows (packed, place)`,
      [edition, collectionSeq, place.passage, edition, packedRows(rows)],
    );
  },
};
