import type { JsonSchema } from '../core/json-schema.js';

/** One setting or argument, as a row of a table tells it. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** As JSON; undefined when there is none. */
  readonly default: string | undefined;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** The fields of an object's JSON Schema, in the order they were written. */
export function fieldsOf(schema: JsonSchema): readonly Field[] {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: typeInWords(property),
    required: required.includes(name),
    default: property['default'] === undefined ? undefined : JSON.stringify(property['default']),
    description: typeof property['description'] === 'string' ? property['description'] : '',
    schema: property,
  }));
}

function typeInWords(schema: JsonSchema): string {
  const values = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  if (Array.isArray(values)) return values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return inOrder((choices as readonly JsonSchema[]).map(typeInWords));
  const { type } = schema;
  if (Array.isArray(type)) {
    return inOrder((type as readonly string[]).map((one) => typeInWords({ ...schema, type: one })));
  }
  return [nameOf(schema), rangeOf(schema)].filter((part) => part !== '').join(', ');
}

const inOrder = (types: readonly string[]) => [...new Set(types)].join(' or ');

function nameOf(schema: JsonSchema): string {
  const { type, items, format } = schema;
  if (type === 'array') return `list of ${typeInWords((items ?? {}) as JsonSchema)}`;
  if (type === 'string' && typeof format === 'string') return `text (${format})`;
  return typeof type === 'string' ? (NAMES[type] ?? type) : 'anything';
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'nothing',
};

function rangeOf(schema: JsonSchema): string {
  const above = numberIn(schema, 'exclusiveMinimum');
  if (above !== undefined) return `more than ${String(above)}`;
  const { unit, min, max } = boundsOf(schema);
  if (unit !== '' && min === 1 && max === undefined) return 'not empty';
  if (min !== undefined && max !== undefined) return `${String(min)} to ${String(max)}${unit}`;
  if (max !== undefined) return `at most ${String(max)}${unit}`;
  return min === undefined ? '' : `at least ${String(min)}${unit}`;
}

function boundsOf(schema: JsonSchema) {
  const bounds = (unit: string, min: string, max: string) => ({
    unit,
    min: numberIn(schema, min),
    max: numberIn(schema, max),
  });
  if (schema['type'] === 'string') return bounds(' characters', 'minLength', 'maxLength');
  if (schema['type'] === 'array') return bounds(' entries', 'minItems', 'maxItems');
  return bounds('', 'minimum', 'maximum');
}

/** The bounds that every whole number has go without saying. */
function numberIn(schema: JsonSchema, key: string): number | undefined {
  const value = schema[key];
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
}

/** A value that a person can see is to be replaced, of the right type. */
function exampleOf(name: string, schema: JsonSchema): unknown {
  const { examples, type } = schema;
  const values = schema['const'] === undefined ? (examples ?? schema['enum']) : [schema['const']];
  if (Array.isArray(values) && values.length > 0) return values[0] as unknown;
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return exampleOf(name, choices[0] as JsonSchema);
  if (type === 'array') return [exampleOf(name, (schema['items'] ?? {}) as JsonSchema)];
  if (type === 'object') return exampleObject(schema);
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return numberIn(schema, 'minimum') ?? 1;
  return `<${name}>`;
}

/** What must be set, and nothing else. */
export function exampleObject(schema: JsonSchema): Readonly<Record<string, unknown>> {
  const required = fieldsOf(schema).filter((field) => field.required);
  return Object.fromEntries(required.map(({ name, schema: one }) => [name, exampleOf(name, one)]));
}
