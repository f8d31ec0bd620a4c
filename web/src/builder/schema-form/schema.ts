/** JSON Schema as far as forms are drawn from it. Whatever else it says is the service's to check. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema | readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly 'x-resource'?: string;
}

const RESOURCES = ['collection', 'tag', 'rubric', 'file', 'folder', 'assistant'] as const;
export type Resource = (typeof RESOURCES)[number];

/** How one value is asked for. */
export type Drawing =
  | { readonly kind: 'text'; readonly isLong: boolean }
  | { readonly kind: 'number'; readonly isWhole: boolean }
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly options: readonly (string | number)[] }
  | {
      readonly kind: 'resource';
      readonly resource: Resource;
      readonly isMany: boolean;
      readonly isNumber: boolean;
    }
  | { readonly kind: 'list'; readonly items: Schema }
  | { readonly kind: 'object' }
  | { readonly kind: 'record'; readonly values: Schema }
  /** The honest way out for everything else. */
  | { readonly kind: 'json' };

const LONG_TEXT = 400;

export function drawingOf(schema: Schema): Drawing {
  const plain = withoutNull(schema);
  const picked = resourceIn(plain);
  if (picked) return picked;
  if (plain.enum) return choiceOf(plain.enum);
  if (plain.anyOf) return isTextOrNumber(plain.anyOf) ? { kind: 'text', isLong: false } : { kind: 'json' };
  switch (plain.type) {
    case 'string':
      return { kind: 'text', isLong: isLong(plain) };
    case 'integer':
    case 'number':
      return { kind: 'number', isWhole: plain.type === 'integer' };
    case 'boolean':
      return { kind: 'switch' };
    case 'array':
      return isSchema(plain.items) ? { kind: 'list', items: plain.items } : { kind: 'json' };
    case 'object':
      return objectOf(plain);
    default:
      return { kind: 'json' };
  }
}

/** What stands in the field: the value, or what counts while there is none. */
export const shownOf = (schema: Schema, value: unknown): unknown =>
  value === undefined ? schema.default : value;

/** A value to begin with, for one more of a list. */
export function blankOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  const { kind } = drawingOf(schema);
  if (kind === 'object' || kind === 'record') return {};
  if (kind === 'list') return [];
  if (kind === 'switch') return false;
  return kind === 'text' ? '' : undefined;
}

/** The same fields, each with the reader's own hint where there is one. */
export function schemaInWords(schema: Schema, hints: Readonly<Record<string, string>> = {}): Schema {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const description = Object.hasOwn(hints, name) ? hints[name] : undefined;
    return [name, description === undefined ? field : { ...field, description }];
  });
  return { ...schema, properties: Object.fromEntries(fields) as Readonly<Record<string, Schema>> };
}

/** `top_k` as it is read: "Top k". */
export function inWords(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** "This, or nothing" is asked for as this, and may be left empty. */
export function withoutNull(schema: Schema): Schema {
  if (Array.isArray(schema.type)) {
    const types = (schema.type as readonly string[]).filter((type) => type !== 'null');
    return types.length === 1 && types[0] !== undefined ? { ...schema, type: types[0] } : schema;
  }
  const options = schema.anyOf ?? schema.oneOf;
  const real = options?.filter(({ type }) => type !== 'null');
  const [only] = real ?? [];
  if (!real || !only || real.length === options?.length) return schema;
  return real.length === 1
    ? ({ ...schema, anyOf: undefined, oneOf: undefined, ...only } as Schema)
    : { ...schema, anyOf: real };
}

function resourceIn(schema: Schema): Drawing | undefined {
  const isMany = schema.type === 'array';
  const one = isMany && isSchema(schema.items) ? schema.items : schema;
  const named = one['x-resource'] ?? schema['x-resource'];
  const resource = RESOURCES.find((each) => each === named);
  if (!resource) return undefined;
  return { kind: 'resource', resource, isMany, isNumber: one.type === 'integer' || one.type === 'number' };
}

function choiceOf(values: readonly unknown[]): Drawing {
  const options = values.filter((value) => typeof value === 'string' || typeof value === 'number');
  return options.length === values.length ? { kind: 'choice', options } : { kind: 'json' };
}

/** Ids are texts, and numbers on older servers: a text does for both. */
const isTextOrNumber = (options: readonly Schema[]): boolean =>
  options.some(({ type }) => type === 'string') &&
  options.every(({ type }) => type === 'string' || type === 'number' || type === 'integer');

const isLong = ({ maxLength, pattern }: Schema): boolean =>
  pattern === undefined && maxLength !== undefined && maxLength >= LONG_TEXT && maxLength < 2_000;

function objectOf({ properties, additionalProperties }: Schema): Drawing {
  if (properties) return { kind: 'object' };
  const values = additionalProperties;
  const isDrawable = isSchema(values) && drawingOf(values).kind !== 'json';
  return isDrawable ? { kind: 'record', values } : { kind: 'json' };
}
