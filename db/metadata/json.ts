import { type JsonRecord, own } from '../../src/core/base/json.js';

export { isRecord, type JsonRecord, own, textIn } from '../../src/core/base/json.js';

/** The record with these keys filled in where it has nothing; null says nothing either. */
export function withDefaults(record: JsonRecord, defaults: JsonRecord): JsonRecord {
  const missing = Object.entries(defaults).filter(
    ([key, value]) => value != null && own(record, key) == null,
  );
  return { ...record, ...Object.fromEntries(missing) };
}
