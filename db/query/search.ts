import type { Knex } from 'knex';
import { badRequest } from '../../src/core/errors.js';
import { isPostgres } from './raw-rows.js';
import { storable } from './values.js';

/** With every letter spelt out in all its forms still well below the length at which SQLite refuses a pattern. */
const LONGEST_SEARCH = 500;

/** The accents of Latin, Greek and Cyrillic letters; marks of other scripts are letters in their own right. */
const ACCENTS = '\u0300-\u036f';
const ACCENT = new RegExp(`[${ACCENTS}]`, 'g');
/** Combining accents, which macOS writes apart from their letter (Unicode NFD). */
const APART = ['\u0300', '\u0301', '\u0302', '\u0303', '\u0308', '\u0327'];

/** Of the alphabets that have small and capital letters: the last letter of Greek with its accents. */
const LAST_LETTER = 0x1fff;

/** Without case and accents: what is looked for and what is found are alike when this is. */
export function folded(text: string): string {
  return text.normalize('NFD').replace(ACCENT, '').toLowerCase().normalize('NFC').replaceAll('ς', 'σ');
}

/**
 * Only rows with this text in one of the columns, whatever the case and the accents. No database of ours folds them
 * alike, so each letter is looked for in all the forms it has; that needs no second copy of what is stored.
 */
export function onlyContaining(
  query: Knex.QueryBuilder,
  columns: readonly (string | Knex.Raw)[],
  text: string,
): Knex.QueryBuilder {
  if (text.length > LONGEST_SEARCH)
    throw badRequest(`A search may have at most ${String(LONGEST_SEARCH)} characters.`, 'q');
  const letters = Array.from(folded(storable(text)));
  const [condition, pattern] = isPostgres(query)
    ? ['?? ~ ?', letters.map(inRegex).join('')]
    : [`${withoutAccentsApart('??')} GLOB ?`, `*${letters.map(inGlob).join('')}*`];
  return query.where((any) => {
    for (const column of columns) any.orWhereRaw(condition, [column, pattern]);
  });
}

function inRegex(letter: string): string {
  const forms = formsOf(letter);
  return forms === undefined ? letter.replace(/[\\^$.*+?()[\]{}|]/, '\\$&') : `[${forms}][${ACCENTS}]*`;
}

function inGlob(letter: string): string {
  const forms = formsOf(letter);
  return forms === undefined ? letter.replace(/[*?[]/, '[$&]') : `[${forms}]`;
}

function withoutAccentsApart(column: string): string {
  return APART.reduce((text, accent) => `replace(${text}, '${accent}', '')`, column);
}

let alphabet: ReadonlyMap<string, string> | undefined;

/** All that fold to this letter, as ranges of a class of characters; undefined when it has no other form. */
function formsOf(letter: string): string | undefined {
  alphabet ??= allForms();
  return alphabet.get(letter);
}

function allForms(): ReadonlyMap<string, string> {
  const found = new Map<string, [number, number][]>();
  for (let code = 0x41; code <= LAST_LETTER; code++) {
    const character = String.fromCodePoint(code);
    const letter = folded(character);
    if (!/^\p{L}$/u.test(letter)) continue;
    const ranges = found.get(letter) ?? [];
    found.set(letter, ranges);
    const last = ranges.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return new Map(
    [...found]
      .filter(([, ranges]) => ranges.length > 1 || ranges[0]?.[0] !== ranges[0]?.[1])
      .map(([letter, ranges]) => [letter, ranges.map(asRange).join('')]),
  );
}

function asRange([from, to]: readonly [number, number]): string {
  const [first, last] = [from, to].map((code) => String.fromCodePoint(code)) as [string, string];
  return from === to ? first : `${first}-${last}`;
}
