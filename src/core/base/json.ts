/** A JSON object. Only its own keys count: `__proto__` and `constructor` are keys like any other. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function own(record: JsonRecord, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A text that says something, or undefined. */
export function textIn(record: JsonRecord, key: string): string | undefined {
  const value = own(record, key);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** JSON from a source that may be hostile: bounded, and meaning the same to every reader. */
export type Parsed =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

export const MAX_ARGUMENT_BYTES = 64 * 1024;
export const MAX_DEPTH = 32;

export function parseStrictJson(text: string): Parsed {
  if (Buffer.byteLength(text) > MAX_ARGUMENT_BYTES)
    return refuse(`is larger than ${String(MAX_ARGUMENT_BYTES)} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('is not valid JSON');
  }
  const fault = shapeFault(text);
  return fault ? refuse(fault) : { ok: true, value };
}

/** True when a parsed value nests no deeper than `max`; walks without recursion. */
export function isNoDeeperThan(value: unknown, max: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const next = level.flatMap((item): unknown[] =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
    if (depth > max) return false;
    level = next;
  }
  return true;
}

const refuse = (reason: string): Parsed => ({ ok: false, reason });

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Too deep, or one key twice in an object: two readers may then see two different values. Reads valid JSON only. */
function shapeFault(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let lastString = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined);
      if (open.length > MAX_DEPTH) return `nests deeper than ${String(MAX_DEPTH)} levels`;
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token === ':') {
      const keys = open.at(-1);
      // `"a"` and `"\\u0061"` are one key.
      const key = JSON.parse(lastString) as string;
      if (keys?.has(key)) return 'names one key twice';
      keys?.add(key);
    } else {
      lastString = token;
    }
  }
  return undefined;
}
