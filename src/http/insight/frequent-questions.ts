import type { SeenQuestions } from '../../activities/asked-questions.js';
import { FEWEST_STUDENTS } from '../../activities/k-anonymity.js';
import {
  clusterQuestions,
  createTermReader,
  type TermReader,
  type WordAnalysis,
} from '../../assistants/similar-questions.js';
import type { AskedQuestion } from '../../core/assistants/insight.js';
import { textOf } from '../../core/message.js';
import type * as wire from '../contract/people/insight.js';
import { withoutPictures } from '../lti/activity/insight.js';

const MOST_FREQUENT = 20;
const MOST_WORDS = 6;
const LONGEST_QUESTION = 1_000;

interface Compared {
  readonly asked: AskedQuestion;
  readonly text: string;
  readonly terms: ReadonlySet<string>;
}

/** Words are told when five people use them; what fewer have asked only of questions that may be shown anyway. */
export function frequentIn(
  { counted, isQuotable }: SeenQuestions,
  analyser: WordAnalysis,
): wire.FrequentQuestion[] {
  const texts = counted.map(({ question }) => textOf(question));
  const reader = createTermReader(analyser, texts);
  const compared = counted
    .map((asked, at): Compared => ({ asked, text: texts[at] ?? '', terms: reader.of(texts[at] ?? '') }))
    .filter(({ terms }) => terms.size > 0);
  return clusterQuestions(compared)
    .flatMap((cluster) => {
      const shown = cluster.filter(({ asked }) => isQuotable(asked));
      const isGroup = peopleIn(cluster) >= FEWEST_STUDENTS;
      const told = isGroup ? cluster : shown;
      const [example] = shown;
      if (told.length < 2) return [];
      return {
        words: wordsOf(told, reader, isGroup && shown.length < told.length ? FEWEST_STUDENTS : 1),
        questions: told.length,
        people: isGroup ? peopleIn(cluster) : null,
        example: example ? questionOf(example.asked) : null,
      };
    })
    .filter(({ words, example }) => words.length > 0 || example !== null)
    .sort((one, other) => other.questions - one.questions)
    .slice(0, MOST_FREQUENT);
}

function peopleIn(cluster: readonly Compared[]): number {
  return new Set(cluster.map(({ asked }) => asked.userId)).size;
}

interface WordUse {
  count: number;
  readonly people: Set<number>;
  /** Who writes it how. */
  readonly forms: Map<string, Set<number>>;
}

/** As they are written, each that so many people and at least half of the questions have. */
function wordsOf(cluster: readonly Compared[], reader: TermReader, fewest: number): string[] {
  const uses = new Map<string, WordUse>();
  for (const { asked, text } of cluster) {
    for (const [term, word] of reader.wordsOf(text)) {
      const use: WordUse = uses.get(term) ?? { count: 0, people: new Set(), forms: new Map() };
      use.count += 1;
      use.people.add(asked.userId);
      use.forms.set(word, (use.forms.get(word) ?? new Set()).add(asked.userId));
      uses.set(term, use);
    }
  }
  return [...uses]
    .filter(([, { count, people }]) => people.size >= fewest && count * 2 >= cluster.length)
    .sort(([, one], [, other]) => other.count - one.count)
    .slice(0, MOST_WORDS)
    .map(([term, { forms }]) => {
      const [most] = [...forms].sort(([, one], [, other]) => other.size - one.size);
      return most && most[1].size >= fewest ? most[0] : term;
    });
}

/** As it is shown to others. */
export function questionOf({ question }: AskedQuestion): string {
  const line = textOf(withoutPictures(question)).replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_QUESTION ? line : `${line.slice(0, LONGEST_QUESTION - 1)}…`;
}
