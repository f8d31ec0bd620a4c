import { reasons as caReasons } from '../../i18n/ca/tests/reasons.ts';
import { tests as ca } from '../../i18n/ca/tests/scenarios.ts';
import { reasons as enReasons } from '../../i18n/en/tests/reasons.ts';
import { tests as en } from '../../i18n/en/tests/scenarios.ts';
import { reasons as esReasons } from '../../i18n/es/tests/reasons.ts';
import { tests as es } from '../../i18n/es/tests/scenarios.ts';
import { reasons as euReasons } from '../../i18n/eu/tests/reasons.ts';
import { tests as eu } from '../../i18n/eu/tests/scenarios.ts';

/** By language. They come with the page that says them. */
export const TESTS_WORDS = { en, es, ca, eu };
export const REASON_WORDS = { en: enReasons, es: esReasons, ca: caReasons, eu: euReasons };
