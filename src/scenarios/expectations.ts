import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../core/base/json.js';
import {
  type JudgeQuestion,
  type Judgement,
  judgement,
  type MadeCall,
  type Turn,
  undecided,
} from '../core/scenarios/asking.js';
import { type Quotation, reasonOf } from '../core/scenarios/reason.js';
import { type Expectation, type ExpectationKind, kindOf } from '../core/scenarios/scenario.js';
import { languageOf, likelyLanguages } from '../knowledge/analysis/detect-language.js';
import { UNSURE } from '../knowledge/analysis/languages.js';
import type { FindPattern } from './pattern.js';
import { refusalIn } from './refusal-words.js';

/** Whom expectations ask that no function can tell. */
export interface Judges {
  readonly find: FindPattern;
  /** Undefined where the organisation has no small model. */
  readonly judge: (question: JudgeQuestion) => Promise<Judgement | undefined>;
}

export interface Spoken extends Turn {
  readonly asked: string;
}

type Wanted<Kind extends ExpectationKind> = NonNullable<Expectation[Kind]>;
type Check<Kind extends ExpectationKind> = (
  wanted: Wanted<Kind>,
  turn: Spoken,
  judges: Judges,
) => Judgement | Promise<Judgement>;

const LONGEST_WHY = 500;
const AROUND = 60;
const LONGEST_QUOTED = 300;

/** What a turn is by one expectation, with the words that decide. */
export async function check(expectation: Expectation, turn: Spoken, judges: Judges): Promise<Judgement> {
  const kind = kindOf(expectation);
  const { why, ...verdict } = await (CHECKS[kind] as Check<ExpectationKind>)(
    expectation[kind] as never,
    turn,
    judges,
  );
  return { ...verdict, why: why.length > LONGEST_WHY ? `${why.slice(0, LONGEST_WHY - 1)}…` : why };
}

const CHECKS: { readonly [Kind in ExpectationKind]: Check<Kind> } = {
  contains: (text, { answer }) => {
    const at = placeOf(text, answer);
    return at < 0
      ? judgement(false, reasonOf('does_not_say', { values: [text], quote: opening(answer) }))
      : judgement(true, reasonOf('says', { quote: quote(answer, at, text.trim().length) }));
  },
  not_contains: (text, { answer }) => {
    const at = placeOf(text, answer);
    return at < 0
      ? judgement(true, reasonOf('avoids', { values: [text] }))
      : judgement(false, reasonOf('says', { quote: quote(answer, at, text.trim().length) }));
  },
  matches: async (pattern, { answer }, { find }) => {
    const match = await find(pattern, [answer]);
    if (!match) return undecided(reasonOf('pattern_too_slow'));
    const [found] = match.found;
    return found == null
      ? judgement(false, reasonOf('nothing_matches', { quote: opening(answer) }))
      : judgement(true, reasonOf('says', { quote: quote(found, 0, found.length) }));
  },
  cites: (wanted, { sources }) => {
    const cited = sources.filter((source) => source.cited);
    const found = cited.find(({ title, collection }) =>
      wanted.document === undefined ? collection === wanted.collection : isTitle(title, wanted.document),
    );
    if (found) return judgement(true, reasonOf('cites', { values: [found.title] }));
    const values = cited.map(({ title }) => title);
    return judgement(false, reasonOf(cited.length === 0 ? 'cites_nothing' : 'cites_others', { values }));
  },
  calls: (wanted, { calls }) => {
    const found = calls.find((call) => isWanted(call, wanted));
    if (found) return judgement(true, reasonOf('called', { values: [callInWords(found)] }));
    const values = calls.map(callInWords);
    return judgement(false, reasonOf(calls.length === 0 ? 'called_nothing' : 'called', { values }));
  },
  not_calls: ({ tool }, { calls }) => {
    const found = calls.find((call) => call.tool === tool);
    return found
      ? judgement(false, reasonOf('called', { values: [callInWords(found)] }))
      : judgement(true, reasonOf('did_not_call', { values: [tool] }));
  },
  refuses: async (_true, { asked, answer }, { judge }) => {
    const judged = await judge({ kind: 'refuses', asked, answer });
    if (judged) return judged;
    const refusal = refusalIn(answer);
    return refusal
      ? judgement(true, reasonOf('declines', { quote: quote(answer, refusal.at, refusal.words.length) }))
      : judgement(false, reasonOf('does_not_decline', { quote: opening(answer) }));
  },
  language: (language, { answer }) => {
    const found = languageIn(answer, language);
    if (found === UNSURE) return undecided(reasonOf('in_no_language', { quote: opening(answer) }));
    return judgement(
      found === language,
      reasonOf('in_language', { values: [found], quote: opening(answer) }),
    );
  },
  max_rounds: (most, { rounds }) =>
    judgement(rounds <= most, reasonOf('rounds', { values: [String(rounds)] })),
  max_cost: (most, { cost }) =>
    cost === null
      ? undecided(reasonOf('no_price'))
      : judgement(cost <= most, reasonOf('cost', { values: [String(cost)] })),
  rubric_at_least: async ({ rubric_id: rubricId, points }, { asked, answer }, { judge }) =>
    (await judge({ kind: 'rubric', rubricId, points, asked, answer })) ?? NO_JUDGE,
  judged: async (criterion, { asked, answer }, { judge }) =>
    (await judge({ kind: 'judged', criterion, asked, answer })) ?? NO_JUDGE,
};

