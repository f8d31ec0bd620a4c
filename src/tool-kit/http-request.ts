import { z } from 'zod';
import { AppError } from '../core/errors.js';
import { fromJsonSchema, type JsonSchema } from '../core/json-schema.js';
import { isRecord, own } from '../core/base/json.js';

const LARGEST = 16 * 1024;
const DEEPEST = 12;
/** A pattern would run here, against a text of the model's choosing, for as long as it likes. */
const NOT_TAKEN = ['pattern', 'patternProperties', '$ref', '$dynamicRef'];

/** The arguments of a function, as an assistant's author describes them. */
export const ArgumentSchema = z
  .record(z.string(), z.unknown())
  .superRefine((schema, ctx) => {
    const message = faultOf(schema);
    if (message !== undefined) ctx.addIssue({ code: 'custom', message });
  })
  .describe('What the model sets: the JSON Schema of an object');

/** The properties of an object's schema, by name. */
export function propertiesOf(schema: JsonSchema): ReadonlyMap<string, JsonSchema> {
  const properties = own(schema, 'properties');
  return new Map(
    Object.entries(isRecord(properties) ? properties : {}).filter((entry): entry is [string, JsonSchema] =>
      isRecord(entry[1]),
    ),
  );
}

function faultOf(schema: JsonSchema): string | undefined {
  if (JSON.stringify(schema).length > LARGEST) return 'may have 16 KiB at most';
  const odd = notTakenIn(schema, 0);
  if (odd !== undefined) return odd;
  try {
    fromJsonSchema(schema);
    return undefined;
  } catch (fault) {
    return fault instanceof AppError ? fault.message : 'is no JSON Schema that is understood here';
  }
}

function notTakenIn(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > DEEPEST) return `may be ${String(DEEPEST)} levels deep at most`;
  for (const [key, inner] of Object.entries(value)) {
    // What is called so may also be an argument; then an object describes it.
    if (NOT_TAKEN.includes(key) && (typeof inner === 'string' || key === 'patternProperties')) {
      return `"${key}" is not taken here`;
    }
    const fault = notTakenIn(inner, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
