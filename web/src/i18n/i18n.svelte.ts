import { type Fault, type FieldFault, isFault } from '../api/fault.ts';
import type { PreferenceStorage } from '../app/preferences.svelte.ts';
import { inFuture, inMoney, inPast, inTime, type Moment } from './amounts.ts';
import { en, type Messages } from './en.ts';
import { localeFor } from './locale.ts';
import { ownEntry } from './own-entry.ts';

export const LANGUAGES = { en: 'English', es: 'Español', ca: 'Català', eu: 'Euskara' } as const;
export type Language = keyof typeof LANGUAGES;

const STORED = 'bellwether.language';

/** English is at hand for everybody; the others are fetched by those who speak them. */
const DICTIONARIES: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: () => Promise.resolve(en),
  es: () => import('./es.ts').then(({ es }) => es),
  ca: () => import('./ca.ts').then(({ ca }) => ca),
  eu: () => import('./eu.ts').then(({ eu }) => eu),
};

export interface I18n {
  readonly language: Language;
  readonly t: Messages;
  start(): Promise<void>;
  choose(language: Language): Promise<void>;
  number(value: number): string;
  /** For an axis: `12K`. */
  short(value: number): string;
  /** To two places. */
  worth(value: number): string;
  percent(value: number): string;
  bytes(value: number): string;
  /** With the year, unless another form is asked for. */
  day(iso: string, form?: Intl.DateTimeFormatOptions): string;
  date(iso: string): string;
  /** How long ago it was, such as `2 hours ago`. */
  ago(iso: string): string;
  /** When something will be. */
  moment(iso: string): Moment;
  /** How long something took. */
  duration(ms: number): string;
  money(amount: number, currency: string): string;
  languageName(code: string): string;
  /** A fault in words for whoever sees it. The service's own sentence where there are no better ones. */
  fault(thrown: unknown): string;
  /** What is wrong with one field, in the same way. */
  field(fault: FieldFault): string;
}

export function createI18n(storage: PreferenceStorage): I18n {
  let language = $state<Language>('en');
  let t = $state.raw<Messages>(en);
  let locale = $state('en');
  /** English days are written differently in London and in New York. */
  let days = $state('en');

  async function choose(chosen: Language): Promise<void> {
    t = await DICTIONARIES[chosen]();
    language = chosen;
    locale = localeFor(chosen);
    days = localeFor(chosen, navigator.languages);
    document.documentElement.lang = chosen;
  }

  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  const bytes = (value: number) => inBytes(value, locale);
  const amounts: Amounts = { number, bytes };

  return {
    get language() {
      return language;
    },
    get t() {
      return t;
    },
    start: () => choose(remembered(storage) ?? preferred()),
    async choose(chosen) {
      await choose(chosen);
      storage.keep(STORED, chosen);
    },
    number,
    short: (value) => new Intl.NumberFormat(locale, { notation: 'compact' }).format(value),
    worth: (value) =>
      new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value),
    percent: (value) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(value / 100),
    bytes,
    date: (iso) =>
      new Intl.DateTimeFormat(days, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso)),
    day: (iso, form = { dateStyle: 'medium' }) => new Intl.DateTimeFormat(days, form).format(new Date(iso)),
    ago: (iso) => inPast(iso, locale),
    moment: (iso) => inFuture(iso, { locale: days, isForeign: !days.startsWith(language), near: t.common }),
    duration: (ms) => inTime(ms, locale),
    money: (amount, currency) => inMoney(amount, currency, locale),
    languageName: (code) =>
      code === 'und'
        ? t.document.unknownLanguage
        : (new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' }).of(code) ?? code),
    fault: (thrown) => inWords(thrown, t, amounts),
    field: (fault) => ofField(fault, t, amounts) ?? fault.message,
  };
}

const isLanguage = (code: string | undefined): code is Language => code !== undefined && code in LANGUAGES;

function remembered(storage: PreferenceStorage): Language | undefined {
  const stored = storage.read(STORED);
  return isLanguage(stored) ? stored : undefined;
}

function preferred(): Language {
  return navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en';
}

const STEPS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

function inBytes(value: number, locale: string): string {
  const step = Math.min(Math.max(Math.floor(Math.log10(Math.max(value, 1)) / 3), 0), STEPS.length - 1);
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: STEPS[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step > 1 ? 1 : 0,
  }).format(value / 1000 ** step);
}

interface Amounts {
  readonly number: (value: number) => string;
  readonly bytes: (value: number) => string;
}

function inWords(thrown: unknown, t: Messages, amounts: Amounts): string {
  const { faults } = t;
  if (!isFault(thrown)) return faults.broken;
  if (thrown.status === 0) return faults.noAnswer;
  if (thrown.status === 401) return faults.signedOut;
  const known = ofFields(thrown, t, amounts) ?? ownEntry(faults.codes, thrown.code);
  if (known !== undefined) return known;
  // In the middle of an answer it has no status any more.
  if (thrown.status === 429 || thrown.code === 'rate_limit_exceeded') return faults.tooMany;
  if (thrown.message !== '') return thrown.message;
  return thrown.status === 404 ? faults.notFound : faults.broken;
}

/** All that is wrong with its fields, if there are words for each. */
function ofFields({ errors }: Fault, t: Messages, amounts: Amounts): string | undefined {
  const told = errors.map((fault) => ofField(fault, t, amounts));
  if (told.length === 0 || told.includes(undefined)) return undefined;
  return [...new Set(told)].join(' ');
}

function ofField(
  { code, bound }: FieldFault,
  { builder, faults }: Messages,
  { number, bytes }: Amounts,
): string | undefined {
  if (code === 'too_large' && bound !== undefined) return faults.tooLarge(bytes(bound));
  const wrong = ownEntry(builder.wrong, code) as ((bound: string) => string) | undefined;
  return wrong?.(bound === undefined ? '' : number(bound));
}