const NO_JUDGE = undecided(reasonOf('no_judge'));

/** Whatever the case, and however its letters are put together. */
function placeOf(text: string, answer: string): number {
  return plain(answer).indexOf(plain(text.trim()));
}

const plain = (text: string) => text.normalize('NFC').toLowerCase();

function quote(answer: string, at: number, length: number): Quotation {
  const [from, end] = [Math.max(0, at - AROUND), Math.min(at + length, at + LONGEST_QUOTED)];
  const to = Math.min(answer.length, end + AROUND);
  return {
    before: `${from > 0 ? '…' : ''}${inOneLine(answer.slice(from, at)).trimStart()}`,
    words: inOneLine(answer.slice(at, end)),
    after: `${inOneLine(answer.slice(end, to)).trimEnd()}${to < answer.length ? '…' : ''}`,
  };
}

const inOneLine = (text: string) => text.replace(/\s+/g, ' ');

/** How it begins, with nothing in it that decides. */
function opening(answer: string): Quotation {
  const text = answer.trim();
  const shown = inOneLine(text.slice(0, 2 * AROUND)).trimEnd();
  return { before: '', words: '', after: `${shown}${text.length > 2 * AROUND ? '…' : ''}` };
}

/** A few words may be of several languages: the one that is looked for counts when it is as likely as any. */
function languageIn(answer: string, expected: string): string {
  const found = languageOf(answer);
  return found === UNSURE ? (likelyLanguages(answer, [expected])[0] ?? UNSURE) : found;
}

/** A title may say more than the name of the file, such as the page. */
function isTitle(title: string, document: string): boolean {
  const [shown, named] = [plain(title), plain(document)];
  if (!shown.startsWith(named)) return false;
  return !/^[\p{L}\p{N}._-]/u.test(shown.slice(named.length));
}

function isWanted(call: MadeCall, wanted: Wanted<'calls'>): boolean {
  if (call.tool !== wanted.tool) return false;
  if (wanted.function !== undefined && call.functionName !== wanted.function) return false;
  return wanted.arguments === undefined || isPart(wanted.arguments, call.arguments);
}

/** What an object holds is looked for in the other; anything else is to be the same. */
function isPart(part: unknown, whole: unknown): boolean {
  if (!isRecord(part)) return isDeepStrictEqual(part, whole);
  return isRecord(whole) && Object.entries(part).every(([key, value]) => isPart(value, whole[key]));
}

function callInWords({ tool, functionName, arguments: args }: MadeCall): string {
  const name = functionName === '' || functionName === tool ? tool : `${tool} (${functionName})`;
  return `${name} ${JSON.stringify(args).slice(0, 200)}`;
}
