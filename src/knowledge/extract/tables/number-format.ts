/** How Excel shows a number: the codes of ECMA-376, part 1, section 18.8.30 and 31, as far as they change what is read. */

/** Those that files name by number alone. Dates and times are written as ISO 8601 has them, whatever the country. */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '0',
  4: '0.00',
  9: '0%',
  10: '0.00%',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  37: '0',
  38: '0',
  39: '0.00',
  40: '0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss',
};
/** From and to. 27 to 36 and 50 to 58 are dates in East Asian versions. */
const BUILT_IN_DATES: readonly (readonly [number, number])[] = [
  [14, 17],
  [27, 31],
  [36, 36],
  [50, 58],
];

export function builtInFormat(id: number): string {
  if (BUILT_IN_DATES.some(([from, to]) => id >= from && id <= to)) return 'yyyy-mm-dd';
  return BUILT_IN[id] ?? 'General';
}

/** The last day that Excel knows: the end of the year 9999. */
const LAST_DAY = 2_958_465;
const DAY_SECONDS = 86_400;

export function formatNumber(value: number, code: string, since1904: boolean): string {
  const [section = ''] = withoutColours(code).split(';');
  const letters = section.replace(/"[^"]*"|\\.|AM\/PM|A\/P/gi, '');
  if (/^\s*general\s*$/i.test(letters)) return general(value);
  const hasTime = /[hs]/i.test(letters);
  const hasDate = /[yd]/i.test(letters) || (/m/i.test(letters) && !hasTime);
  if ((hasDate || hasTime) && value >= 0 && value <= LAST_DAY)
    return hasDate ? dateOf(value, since1904, hasTime) : clockTime(value, /\[[hms]+\]/i.test(letters));
  return /[0#?]/.test(letters) && !/E[+-]|\//i.test(letters) ? withDigits(value, section) : general(value);
}

/** Also without conditions and countries; a currency stays as its sign, and what counts hours beyond a day. */
function withoutColours(code: string): string {
  return code.replace(/\[\$([^\]-]*)[^\]]*\]/g, '"$1"').replace(/\[(?![hms]+\])[^\]]*\]/gi, '');
}

/** Excel keeps fifteen digits, and shows no more. */
function general(value: number): string {
  return String(Number(value.toPrecision(15)));
}

/** Excel takes 1900 for a leap year, as Lotus 1-2-3 did. */
function dateOf(serial: number, since1904: boolean, withTime: boolean): string {
  const epoch = since1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  const iso = new Date(epoch + 1_000 * Math.round(serial * DAY_SECONDS)).toISOString();
  return withTime ? `${iso.slice(0, 10)} ${clock(iso.slice(11, 19))}` : iso.slice(0, 10);
}

function clockTime(serial: number, beyondADay: boolean): string {
  const seconds = Math.round((beyondADay ? serial : serial % 1) * DAY_SECONDS);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return clock(parts.map((part) => String(part).padStart(2, '0')).join(':'));
}

function clock(time: string): string {
  return time.endsWith(':00') ? time.slice(0, -3) : time;
}

/** The words of the format around the number, with as many digits as it asks for. Thousands are not set apart. */
function withDigits(value: number, section: string): string {
  const plain = section
    .replace(/"([^"]*)"|\\(.)/g, (_, quoted?: string, single?: string) => quoted ?? single ?? '')
    .replace(/[_*]./g, '');
  const [, before = '', whole = '', decimals = '', after = ''] =
    /^([^0#?]*)([0#?,. ]*?)(?:\.([0#?]+))?((?![0#?,.])[^]*)?$/.exec(plain) ?? [];
  const shown = plain.includes('%') ? value * 100 : value;
  const fixed = Math.abs(shown).toFixed(Math.min(decimals.length, 20));
  const optional = /#+$/.exec(decimals)?.[0].length ?? 0;
  const [integer = '', fraction = ''] = trimZeros(fixed, optional).split('.');
  const digits = integer.padStart(whole.replace(/[^0]/g, '').length, '0');
  const number = fraction === '' ? digits : `${digits}.${fraction}`;
  const isZero = /^[0.]*$/.test(number);
  return `${shown < 0 && !isZero ? '-' : ''}${before.trim()}${number}${after.trimEnd()}`;
}

function trimZeros(fixed: string, optional: number): string {
  let shown = fixed;
  for (let left = optional; left > 0 && shown.endsWith('0'); left -= 1) shown = shown.slice(0, -1);
  return shown.replace(/\.$/, '');
}
