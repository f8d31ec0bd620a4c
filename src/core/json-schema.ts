import { z } from 'zod';
import { zodToJsonSchema } from 'zod-to-json-schema';
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
