import { setImmediate } from 'node:timers/promises';
import { type PassageDraft, type SectionDraft, withHeadings } from '../../core/knowledge/passage.js';
import type { DocumentStore } from '../../core/knowledge/stores.js';

/** Sections with the passages that lie in them, in order; passages have no words to be found by yet. */
export interface TextPart {
  readonly sections: readonly SectionDraft[];
  readonly passages: readonly Omit<PassageDraft, 'terms'>[];
}

export interface WritingOptions {
  readonly signal: AbortSignal;
  /** How far into the text everything is written, in characters. */
  readonly onWritten: (end: number) => void;
}

/** What is written at once. */
export interface Chunk {
  readonly sections: readonly SectionDraft[];
  readonly passages: readonly PassageDraft[];
}

const PASSAGES_A_WRITE = 50;
/** Whoever chats meanwhile does not notice a pause of this length. */
const LONGEST_TURN_MS = 8;

/** Sections and passages with the words they are found by, a little at a time. */
export async function* chunksOf(
  parts: Iterable<TextPart>,
  termsOf: (text: string) => readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Chunk, undefined> {
  const takeTurns = createTurns(signal);
  let sections: SectionDraft[] = [];
  let passages: PassageDraft[] = [];
  const titles: string[] = [];
  for (const part of parts) {
    sections.push(...part.sections);
    titles.push(...part.sections.map(({ title }) => title));
    for (const passage of part.passages) {
      passages.push({
        ...passage,
        terms: termsOf(withHeadings(passage.text, titles[passage.section] ?? '')),
      });
      await takeTurns();
    }
    await takeTurns();
    if (passages.length < PASSAGES_A_WRITE) continue;
    yield { sections, passages };
    sections = [];
    passages = [];
  }
  if (sections.length > 0) yield { sections, passages };
}

/** Writes a document into an edition, a little at a time; tells how many passages it has. */
export async function writeEdition(
  edition: number,
  chunks: AsyncIterable<Chunk>,
  documents: Pick<DocumentStore, 'write'>,
  { signal, onWritten }: WritingOptions,
): Promise<number> {
  let written = 0;
  for await (const { sections, passages } of chunks) {
    await documents.write(edition, { sections, passages });
    signal.throwIfAborted();
    written += passages.length;
    onWritten(Math.max(sections.at(-1)?.end ?? 0, passages.at(-1)?.end ?? 0));
  }
  return written;
}

/** Lets others run once a turn has lasted long enough. */
function createTurns(signal: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  const pause = async () => {
    await setImmediate();
    signal.throwIfAborted();
    since = performance.now();
  };
  return () => (performance.now() - since < LONGEST_TURN_MS ? undefined : pause());
}
