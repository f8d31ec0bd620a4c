import { createOccurrences, type Occurrences } from './occurrences.js';

/** Stands between what is said and whoever reads it. */
export interface Hiding {
  redact(text: string): string;
  /** The same value with every text in it redacted. Before it is put into JSON: escapes would hide what to look for. */
  redactIn(value: unknown): unknown;
  /** The same as JSON. */
  json(value: object): string;
}

/** By itself it hides what is the service's own to hide, whoever reads. */
export interface Redactor extends Hiding {
  /** From now on this value of the service's own is never shown, in plain or in a usual encoding. */
  protect(secret: string): void;
  /** An organisation's secrets as they are now: those it had before are forgotten. */
  renew(organizationId: number, secrets: readonly string[]): void;
  /**
   * For what goes out to one organisation or about it: hides its secrets as well, those of this moment. What one
   * organisation calls a secret changes nothing of what another reads.
   */
  of(organizationId: number | undefined): Hiding;
}

/** What nests deeper is no fact of ours. */
const DEEPEST = 8;
/** What one thing hidden lays open is hidden too; nothing that occurs takes more than two turns. */
const MOST_TURNS = 4;

/** Under these stand words of our own protocol, and such a word is nobody's secret. */
const PROTOCOL_KEYS: ReadonlySet<string> = new Set([
  'type',
  'object',
  'role',
  'status',
  'code',
  'finish_reason',
]);
const PROTOCOL_WORD = /^[a-z]+(?:[._][a-z]+)*$/;

/**
 * What looks like a secret or a person wherever it comes from. Credentials in a URL come first: they may hold an e-mail.
 * Where one may be of any length it is taken one character after the other up to the last that fits (`*?(?!…)`): as
 * many as fit at once (`{8,}`) would be kept on a stack, which has no room for a few megabytes.
 */
const PATTERNS: readonly RegExp[] = [
  /(?<=[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#"']*:[^\s/?#"']*(?=@)/gi,
  /\bBearer\s+?[\w.~+/=-]{8}[\w.~+/=-]*?(?![\w.~+/=-])/gi,
  // Every kind of token of our own begins with bw; one that renews others goes on after a full stop.
  /\b(?:sk|pk|bw[alorsv]?)[-_][A-Za-z0-9_-]{12}[A-Za-z0-9_-]*?(?![A-Za-z0-9_-])(?:\.\d{1,9}\.[\w-]{43})?/g,
  /\beyJ[\w-]{8}[\w-]*?\.[\w-]{8}[\w-]*?\.[\w-]*?(?![\w-])/g,
  /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/gu,
];

/** No pattern fits a text without one of these. Nearly all texts are without, and one look must do for them. */
const SUSPECT = /@|bearer|eyJ|(?:sk|pk|bw[alorsv]?)[-_]/i;

export function createRedactor(): Redactor {
  const own = createSecretsHiddenAnywhere();
  const ofOrganizations = new Map<
    number,
    { readonly secrets: ReadonlySet<string>; readonly hiding: Hiding }
  >();
  const forAll = hidingWith(own.hide);
  return {
    ...forAll,
    protect: own.add,
    renew(organizationId, given) {
      const secrets = new Set(given);
      const before = ofOrganizations.get(organizationId)?.secrets;
      if (before?.size === secrets.size && given.every((secret) => before.has(secret))) return;
      const theirs = createSecretsHiddenAnywhere();
      secrets.forEach(theirs.add);
      const hiding = hidingWith((text) => theirs.hide(own.hide(text)));
      ofOrganizations.set(organizationId, { secrets, hiding });
    },
    of: (organizationId) => ofOrganizations.get(organizationId ?? NOBODY)?.hiding ?? forAll,
  };
}

const NOBODY = 0;

function hidingWith(hide: (text: string) => string): Hiding {
  const redact = (text: string): string => {
    let shown = hide(text);
    for (let turn = 0; turn < MOST_TURNS && SUSPECT.test(shown); turn++) {
      const before = shown;
      shown = hide(hidePatterns(before));
      if (shown === before) break;
    }
    return shown;
  };
  const redactIn = (value: unknown, depth = 0): unknown => {
    if (typeof value === 'string') return redact(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === DEEPEST) return MARK;
    if (Array.isArray(value)) return value.map((item) => redactIn(item, depth + 1));
    const entries = Object.entries(value);
    const shown = entries.map(([key, item]: [string, unknown]) =>
      isOurWord(key, item) ? item : redactIn(item, depth + 1),
    );
    if (shown.every((item, i) => item === entries[i]?.[1])) return value;
    return Object.fromEntries(entries.map(([key], i) => [key, shown[i]]));
  };

  return {
    redact,
    redactIn: (value) => redactIn(value),
    json(value) {
      const text = JSON.stringify(value);
      // Without an escape every text stands there as it is, and one look at the whole is enough.
      const isClean = !text.includes('\\') && redact(text) === text;
      return isClean ? text : JSON.stringify(redactIn(value));
    },
  };
}

/** The mark itself is passed over, so that what was hidden once stays as it is. */
function hidePatterns(text: string): string {
  return text
    .split(MARK)
    .map((part) => PATTERNS.reduce((shown, pattern) => shown.replace(pattern, MARK), part))
    .join(MARK);
}

function isOurWord(key: string, value: unknown): boolean {
  return PROTOCOL_KEYS.has(key) && typeof value === 'string' && PROTOCOL_WORD.test(value);
}

/** Values that must not be read in a text, in plain or in a usual encoding. */
export interface HiddenValues {
  add(value: string): void;
  hide(text: string): string;
}

const MARK = '[redacted]';
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
function createSecretsHiddenAnywhere(): HiddenValues {
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
