const ASCII = /^[\x20-\x7e]*$/;
// Marks of other scripts are letters in their own right.
const MARKED = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
  ё: 'е',
};
const SPECIAL = /[ßæœøđðħıłþё]/g;

/** Without accents, in lower case already: as somebody writes who does not bother. */
export function foldAccents(word: string): string {
  if (ASCII.test(word)) return word;
  const plain = word.replace(SPECIAL, (letter) => LETTERS[letter] ?? letter);
  return plain.normalize('NFD').replace(MARKED, '$1').normalize('NFC');
}
