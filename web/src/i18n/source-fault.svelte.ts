import { ENGLISH, inWords, type ToldFault } from './fault-words.ts';
import type { I18n } from './i18n.svelte.ts';
import { pageWords } from './page-words.svelte.ts';

/** Why a source or a document of it was not brought in step, in the language of the page as far as there are words for it. */
export function sourceFault(i18n: I18n): (fault: ToldFault) => string {
  const words = pageWords(i18n, ENGLISH, {
    es: () => import('./es/source-faults.ts').then((found) => found.sourceFaults),
    ca: () => import('./ca/source-faults.ts').then((found) => found.sourceFaults),
    eu: () => import('./eu/source-faults.ts').then((found) => found.sourceFaults),
  });
  return (fault) => inWords(words.t, fault);
}
