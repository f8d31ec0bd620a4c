import type { StoredPassage, StoredSection } from '../../core/knowledge/passage.js';
import type { DocumentStore } from '../../core/knowledge/stores.js';

/** A section may be a whole book: so much around the passage has to do. */
const LONGEST = 8_000;

/** The section each passage lies in, by the passage's id. */
export async function parentTexts(
  kept: readonly { readonly stored: StoredPassage }[],
  documents: Pick<DocumentStore, 'sections'>,
): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(kept.map(({ stored }) => stored.sectionId))];
  const sections = new Map((await documents.sections(ids)).map((section) => [section.id, section]));
  return new Map(
    kept.flatMap(({ stored }) => {
      const section = sections.get(stored.sectionId);
      return section ? [[stored.id, around(stored, section)] as const] : [];
    }),
  );
}

function around({ start, end }: StoredPassage, section: StoredSection): string {
  const { text } = section;
  if (text.length <= LONGEST) return text;
  const middle = (start + end) / 2 - section.start;
  const latest = text.length - LONGEST;
  const from = Math.round(Math.min(Math.max(0, middle - LONGEST / 2), latest));
  const cut = text.slice(from, from + LONGEST).replace(/^\p{Cs}|\p{Cs}$/gu, '');
  return `${from > 0 ? '… ' : ''}${cut}${from < latest ? ' …' : ''}`;
}
