import type { Language } from '../../i18n/i18n.svelte.ts';

/** Words that nearly every sentence of a language has some of, and that the others have few of. */
const FREQUENT: Readonly<Record<Language, readonly string[]>> = {
  en: ['the', 'and', 'of', 'to', 'is', 'in', 'that', 'it', 'with', 'are', 'this', 'you'],
  es: ['el', 'los', 'las', 'y', 'que', 'en', 'es', 'una', 'por', 'con', 'del', 'su', 'para'],
  ca: ['els', 'les', 'i', 'que', 'és', 'una', 'per', 'amb', 'dels', 'aquest', 'aquesta', 'seva', 'són'],
  eu: ['eta', 'da', 'dira', 'bat', 'ez', 'hau', 'du', 'dute', 'edo', 'dituzte', 'izan', 'egiten'],
};
const WORD = /\p{L}+/gu;
const ENOUGH = 3_000;

/** Which of the languages of the pages a text is in; undefined where it does not tell. */
export function languageOf(text: string): Language | undefined {
  const words = text.slice(0, ENOUGH).toLowerCase().match(WORD) ?? [];
  const found = (Object.keys(FREQUENT) as Language[]).map((language) => {
    const frequent = new Set(FREQUENT[language]);
    return { language, hits: words.filter((word) => frequent.has(word)).length };
  });
  const [first, second] = found.sort((a, b) => b.hits - a.hits);
  return first && first.hits > (second?.hits ?? 0) ? first.language : undefined;
}
