import { isFault } from '../api/fault.ts';
import { ENGLISH, inWords, type ToldFault } from './fault-words.ts';
import type { I18n } from './i18n.svelte.ts';
import { pageWords } from './page-words.svelte.ts';

interface Unread {
  readonly error?: string | undefined;
  readonly error_code?: string | undefined;
}

const readingWords = (i18n: I18n) =>
  pageWords(i18n, ENGLISH, {
    es: () => import('./es/reading-faults.ts').then((found) => found.readingFaults),
    ca: () => import('./ca/reading-faults.ts').then((found) => found.readingFaults),
    eu: () => import('./eu/reading-faults.ts').then((found) => found.readingFaults),
  });

/** Why a file could not be read, in the language of the page as far as there are words for it. */
export function readingFault(i18n: I18n): (unread: Unread) => string | undefined {
  const words = readingWords(i18n);
  return ({ error, error_code: code }) =>
    error === undefined ? undefined : inWords(words.t, { message: error, code });
}

/** What was not taken in of one that otherwise was, in the same way. */
export function partFault(i18n: I18n): (fault: ToldFault) => string {
  const words = readingWords(i18n);
  return (fault) => inWords(words.t, fault);
}

/** Why a file was not taken at all, in the same way. */
export function uploadFault(i18n: I18n): (fault: unknown) => string {
  const words = readingWords(i18n);
  return (fault) => {
    const { code } = (isFault(fault) ? fault.errors[0] : undefined) ?? {};
    return inWords(words.t, { message: i18n.fault(fault), code });
  };
}
