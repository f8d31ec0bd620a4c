import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../core/base/json.js';
import type { JudgeQuestion, Judgement, MadeCall, Turn } from '../core/scenarios/asking.js';
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

/** What a turn is by one expectation, with the words that decide. */
export async function check(expectation: Expectation, turn: Spoken, judges: Judges): Promise<Judgement> {
  const kind = kindOf(expectation);
  const { passed, why } = await (CHECKS[kind] as Check<ExpectationKind>)(
    expectation[kind] as never,
    turn,
    judges,
  );
  return { passed, why: why.length > LONGEST_WHY ? `${why.slice(0, LONGEST_WHY - 1)}…` : why };
}

const CHECKS: { readonly [Kind in ExpectationKind]: Check<Kind> } = {
  contains: (text, { answer }) => {
    const at = placeOf(text, answer);
    return at < 0
      ? failed(`The answer does not say "${text}": ${opening(answer)}`)
      : passed(`The answer says ${quote(answer, at, text.length)}`);
  },
  not_contains: (text, { answer }) => {
    const at = placeOf(text, answer);
    return at < 0
      ? passed(`The answer does not say "${text}".`)
      : failed(`The answer says ${quote(answer, at, text.length)}`);
  },
  matches: async (pattern, { answer }, { find }) => {
    const match = await find(pattern, [answer]);
    if (!match) return undecided('The pattern took too long, so there is no verdict. Write a simpler one.');
    const [found] = match.found;
    return found == null
      ? failed(`Nothing in the answer matches: ${opening(answer)}`)
      : passed(`The answer says "${found}".`);
  },
  cites: (wanted, { sources }) => {
    const cited = sources.filter((source) => source.cited);
    const found = cited.find(({ title, collection }) =>
      wanted.document === undefined ? collection === wanted.collection : isTitle(title, wanted.document),
    );
    if (found) return passed(`It cites "${found.title}".`);
    const others = cited.map(({ title }) => `"${title}"`).join(', ');
    return failed(others === '' ? 'It cites nothing.' : `It cites ${others} alone.`);
  },
  calls: (wanted, { calls }) => {
    const found = calls.find((call) => isWanted(call, wanted));
    if (found) return passed(`It called ${callInWords(found)}.`);
    const others = calls.map(callInWords).join('; ');
    return failed(others === '' ? 'It called no tool.' : `It called ${others}.`);
  },
  not_calls: ({ tool }, { calls }) => {
    const found = calls.find((call) => call.tool === tool);
    return found ? failed(`It called ${callInWords(found)}.`) : passed(`It did not call ${tool}.`);
  },
  refuses: async (_true, { asked, answer }, { judge }) => {
    const judged = await judge({ kind: 'refuses', asked, answer });
    if (judged) return judged;
    const refusal = refusalIn(answer);
    return refusal
      ? passed(`It declines: ${quote(answer, refusal.at, refusal.words.length)}`)
      : failed(`It does not decline: ${opening(answer)}`);
  },
  language: (language, { answer }) => {
    const found = languageIn(answer, language);
    if (found === UNSURE) return undecided(`Its language cannot be told: ${opening(answer)}`);
    const said = `It is in "${found}": ${opening(answer)}`;
    return found === language ? passed(said) : failed(said);
  },
  max_rounds: (most, { rounds }) => {
    const said = `It took ${String(rounds)} rounds.`;
    return rounds <= most ? passed(said) : failed(said);
  },
  max_cost: (most, { cost }) => {
    if (cost === null) return undecided('Your organisation has set no price for what was asked.');
    const said = `It cost ${String(cost)}.`;
    return cost <= most ? passed(said) : failed(said);
  },
  rubric_at_least: async ({ rubric_id: rubricId, points }, { asked, answer }, { judge }) =>
    (await judge({ kind: 'rubric', rubricId, points, asked, answer })) ?? NO_JUDGE,
  judged: async (criterion, { asked, answer }, { judge }) =>
    (await judge({ kind: 'judged', criterion, asked, answer })) ?? NO_JUDGE,
};

const passed = (why: string): Judgement => ({ passed: true, why });
const failed = (why: string): Judgement => ({ passed: false, why });
const undecided = (why: string): Judgement => ({ passed: null, why });
const NO_JUDGE = undecided('Your organisation has no small model that could judge it.');

/** Whatever the case, and however its letters are put together. */
function placeOf(text: string, answer: string): number {
  return plain(answer).indexOf(plain(text.trim()));
}

const plain = (text: string) => text.normalize('NFC').toLowerCase();

function quote(answer: string, at: number, length: number): string {
  const from = Math.max(0, at - AROUND);
  const to = Math.min(answer.length, at + length + AROUND);
  const shown = answer.slice(from, to).replace(/\s+/g, ' ').trim();
  return `"${from > 0 ? '…' : ''}${shown}${to < answer.length ? '…' : ''}"`;
}

const opening = (answer: string) =>
  answer.trim() === '' ? 'it is empty.' : quote(answer, 0, Math.min(answer.length, AROUND));

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
  return `${name} with ${JSON.stringify(args).slice(0, 200)}`;
}
