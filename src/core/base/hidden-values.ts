import { createOccurrences, type Occurrences } from './occurrences.js';

/** Values that must not be read in a text, in plain or in a usual encoding. */
export interface HiddenValues {
  add(value: string): void;
  hide(text: string): string;
}

export const MARK = '[redacted]';
/** Shorter values would blot out ordinary words. */
export const SHORTEST_SECRET = 6;
/** What is looked for everywhere has to be longer, or it would be found everywhere. */
const SHORTEST_ANYWHERE = 12;
/** About as much as eight random letters and digits, which nobody types by chance. */
const FEWEST_BITS = 36;
/** Of one value; and of all together, because looking for them takes room. */
export const LONGEST_SECRET = 4_096;
export const MOST_SECRET_CHARACTERS = 16_384;

/** For what one run or one request brings, and nothing else: there also a poor secret is worth hiding. */
export function createHiddenValues(): HiddenValues {
  return valuesWith((value) => value.length >= SHORTEST_SECRET);
}

/** For all that is said: only what cannot be a word of ours, or of anybody's. */
export function createSecretsHiddenAnywhere(): HiddenValues {
  return valuesWith(canBeHiddenAnywhere);
}

function valuesWith(isTaken: (value: string) => boolean): HiddenValues {
  const values = new Set<string>();
  let characters = 0;
  let occurrences: Occurrences | undefined;
  const forget = (value: string) => {
    values.delete(value);
    characters -= value.length;
  };

  const hideIn = (text: string): string => {
    occurrences ??= createOccurrences([...values].flatMap(spellings));
    let shown = '';
    let end = 0;
    for (const { from, to } of occurrences.in(text)) {
      shown += text.slice(end, from) + MARK;
      end = to;
    }
    return end === 0 ? text : shown + text.slice(end);
  };

  return {
    add(value) {
      const taken = value.slice(0, LONGEST_SECRET);
      // The mark is nobody's secret: hiding must come to an end.
      if (values.has(taken) || !isTaken(taken) || taken.includes(MARK)) return;
      values.add(taken);
      characters += taken.length;
      for (const oldest of values) {
        if (characters <= MOST_SECRET_CHARACTERS) break;
        forget(oldest);
      }
      occurrences = undefined;
    },
    hide(text) {
      if (values.size === 0) return text;
      return text.includes(MARK) ? text.split(MARK).map(hideIn).join(MARK) : hideIn(text);
    },
  };
}

/** Whether a value is too long and too random to stand anywhere but where it leaked. */
export function canBeHiddenAnywhere(value: string): boolean {
  return value.length >= SHORTEST_ANYWHERE && bitsOf(value) >= FEWEST_BITS;
}

/** What a letter inside a word tells, more or less, in any language. */
const BITS_IN_A_WORD = 1.4;
const WORD = /\p{Lu}?\p{Ll}{3,}|\p{Lu}{4,}/gu;

/** An estimate of how hard a value is to guess: by how its characters are spread, and letters in words hardly count. */
function bitsOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let each = 0;
  for (const count of counts.values()) each -= (count / value.length) * Math.log2(count / value.length);
  const inWords = (value.match(WORD) ?? []).join('').length;
  return (value.length - inWords) * each + inWords * Math.min(each, BITS_IN_A_WORD);
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  // Half a character has no place in a URL.
  const wellFormed = bytes.toString('utf8');
  const inUrl = encodeURIComponent(wellFormed);
  const inForm = new URLSearchParams({ '': wellFormed }).toString().slice(1);
  const hex = bytes.toString('hex');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...[inUrl, inForm].flatMap((form) => [form, form.replace(/%../g, (escape) => escape.toLowerCase())]),
    hex,
    hex.toUpperCase(),
    ...base64Cores(bytes),
  ];
}

/** Base64 differs with what stands before the secret: three offsets, less the characters neighbours touch. */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const whole = Math.floor(shifted.length / 3) * 4;
    const core = shifted.toString('base64').slice(offset === 0 ? 0 : 4, whole);
    return core.length < SHORTEST_SECRET ? [] : [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
