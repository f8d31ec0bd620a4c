/** Whose way of writing dates and numbers is nearest, for browsers that do not have a language's own. */
const NEIGHBOURS: Readonly<Record<string, string>> = { eu: 'es', ca: 'es' };

/** What dates and numbers are written by. `regions` are those that somebody prefers: London or New York. */
export function localeFor(language: string, regions: readonly string[] = [], isKnown = knows): string {
  const own = [...regions.filter((tag) => tag.startsWith(`${language}-`)), language];
  return [...own, NEIGHBOURS[language] ?? 'en'].find(isKnown) ?? 'en';
}

/** Some browsers say that they have a language, and then call November `M11`. */
function knows(tag: string): boolean {
  if (Intl.DateTimeFormat.supportedLocalesOf(tag).length === 0) return false;
  return !/\d/.test(new Intl.DateTimeFormat(tag, { month: 'long' }).format(0));
}
