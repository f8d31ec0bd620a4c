import type { I18n } from '../i18n/i18n.svelte.ts';
import { measured, type Measure, type UsageFigures } from './usage-shapes.ts';

/** One figure in words; what has no price says so. */
export function amountOf(
  figures: UsageFigures,
  measure: Measure,
  { i18n, currency }: { readonly i18n: I18n; readonly currency: string },
): string {
  if (measure !== 'cost') return i18n.number(measured(figures, measure));
  return figures.cost === null ? i18n.t.usage.noPrice : i18n.money(figures.cost, currency);
}
