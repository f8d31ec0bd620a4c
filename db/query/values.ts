import type { Timestamp } from '../../src/core/stores.js';

const MAX_INTEGER = 2_147_483_647;

/** Ids come from URLs: one that no row can have must be "not found", not an overflow in the database. */
export function isRowId(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id <= MAX_INTEGER;
}

/** PostgreSQL cannot hold U+0000 in text; what no database of ours can hold is shown as U+FFFD in all of them. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}

export function storableOrNull(text: string | null | undefined): string | null {
  return text == null ? null : storable(text);
}

/** Durations and token counts are measured elsewhere; an odd one must not cost the whole record. */
export function wholeNumber(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.round(Math.min(Math.max(value, 0), MAX_INTEGER));
}

export function now(): Timestamp {
  return new Date().toISOString();
}
