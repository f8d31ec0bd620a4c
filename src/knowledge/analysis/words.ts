// Written without spaces between words: taken in pairs of characters.
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー`;
const LETTER = String.raw`[[\p{L}\p{N}]--[${UNSPACED}]]`;
const RUN = String.raw`${LETTER}[[\p{L}\p{N}\p{M}]--[${UNSPACED}]]*`;
const WORD = new RegExp(
  [
    String.raw`(?<number>\d{1,3}(?:[.,]\d{3})+)(?![\p{L}\p{N}])`,
    String.raw`(?<sign>[a-z])(?<mark>\+\+|#)(?![\p{L}\p{N}])`,
    String.raw`(?<word>${RUN}(?:(?:['’·\-‐‑]|[\-‐]\r?\n[ \t]*)${RUN})*)`,
    String.raw`(?<unspaced>[[\p{L}\p{N}]&&[${UNSPACED}]][[\p{L}\p{N}\p{M}]&&[${UNSPACED}\p{M}]]*)`,
  ].join('|'),
  'gv',
);
const UNIT = /\P{M}\p{M}*/gu;
const INVISIBLE = /[\u00AD\u200B-\u200D\u2060\uFEFF]/g;

const HYPHEN = /[-‐‑](?:\r?\n[ \t]*)?/;
const APOSTROPHE = /['’]/;
// Unicode counts it among the letters: alone, or before an elided s, it would be a word of nothing.
const LETTER_APOSTROPHE = /ʼ/g;
const ELIDED =
  /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|presqu|un|dell|all|dall|nell|sull|coll|quest|quell|sant|tutt|bell|anch|dov|com|cos|senz)$/;
const CLITIC = /^(?:s|d|m|t|l|n|ll|re|ve|ls|ns|hi|ho|en|em)$/;
const NEGATED: Readonly<Record<string, string>> = { can: 'can', won: 'will' };

/** The words of a text in lower case, compatible forms made one: `H₂O` is `h2o`. See `wordsOfRun` for compounds. */
export function* wordsIn(text: string): Generator<string> {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '').replace(LETTER_APOSTROPHE, '’').toLowerCase();
  for (const { groups } of plain.matchAll(WORD)) {
    if (groups?.['word'] !== undefined) yield* wordsOfRun(groups['word']);
    else if (groups?.['unspaced'] !== undefined) yield* pairsOf(groups['unspaced']);
    else if (groups?.['number'] !== undefined) yield groups['number'].replace(/[.,]/g, '');
    // C++ and C# are not C.
    else if (groups?.['sign'] !== undefined)
      yield groups['sign'] + (groups['mark'] === '#' ? 'sharp' : 'plusplus');
  }
}

/**
 * A compound gives its parts, and itself in one word where people write it so: covid-19 is `covid`, `19` and `covid19`,
 * wi-fi is `wi`, `fi` and `wifi`, e-mail is `mail` and `email`, well-known is `well` and `known`.
 */
function* wordsOfRun(run: string): Generator<string> {
  const whole = run.includes('·') ? run.replace(/l·l/g, 'll').replaceAll('·', '') : run;
  const parts = whole.split(HYPHEN);
  if (parts.length === 1) {
    yield withoutApostrophe(whole);
    return;
  }
  const words = parts.map(withoutApostrophe);
  yield* words.filter((word) => word.length > 1);
  if (isOneWord(words) || run.includes('\n')) yield words.join('');
}

function isOneWord(words: readonly string[]): boolean {
  if (words.length > 3 || !words.some((word) => /\p{L}/u.test(word))) return false;
  return (
    words.some((word) => word.length === 1 || /\p{N}/u.test(word)) || words.every((word) => word.length <= 3)
  );
}

/** What is elided goes, before the apostrophe (l'aigua, qu'il, dell'acqua) or after it (student's, don't, porta'l). */
function withoutApostrophe(word: string): string {
  const parts = word.split(APOSTROPHE);
  const [head = '', ...rest] = parts;
  if (rest.length === 0) return word;
  const tail = rest.join('');
  if (ELIDED.test(head) && tail.length > 1 && !CLITIC.test(tail)) return tail;
  if (!CLITIC.test(tail)) return head + tail;
  return tail === 't' && head.endsWith('n') ? (NEGATED[head] ?? (head.slice(0, -1) || head)) : head;
}

function* pairsOf(run: string): Generator<string> {
  let before: string | undefined;
  let pairs = 0;
  for (const [unit] of run.matchAll(UNIT)) {
    if (before !== undefined) {
      yield before + unit;
      pairs += 1;
    }
    before = unit;
  }
  if (pairs === 0 && before !== undefined) yield before;
}
