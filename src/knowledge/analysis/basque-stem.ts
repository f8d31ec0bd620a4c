// Longest first, so that the whole of an ending goes.
const ENDINGS =
  `arentzat entzako etakoak etarako entzat etatik arekin etako etara erako ekiko tzeko rako ekin etan arik aren etik koak
  rik eko tik koa era ari ean atu ra ko an ak ek en ei tu z`.split(/\s+/);
const LEAST = 3;
// In azterketan and its like the vowel belongs to the noun.
const OWN_VOWEL = /(?<=ket)a(?:n|ko|tik|ra|rako)$/;
const LAST_VOWELS = /(?<=.{3})(?:ea|[ae])$/;

/** Takes the endings of case and number off; Snowball's rules leave the forms of one noun apart. */
export function stemBasque(word: string): string {
  const noun = word.replace(OWN_VOWEL, '');
  if (noun !== word) return noun;
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= LEAST);
  const bare = ending === undefined ? word : word.slice(0, -ending.length);
  // The article, and the noun's own vowel, which some endings swallow.
  return bare.replace(LAST_VOWELS, '');
}
