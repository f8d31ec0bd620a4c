import { isRecord, type JsonRecord, own } from '../base/json.js';
import { safeLabel } from '../base/text.js';
import type { Usage } from './event.js';

/** Per million tokens. */
export interface Price {
  readonly prompt: number;
  readonly completion: number;
  /** Of the prompt, what the provider had already; the same as the rest of it unless said. */
  readonly cached?: number;
}

/** What models cost an organisation, by `<model>` or `<provider>/<model>`. */
export interface PriceList {
  readonly currency: string;
  readonly models: ReadonlyMap<string, Price>;
}

const USUAL_CURRENCY = 'USD';
const CURRENCY = /^[A-Z]{3}$/;
const TOKENS = 1_000_000;
/** Sums of fractions are told as people would add them up. */
const PLACES = 9;

/** What cannot be understood counts as not said. */
export function readPrices(prices: unknown, currency: unknown): PriceList {
  const entries = Object.entries(isRecord(prices) ? prices : {});
  return {
    currency: isCurrency(currency) ? currency : USUAL_CURRENCY,
    models: new Map(entries.flatMap(([model, entry]) => (isPrice(entry) ? [[model.trim(), entry]] : []))),
  };
}

/** A price that is none would be passed over, and its model look as if nobody had said what it costs. */
export function badPricesIn(holder: JsonRecord, where: string): readonly string[] {
  const [prices, currency] = [own(holder, 'prices'), own(holder, 'currency')];
  const odd = currency === undefined || isCurrency(currency) ? [] : [`${where}currency must be like "EUR"`];
  if (prices === undefined) return odd;
  if (!isRecord(prices)) return [...odd, `${where}prices must be an object of {prompt, completion} by model`];
  const bad = Object.entries(prices).filter(([, entry]) => !isPrice(entry));
  return [
    ...odd,
    ...bad.map(
      ([model]) =>
        `${where}prices.${safeLabel(model)} must be {"prompt": 0.15, "completion": 0.6}, per million tokens`,
    ),
  ];
}

export function costAt(
  { prompt, completion, cached = prompt }: Price,
  { promptTokens, completionTokens, cachedTokens = 0 }: Usage,
): number {
  const known = Math.min(cachedTokens, promptTokens);
  return ((promptTokens - known) * prompt + known * cached + completionTokens * completion) / TOKENS;
}

export function asAmount(cost: number): number {
  return Number(cost.toFixed(PLACES));
}

function isCurrency(value: unknown): value is string {
  return typeof value === 'string' && CURRENCY.test(value);
}

function isPrice(value: unknown): value is Price & JsonRecord {
  if (!isRecord(value)) return false;
  const cached = own(value, 'cached');
  return (
    isAmount(own(value, 'prompt')) &&
    isAmount(own(value, 'completion')) &&
    (cached === undefined || isAmount(cached))
  );
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
