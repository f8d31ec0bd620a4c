/** A moment as a field for a date and a time takes and gives it: by the clock of whoever looks. */

export const momentOf = (local: string): string | null =>
  local === '' ? null : new Date(local).toISOString();

export function localTime(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
