import type { UsageFigures, UsageGroup, UsageRow } from '../../../src/http/contract/usage.ts';
import type { Messages } from '../i18n/en.ts';
import type { I18n } from '../i18n/i18n.svelte.ts';

export const MEASURES = ['tokens', 'runs', 'cost'] as const;
export type Measure = (typeof MEASURES)[number];

/** How much it is, of what is looked at; what has no price counts as nothing. */
export function measured(figures: UsageFigures, measure: Measure): number {
  if (measure === 'runs') return figures.runs;
  if (measure === 'cost') return figures.cost ?? 0;
  return figures.prompt_tokens + figures.completion_tokens;
}

/** One figure in words; what has no price says so. */
export function amountOf(
  figures: UsageFigures,
  measure: Measure,
  { i18n, currency }: { readonly i18n: I18n; readonly currency: string },
): string {
  if (measure !== 'cost') return i18n.number(measured(figures, measure));
  return figures.cost === null ? i18n.t.usage.noPrice : i18n.money(figures.cost, currency);
}

/** Whoever comes from a learning platform has an address that nobody writes to, and that tells nothing. */
const VISITOR = /^([0-9a-f]{8})[0-9a-f-]+@lti\.invalid$/;

/** What a row of a report is called; what has no name any more says so. */
export function rowName({ key, label }: UsageRow, group: UsageGroup, t: Messages): string {
  const visitor = group === 'user' ? VISITOR.exec(label)?.[1] : undefined;
  if (visitor) return t.usage.visitor(visitor);
  if (label) return label;
  const isGone = group === 'assistant' && /^\d+$/.test(key);
  return isGone ? t.runs.goneAssistant(Number(key)) : key || t.usage.nameless[group];
}
