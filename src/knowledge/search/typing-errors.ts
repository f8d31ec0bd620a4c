import type { TermGroup, TermStatistics } from '../../core/knowledge/passage.js';
import type { PassageIndex, TermLook } from '../../core/knowledge/stores.js';

interface CountedWords {
  readonly groups: readonly TermGroup[];
  readonly statistics: TermStatistics;
}

/** Of letters alone: a number or a code that no document has is not another one. */
const CORRECTABLE = /^\p{L}{5,}$/u;
/** A term at least so long may be two errors away from what was meant, a shorter one only one. */
const LONG = 8;
/** A question with more unknown words is about something else. */
const MOST_UNKNOWN = 5;
/** As many terms that are equally near; the commonest first. */
const MOST_MEANINGS = 3;
/** What was probably meant counts less than what was said, by the number of errors. */
const WORTH = [1, 0.7, 0.5];

/** Has each word that no passage has stand for the words nearest to it that some passage has, as far as there are any. */
export async function withoutTypingErrors(
  collectionIds: readonly string[],
  { groups, statistics }: CountedWords,
  passages: Pick<PassageIndex, 'lookalikes'>,
): Promise<CountedWords> {
  const { frequencies } = statistics;
  const unknown = groups
    .filter(({ forms }) => !forms.some((form) => frequencies.has(form)))
    .map((group) => ({ group, forms: group.forms.filter((form) => CORRECTABLE.test(form)) }))
    .filter(({ forms }) => forms.length > 0);
  if (unknown.length === 0 || unknown.length > MOST_UNKNOWN) return { groups, statistics };

  const known = await passages.lookalikes(
    collectionIds,
    unknown.flatMap(({ forms }) => forms.flatMap(looksOf)),
  );
  const meant = new Map(unknown.map(({ group, forms }) => [group, corrected(group, forms, known)]));
  return {
    groups: groups.map((group) => meant.get(group) ?? group),
    statistics: { ...statistics, frequencies: new Map([...known, ...frequencies]) },
  };
}

/**
 * What a term looks like that the typed one may have been meant for. Of as many parts as there may be errors and one more,
 * one is as it should be; which leaves few terms to compare.
 */
function looksOf(typed: string): readonly TermLook[] {
  const most = mostErrorsIn(typed);
  const length = { shortest: typed.length - most, longest: typed.length + most };
  const [first = '', second = ''] = typed;
  // A swap may take a letter of two parts.
  const part = Math.floor((typed.length - most) / (most + 1));
  const suffix = typed.slice(-part);
  const looks = [
    { prefix: typed.slice(0, part) },
    { prefix: first, suffix },
    { prefix: second + first, suffix },
    ...(most > 1 ? [{ prefix: first, infix: typed.slice(part + 1, 2 * part + 1) }] : []),
    // The first letter of a long one may be that of a key beside it.
    ...(most > 1 ? lettersNear(first).map((letter) => ({ prefix: letter + typed.slice(1, part) })) : []),
  ];
  return looks.map((look) => ({ ...look, ...length }));
}

const mostErrorsIn = (typed: string): number => (typed.length < LONG ? 1 : 2);

function corrected(
  group: TermGroup,
  forms: readonly string[],
  known: ReadonlyMap<string, number>,
): TermGroup | undefined {
  const near = [...known].flatMap(([term, passages]) => {
    const errors = Math.min(...forms.map((form) => errorsBetween(form, term, mostErrorsIn(form))));
    return errors < WORTH.length ? [{ term, passages, errors }] : [];
  });
  const fewest = Math.min(...near.map(({ errors }) => errors));
  const nearest = near
    .filter(({ errors }) => errors === fewest)
    .sort((a, b) => b.passages - a.passages || (a.term < b.term ? -1 : 1))
    .slice(0, MOST_MEANINGS);
  if (nearest.length === 0) return undefined;
  return { forms: nearest.map(({ term }) => term), weight: (group.weight ?? 1) * (WORTH[fewest] ?? 0) };
}

/**
 * How many letters were left out, put in, mistaken or swapped with their neighbour (the optimal string alignment
 * distance); `Infinity` for more than `most`. Among short words many are one letter apart and different words, such as
 * "train" and "grain": there only what fingers and ears confuse counts as mistaken, and hardly anybody mistypes the first.
 */
function errorsBetween(typed: string, term: string, most: number): number {
  if (Math.abs(typed.length - term.length) > most) return Infinity;
  const isShort = typed.length < LONG;
  if (isShort && !beginsAlike(typed, term)) return Infinity;
  const mistaken = (a: string, b: string) =>
    a === b ? 0 : isShort && !isEasilyMistaken(a, b) ? Infinity : 1;
  let before: number[] = [];
  let above = Array.from({ length: term.length + 1 }, (_, i) => i);
  for (let i = 1; i <= typed.length; i++) {
    const row = [i];
    let fewest = i;
    for (let j = 1; j <= term.length; j++) {
      let errors = (above[j - 1] ?? 0) + mistaken(typed.charAt(i - 1), term.charAt(j - 1));
      errors = Math.min(errors, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && typed[i - 1] === term[j - 2] && typed[i - 2] === term[j - 1])
        errors = Math.min(errors, (before[j - 2] ?? 0) + 1);
      row.push(errors);
      fewest = Math.min(fewest, errors);
    }
    if (fewest > most) return Infinity;
    before = above;
    above = row;
  }
  const errors = above[term.length] ?? Infinity;
  return errors <= most ? errors : Infinity;
}

function beginsAlike(typed: string, term: string): boolean {
  return typed[0] === term[0] || (typed[0] === term[1] && typed[1] === term[0]);
}

const KEYS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const SOUND_ALIKE = ['aeiou', 'bv', 'cksz', 'gj', 'iy', 'mn'];

function isEasilyMistaken(a: string, b: string): boolean {
  if (SOUND_ALIKE.some((letters) => letters.includes(a) && letters.includes(b))) return true;
  const [one, other] = [keyOf(a), keyOf(b)];
  return one !== undefined && other !== undefined && Math.hypot(one.x - other.x, one.y - other.y) < 1.5;
}

const lettersNear = (letter: string): readonly string[] =>
  Array.from(KEYS.join('')).filter((other) => other !== letter && isEasilyMistaken(letter, other));

/** Where it lies on the keyboard; each row begins half a key farther to the right than the one above it. */
function keyOf(letter: string): { readonly x: number; readonly y: number } | undefined {
  const y = KEYS.findIndex((row) => row.includes(letter));
  return y < 0 ? undefined : { x: (KEYS[y] ?? '').indexOf(letter) + y / 2, y };
}
