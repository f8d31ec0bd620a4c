import { badRequest } from '../../src/core/errors.js';

/** Every installation has these two, whatever its version. */
const ANCHOR = 'creator_users';
const COMPANION = 'assistants';

/** What the names of LAMB's tables begin with here: nothing, `LAMB_`, or whatever was configured. */
export function findPrefix(tables: readonly string[], wanted?: string): string {
  const known = new Set(tables.map((table) => table.toLowerCase()));
  const found = tables
    .filter((table) => table.toLowerCase().endsWith(ANCHOR))
    .map((table) => table.slice(0, -ANCHOR.length))
    .filter((prefix) => known.has(prefix.toLowerCase() + COMPANION));

  if (found.length === 0)
    throw badRequest('This is no LAMB database: it has no tables for users and assistants.');
  const chosen = wanted === undefined ? found : found.filter((prefix) => prefix === wanted);
  if (chosen.length === 1) return chosen[0] ?? '';
  const names = found.map((prefix) => `"${prefix}"`).join(', ');
  if (wanted === undefined)
    throw badRequest(
      `The file holds several installations, with the table prefixes ${names}. Choose one with --prefix.`,
    );
  throw badRequest(`The file holds no installation with the table prefix "${wanted}". There is ${names}.`);
}
