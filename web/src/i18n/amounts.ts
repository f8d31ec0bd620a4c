const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** As long as it is, in the unit one would say it in: `840 ms`, `3.4 s`, `2 min 5 s`. */
export function inTime(ms: number, language: string): string {
  const said = (value: number, unit: string, digits = 0) =>
    new Intl.NumberFormat(language, {
      ...{ style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits },
    }).format(value);
  const whole = Math.round(Math.max(ms, 0));
  if (whole < SECOND) return said(whole, 'millisecond');
  if (whole < MINUTE - 50) return said(whole / SECOND, 'second', 1);
  const seconds = Math.round(whole / SECOND);
  return `${said(Math.floor(seconds / 60), 'minute')} ${said(seconds % 60, 'second')}`;
}

/** One question costs a fraction of a cent: what is small is told to two digits that count. */
export function inMoney(amount: number, currency: string, language: string): string {
  const isSmall = amount !== 0 && Math.abs(amount) < 0.1;
  const digits: Intl.NumberFormatOptions = isSmall
    ? { maximumSignificantDigits: 2 }
    : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  // Somebody has written the currency by hand: what is no code of three letters is put behind the number.
  return /^[A-Za-z]{3}$/.test(currency)
    ? new Intl.NumberFormat(language, { style: 'currency', currency, ...digits }).format(amount)
    : `${new Intl.NumberFormat(language, digits).format(amount)} ${currency}`;
}

const SPANS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago a moment was, in the largest unit that fits. */
export function inPast(iso: string, locale: string): string {
  const seconds = Math.max((Date.now() - Date.parse(iso)) / 1_000, 0);
  const [unit, length] = SPANS.find(([, span]) => seconds >= span) ?? ['second', 1];
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return words.format(unit === 'second' ? 0 : -Math.floor(seconds / length), unit);
}

/** A moment to come, as it is told today. */
export interface Moment {
  /** `tomorrow`, or `Monday 23 November`. */
  readonly day: string;
  readonly time: string;
  /** Today or tomorrow. */
  readonly isNear: boolean;
  /** With this day. */
  readonly endsToday: boolean;
}

export interface MomentWords {
  readonly locale: string;
  /** The names of days and months would be in another language than the words around them. */
  readonly isForeign: boolean;
  readonly near: Readonly<Record<'today' | 'tomorrow', string>>;
}

const DAY_MS = 86_400_000;

export function inFuture(iso: string, { locale, isForeign, near }: MomentWords, now = new Date()): Moment {
  const at = new Date(iso);
  const dayOf = (date: Date, plus = 0) =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate() + plus).getTime();
  // By the calendar: a day may have 23 hours.
  const days = Math.round((dayOf(at) - dayOf(now)) / DAY_MS);
  const said = [near.today, near.tomorrow][days];
  const far = new Intl.DateTimeFormat(
    locale,
    isForeign ? { dateStyle: 'short' } : { weekday: 'long', day: 'numeric', month: 'long' },
  );
  return {
    day: said ?? far.format(at),
    time: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at),
    isNear: said !== undefined,
    endsToday: at.getTime() === dayOf(now, 1),
  };
}
