/** Shorter made-up words are the common ones. */
const RARE = /[a-z]{6,}/g;
const MOST = 6;

/** What a made-up text is about: six of its rarer words, the same for the same text. */
export function keyWordsOf(text: string): readonly string[] {
  const rare = [...new Set(text.match(RARE) ?? [])];
  const byNumber = rare.map((word) => ({ word, number: numberOf(word) })).sort((a, b) => a.number - b.number);
  return byNumber.slice(0, MOST).map(({ word }) => word);
}

/** A different one for nearly every word, without any order (FNV-1a). */
export function numberOf(word: string): number {
  let number = 0x811c9dc5;
  for (let i = 0; i < word.length; i += 1) number = Math.imul(number ^ word.charCodeAt(i), 0x01000193) >>> 0;
  return number;
}
