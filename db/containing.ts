import type { Knex } from 'knex';
import { storable } from './column-values.js';

/**
 * Only rows with this text in one of the columns, whatever the case. Databases fold ASCII alone, so letters beyond it
 * are looked for as typed, in small letters, and as a name begins.
 */
export function onlyContaining(
  query: Knex.QueryBuilder,
  columns: readonly (string | Knex.Raw)[],
  text: string,
): Knex.QueryBuilder {
  const lower = storable(text).normalize('NFC').toLowerCase();
  const capital = lower.replace(/(^|\s)\S/gu, (start) => start.toUpperCase());
  const spellings = new Set([storable(text), lower, capital].map(asciiLower));
  return query.where((any) => {
    for (const column of columns) {
      for (const spelling of spellings) {
        any.orWhereRaw("lower(??) LIKE ? ESCAPE '!'", [column, `%${spelling.replace(/[!%_]/g, '!$&')}%`]);
      }
    }
  });
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
