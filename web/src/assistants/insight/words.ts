import { insight as ca } from '../../i18n/ca/insight.ts';
import { insight as en } from '../../i18n/en/insight.ts';
import { insight as es } from '../../i18n/es/insight.ts';
import { insight as eu } from '../../i18n/eu/insight.ts';

/** By language. They come with the page that says them. */
export const INSIGHT_WORDS = { en, es, ca, eu };
