import { charts as ca } from '../../i18n/ca/charts.ts';
import { charts as en } from '../../i18n/en/charts.ts';
import { charts as es } from '../../i18n/es/charts.ts';
import { charts as eu } from '../../i18n/eu/charts.ts';

/** By language. They come with the pages that have charts. */
export const CHART_WORDS = { en, es, ca, eu };
