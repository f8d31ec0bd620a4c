import type { Timestamp } from '../base/ids.js';
import type { TextOrigin } from './extracted.js';

/** Between the headings above a passage, outermost first. */
export const HEADING_SEPARATOR = ' › ';

/** A passage is found by the headings it stands under as well, unless it says them itself. */
export function withHeadings(text: string, title: string): string {
  const unsaid = title.split(HEADING_SEPARATOR).filter((heading) => !text.includes(heading));
  return [...unsaid, text].join('\n');
}

/** A piece of a document under one heading; passages lie in it. */
export interface SectionDraft {
  /** The headings above it, outermost first, joined by " › "; empty when there are none. */
  readonly title: string;
  readonly page: number | undefined;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One piece to be found. Offsets are of UTF-16 units in the text of the whole document. */
export interface PassageDraft {
  /** Place among the sections. */
  readonly section: number;
  readonly page: number | undefined;
  readonly pageEnd: number | undefined;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly origin?: TextOrigin | undefined;
  /** The words it is found by, folded and stemmed, in order and with repeats; letters and digits only. */
  readonly terms: readonly string[];
}

/** A passage as it is stored, with what a citation needs. */
export interface StoredPassage {
  readonly id: number;
  readonly collectionId: string;
  readonly documentId: string;
  readonly filename: string;
  readonly sourceUrl: string | undefined;
  readonly position: number;
  readonly sectionId: number;
  readonly section: string;
  readonly page: number | undefined;
  readonly pageEnd: number | undefined;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Undefined where it stands in the document as text. */
  readonly origin?: TextOrigin | undefined;
  /** As it was read, where `text` is a correction of it. */
  readonly original: string | undefined;
  /** Never found. */
  readonly isOff: boolean;
  /** First among what a question finds. */
  readonly isPinned: boolean;
}

/** What somebody decided about a passage. */
export interface PassageDecision {
  readonly off: boolean;
  readonly pinned: boolean;
  /** What it should say; undefined for what was read. */
  readonly corrected: string | undefined;
  /** The words of what it says from now on, as in `PassageDraft`. */
  readonly terms: readonly string[];
}

/** A decision as it is kept: by the text it was made about, whatever edition that is in. */
export interface StoredDecision {
  readonly id: number;
  readonly original: string;
  readonly page: number | undefined;
  readonly off: boolean;
  readonly pinned: boolean;
  readonly corrected: string | undefined;
  /** False once no passage of the document has that text any more. */
  readonly applies: boolean;
  readonly updatedAt: Timestamp;
}

export interface StoredSection {
  readonly id: number;
  readonly title: string;
  readonly page: number | undefined;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Without passages that are off, and with those that were corrected; undefined where there are none. */
  readonly edited?: string | undefined;
}

/** One word of a question, in all the forms it may have in the index. */
export interface TermGroup {
  readonly forms: readonly string[];
  /** How much it counts beside the other words; 1 unless told. */
  readonly weight?: number;
  /** Not of the question itself but of one that was asked before it. */
  readonly isTopic?: true;
}

/** Counts of one search: over all the collections it looks in. */
export interface TermStatistics {
  readonly passages: number;
  readonly averageTerms: number;
  /** In how many passages a form occurs; absent for none. */
  readonly frequencies: ReadonlyMap<string, number>;
}

export interface LexicalCandidate {
  readonly passageId: number;
  /** As `PassageDraft.terms`, joined by blanks. */
  readonly terms: string;
  readonly isPinned?: boolean;
}

export interface VectorCandidate {
  readonly passageId: number;
  readonly cosine: number;
  readonly isPinned?: boolean;
}
