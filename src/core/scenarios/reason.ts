import { oneLine } from '../base/text.js';

/** Words of an answer: those that decide, if any do, and what stands around them. */
export interface Quotation {
  readonly before: string;
  readonly words: string;
  readonly after: string;
}

/** Why a verdict is what it is, for whoever says it in another language than `inEnglish`. */
export interface Reason {
  readonly code: ReasonCode;
  /** Names and numbers that belong into the sentence; of a fault, its message and its code. */
  readonly values?: readonly string[];
  /** Empty throughout where the answer is. */
  readonly quote?: Quotation;
}

/** A colon waits for what is quoted. */
const SENTENCES = {
  says: () => 'The answer says',
  does_not_say: (words: string) => `The answer does not say "${words}":`,
  avoids: (words: string) => `The answer does not say "${words}".`,
  pattern_too_slow: () => 'The pattern took too long, so there is no verdict. Write a simpler one.',
  nothing_matches: () => 'Nothing in the answer matches:',
  cites: (title: string) => `It cites "${title}".`,
  cites_nothing: () => 'It cites nothing.',
  cites_others: (...titles: readonly string[]) =>
    `It cites ${titles.map((title) => `"${title}"`).join(', ')} alone.`,
  called: (...calls: readonly string[]) => `It called ${calls.join('; ')}.`,
  called_nothing: () => 'It called no tool.',
  did_not_call: (tool: string) => `It did not call ${tool}.`,
  declines: () => 'It declines:',
  does_not_decline: () => 'It does not decline:',
  in_language: (language: string) => `It is in "${language}":`,
  in_no_language: () => 'Its language cannot be told:',
  rounds: (rounds: string) => `It took ${rounds} rounds.`,
  cost: (cost: string) => `It cost ${cost}.`,
  no_price: () => 'Your organisation has set no price for what was asked.',
  no_judge: () => 'Your organisation has no small model that could judge it.',
  judge_failed: (fault: string) => `Nobody judged it: ${fault}`,
  judge_unclear: () => 'The model that judges gave no verdict that can be read.',
  points: (points: string, most: string, each: string) => `${points} of ${most} points. ${each}`,
  assistant_gone: () => 'The assistant is not there any more.',
  rubric_gone: () => 'The rubric is not there, or its owner may not use it.',
  no_answer: (fault: string) => `There was no answer to look at. ${fault}`.trim(),
  not_recorded: (version: string) =>
    `Version ${version} has no recording of this. Run the suite with "cassette": "record" first.`,
} satisfies Readonly<Record<string, (...values: string[]) => string>>;

export type ReasonCode = keyof typeof SENTENCES;
export const REASONS = Object.keys(SENTENCES) as readonly ReasonCode[];

const MOST_VALUES = 10;
const LONGEST_VALUE = 300;

/** Bounded, however much an answer holds. */
export function reasonOf(
  code: ReasonCode,
  { values = [], quote }: { readonly values?: readonly string[]; readonly quote?: Quotation } = {},
): Reason {
  const some = values.slice(0, MOST_VALUES).map((value) => oneLine(value, LONGEST_VALUE));
  return { code, ...(some.length > 0 && { values: some }), ...(quote && { quote }) };
}

export function inEnglish({ code, values = [], quote }: Reason): string {
  const say: (...values: string[]) => string = SENTENCES[code];
  const said = say(...values);
  if (!quote) return said;
  const shown = `${quote.before}${quote.words}${quote.after}`;
  return `${said} ${shown === '' ? 'it is empty.' : `"${shown}"`}`;
}
