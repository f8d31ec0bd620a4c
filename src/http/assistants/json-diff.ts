import { isDeepStrictEqual } from 'node:util';

/** What differs between two JSON values, each place by its JSON path. */
export interface JsonDiff {
  readonly added: readonly { readonly path: string; readonly value: unknown }[];
  readonly removed: readonly { readonly path: string; readonly value: unknown }[];
  readonly changed: readonly { readonly path: string; readonly from: unknown; readonly to: unknown }[];
}

const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

export function jsonDiff(from: unknown, to: unknown): JsonDiff {
  const diff = { added: [], removed: [], changed: [] } satisfies Record<keyof JsonDiff, unknown[]>;
  compare('$', { from, to }, diff);
  return diff;
}

interface Growing {
  readonly added: { path: string; value: unknown }[];
  readonly removed: { path: string; value: unknown }[];
  readonly changed: { path: string; from: unknown; to: unknown }[];
}

function compare(path: string, { from, to }: { from: unknown; to: unknown }, diff: Growing): void {
  if (isDeepStrictEqual(from, to)) return;
  if (!isContainer(from) || !isContainer(to) || Array.isArray(from) !== Array.isArray(to)) {
    diff.changed.push({ path, from, to });
    return;
  }
  const [before, after] = [new Map(Object.entries(from)), new Map(Object.entries(to))];
  for (const [key, value] of before) {
    const at = path + step(key, Array.isArray(from));
    if (after.has(key)) compare(at, { from: value, to: after.get(key) }, diff);
    else diff.removed.push({ path: at, value });
  }
  for (const [key, value] of after) {
    if (!before.has(key)) diff.added.push({ path: path + step(key, Array.isArray(from)), value });
  }
}

function step(key: string, inList: boolean): string {
  if (inList) return `[${key}]`;
  return PLAIN_KEY.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
