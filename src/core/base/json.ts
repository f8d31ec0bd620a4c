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
