import type { JsonSchema } from '../src/core/json-schema.js';
import { isRecord } from '../src/core/json-record.js';

const PLACEHOLDER =
  'The offline demo cannot judge this: it is not a language model. What stands here is a placeholder, to be changed.';

/** Deeper than any form of ours: one that holds itself has an end. */
const DEEPEST = 8;

/** What fits a form, the same every time, and says of itself that nobody has thought about it. */
export function filledIn(schema: JsonSchema, depth = 0): unknown {
  const { type, enum: choices, properties, minimum } = schema;
  // Neither the best nor the worst.
  if (Array.isArray(choices)) return choices[Math.floor((choices.length - 1) / 2)];
  if (type === 'object' && isRecord(properties) && depth < DEEPEST) {
    const parts = Object.entries(properties).filter(([, part]) => isRecord(part));
    return Object.fromEntries(parts.map(([name, part]) => [name, filledIn(part as JsonSchema, depth + 1)]));
  }
  if (type === 'object') return {};
  if (type === 'array') return [];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return typeof minimum === 'number' ? minimum : 0;
  return PLACEHOLDER;
}
