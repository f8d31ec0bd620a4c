import type { Pedagogy } from '../../src/core/assistants/pedagogy.js';
import { isRecord, type JsonRecord, own, textIn } from './json.js';

const MOST_LEVELS = 5;
const LONGEST_TOPIC = 500;

/** How it teaches, as its metadata says; nothing where nothing is switched on. */
export function pedagogyIn(metadata: JsonRecord): { readonly pedagogy?: Pedagogy } {
  const said = own(metadata, 'pedagogy');
  if (!isRecord(said)) return {};
  const hints = own(said, 'hints');
  const levels = isRecord(hints) ? own(hints, 'levels') : undefined;
  const topic = textIn(said, 'stay_on_topic')?.trim() ?? '';
  const pedagogy: Pedagogy = {
    ...(own(said, 'attempt_first') === true ? { attemptFirst: true } : {}),
    ...(isLevels(levels) ? { hintLevels: levels } : {}),
    ...(own(said, 'no_solutions') === true ? { noSolutions: true } : {}),
    ...(topic !== '' && isTopic(topic) ? { topic } : {}),
  };
  return Object.keys(pedagogy).length > 0 ? { pedagogy } : {};
}

function isLevels(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MOST_LEVELS;
}

function isTopic(value: unknown): boolean {
  return typeof value === 'string' && value.length <= LONGEST_TOPIC;
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isHints(value: unknown): boolean {
  return isRecord(value) && isLevels(own(value, 'levels'));
}

const RULES: Readonly<
  Record<string, { readonly fits: (value: unknown) => boolean; readonly words: string }>
> = {
  attempt_first: { fits: isFlag, words: 'must be true or false' },
  hints: {
    fits: isHints,
    words: `must be {"levels": a whole number from 1 to ${String(MOST_LEVELS)}}`,
  },
  no_solutions: { fits: isFlag, words: 'must be true or false' },
  stay_on_topic: { fits: isTopic, words: `must be a text of at most ${String(LONGEST_TOPIC)} characters` },
};

/** A rule that is misspelt would be none without anybody noticing: unlike elsewhere, unknown keys are told. */
export function odditiesOfPedagogy(metadata: JsonRecord): readonly string[] {
  const said = own(metadata, 'pedagogy');
  if (said == null) return [];
  if (!isRecord(said)) return ['metadata.pedagogy: must be an object such as {"attempt_first": true}'];
  return Object.keys(said).flatMap((key) => {
    const rule = own(RULES, key) as (typeof RULES)[string] | undefined;
    if (!rule) return [`metadata.pedagogy.${key}: is not known; known are ${Object.keys(RULES).join(', ')}`];
    const value = own(said, key);
    return value == null || rule.fits(value) ? [] : [`metadata.pedagogy.${key}: ${rule.words}`];
  });
}
