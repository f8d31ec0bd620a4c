import { splitDocument } from '../../src/knowledge/chunk/split-document.js';
import type { UploadedFile } from '../retrieval/collection-client.js';
import { createZipfText } from '../retrieval/zipf-text.js';
import { seededRandom } from '../seeded-random.js';
import { keyWordsOf } from './key-words.js';

/** Of a page as people print them. */
const PAGE_CHARACTERS = 2_500;
const PAGES_A_DOCUMENT = 20;
const SEED = 20_261_118;
const WORDS_A_QUESTION = 4;

/** What is taken in to reach a size. */
export interface CorpusPart {
  readonly files: readonly UploadedFile[];
  /** The same as the service cuts it. */
  readonly passages: readonly string[];
  readonly pages: number;
}

export interface KnownQuestion {
  readonly text: string;
  /** The passage that its words were taken from. */
  readonly passage: string;
}

export interface Corpus {
  /** Made-up documents until there are so many passages in all. */
  growTo(passages: number): CorpusPart;
  /** Of all there is; the same for the same size. */
  questions(count: number): readonly KnownQuestion[];
}

export function createCorpus(): Corpus {
  const zipf = createZipfText(SEED);
  const known: string[] = [];
  let documents = 0;
  return {
    growTo(wanted) {
      const files: UploadedFile[] = [];
      const before = known.length;
      while (known.length < wanted) {
        documents += 1;
        const markdown = zipf.document(PAGES_A_DOCUMENT * PAGE_CHARACTERS);
        files.push({ name: `document-${String(documents)}.md`, text: markdown });
        for (const passage of passagesOf(markdown)) known.push(passage);
      }
      const characters = files.reduce((sum, { text }) => sum + text.length, 0);
      return { files, passages: known.slice(before), pages: characters / PAGE_CHARACTERS };
    },
    questions(count) {
      const random = seededRandom(known.length);
      const any = <Each>(all: readonly Each[]) => all[Math.floor(random() * all.length)];
      return Array.from({ length: count }, () => {
        const passage = any(known) ?? '';
        const text = keyWordsOf(passage)
          .map((word) => ({ word, at: random() }))
          .sort((a, b) => a.at - b.at)
          .slice(0, WORDS_A_QUESTION)
          .map(({ word }) => word)
          .join(' ');
        return { text, passage };
      });
    },
  };
}

function passagesOf(markdown: string): string[] {
  const pages = [{ page: undefined, markdown }];
  const { parts } = splitDocument({ format: 'markdown', title: '', pages });
  return [...parts].flatMap(({ passages }) => passages.map(({ text }) => text));
}
