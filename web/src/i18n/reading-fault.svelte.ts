import { readingFaults as english } from './en/reading-faults.ts';
import type { I18n } from './i18n.svelte.ts';
import { pageWords } from './page-words.svelte.ts';

interface Unread {
  readonly error?: string | undefined;
  readonly error_code?: string | undefined;
}

/** Why a file could not be read, in the language of the page as far as there are words for it. */
export function readingFault(i18n: I18n): (unread: Unread) => string | undefined {
  const words = pageWords(i18n, english, {
    es: () => import('./es/reading-faults.ts').then((found) => found.readingFaults),
    ca: () => import('./ca/reading-faults.ts').then((found) => found.readingFaults),
    eu: () => import('./eu/reading-faults.ts').then((found) => found.readingFaults),
  });
  return ({ error, error_code: code = '' }) => (Object.hasOwn(words.t, code) ? words.t[code] : error);
}
