import { z } from 'zod';
import { zodToJsonSchema } from 'zod-to-json-schema';
import { isRecord } from './base/json.js';
import { memoizeByObject } from './base/memo.js';
import { invalidConfiguration } from './errors.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of what a person or a model may write (so a field with a default is optional).
 * Plug-ins may be written with zod 4, with zod 3, or bring JSON Schema itself.
 */
export function toJsonSchema(schema: unknown): JsonSchema {
  if (typeof schema !== 'object' || schema === null) throw new TypeError('A schema must be an object.');
  return converted(schema);
}

const converted = memoizeByObject((schema: object): JsonSchema => {
  if ('_zod' in schema) {
    return z.toJSONSchema(schema as z.ZodType, { io: 'input', target: 'draft-7', unrepresentable: 'any' });
  }
  if ('_def' in schema) {
    return zodToJsonSchema(schema as Parameters<typeof zodToJsonSchema>[0], { $refStrategy: 'none' });
  }
  return schema as JsonSchema;
});

/** An object described by JSON Schema, ready to check what somebody sends. Throws when it is no such description. */
export function fromJsonSchema(schema: JsonSchema): z.ZodObject {
  const read = readable(schema);
  if (read instanceof z.ZodObject) return read;
  throw invalidConfiguration(
    'A JSON Schema for arguments must describe an object, in terms that are known here.',
  );
}

function readable(schema: JsonSchema): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema);
  } catch {
    return undefined;
  }
}

const TYPES: ReadonlySet<unknown> = new Set([
  ...['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'],
]);
const isType = (value: unknown) => TYPES.has(value);
const isListOf = (value: unknown, test: (one: unknown) => boolean) =>
  Array.isArray(value) && value.every((one) => test(one));
const areSchemas = (value: unknown) => isListOf(value, isSchema);
const areNamedSchemas = (value: unknown) => isRecord(value) && Object.values(value).every(isSchema);

/** What the keywords that providers read may hold; all others are left alone. */
const KEYWORDS: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  Object.entries({
    type: (value) => isType(value) || isListOf(value, isType),
    enum: Array.isArray,
    required: (value) => isListOf(value, (name) => typeof name === 'string'),
    ...{ properties: areNamedSchemas, patternProperties: areNamedSchemas },
    ...{ $defs: areNamedSchemas, definitions: areNamedSchemas },
    ...{ anyOf: areSchemas, oneOf: areSchemas, allOf: areSchemas, prefixItems: areSchemas },
    items: (value) => isSchema(value) || areSchemas(value),
    ...{ additionalProperties: isSchema, not: isSchema },
  }),
);

/** Whether it is built as a JSON Schema is; a provider would refuse the whole request otherwise. */
export function isSchema(value: unknown): boolean {
  if (typeof value === 'boolean') return true;
  return (
    isRecord(value) && Object.entries(value).every(([keyword, held]) => KEYWORDS.get(keyword)?.(held) ?? true)
  );
}
