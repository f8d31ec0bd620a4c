import { drawingOf, isSchema, shownOf, withoutNull, type Schema } from './schema.ts';

/** Something that is not as its schema wants it, and where: `collections`, `changes.0.reason`. */
export interface ValueFault {
  readonly path: string;
  readonly code: FaultCode;
  /** The bound that was passed, where there is one. */
  readonly bound?: number;
}

export type FaultCode =
  | 'required'
  | 'text'
  | 'number'
  | 'whole'
  | 'least'
  | 'most'
  | 'above'
  | 'below'
  | 'shorter'
  | 'longer'
  | 'pattern'
  | 'choice'
  | 'fewer'
  | 'more'
  | 'kind';

/** What can be told without the service. It never objects to what it does not understand. */
export function faultsIn(schema: Schema, value: unknown, path = ''): readonly ValueFault[] {
  const plain = withoutNull(schema);
  if (value === undefined || value === null) return [];
  if (plain.enum) return plain.enum.includes(value) ? [] : [{ path, code: 'choice' }];
  if (plain.anyOf ?? plain.oneOf) return [];
  switch (plain.type) {
    case 'string':
      return faultsOfText(plain, value, path);
    case 'integer':
    case 'number':
      return faultsOfNumber(plain, value, path);
    case 'boolean':
      return typeof value === 'boolean' ? [] : [{ path, code: 'kind' }];
    case 'array':
      return faultsOfList(plain, value, path);
    case 'object':
      return faultsOfObject(plain, value, path);
    default:
      return [];
  }
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function faultsOfText(schema: Schema, value: unknown, path: string): ValueFault[] {
  if (typeof value !== 'string') return [{ path, code: 'text' }];
  const { minLength = 0, maxLength = Infinity, pattern } = schema;
  if (value.length < minLength)
    return [{ path, code: value === '' ? 'required' : 'shorter', bound: minLength }];
  if (value.length > maxLength) return [{ path, code: 'longer', bound: maxLength }];
  return pattern === undefined || fits(pattern, value) ? [] : [{ path, code: 'pattern' }];
}

/** A pattern that this browser cannot read is left to the service. */
function fits(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

function faultsOfNumber(schema: Schema, value: unknown, path: string): ValueFault[] {
  if (typeof value !== 'number' || !Number.isFinite(value)) return [{ path, code: 'number' }];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (schema.type === 'integer' && !Number.isInteger(value)) return [{ path, code: 'whole' }];
  if (minimum !== undefined && value < minimum) return [{ path, code: 'least', bound: minimum }];
  if (maximum !== undefined && value > maximum) return [{ path, code: 'most', bound: maximum }];
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return [{ path, code: 'above', bound: exclusiveMinimum }];
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return [{ path, code: 'below', bound: exclusiveMaximum }];
  return [];
}

function faultsOfList(schema: Schema, value: unknown, path: string): readonly ValueFault[] {
  if (!Array.isArray(value)) return [{ path, code: 'kind' }];
  const { minItems = 0, maxItems = Infinity, items } = schema;
  if (value.length < minItems)
    return [{ path, code: value.length === 0 ? 'required' : 'fewer', bound: minItems }];
  if (value.length > maxItems) return [{ path, code: 'more', bound: maxItems }];
  if (!isSchema(items)) return [];
  return value.flatMap((item, i) => faultsIn(items, item, below(path, String(i))));
}

function faultsOfObject(schema: Schema, value: unknown, path: string): readonly ValueFault[] {
  if (!isSchema(value)) return [{ path, code: 'kind' }];
  const given = value as Readonly<Record<string, unknown>>;
  const { properties = {}, required = [], additionalProperties } = schema;
  const known = Object.entries(properties).flatMap(([name, each]) => {
    const own = Object.hasOwn(given, name) ? given[name] : undefined;
    const at = below(path, name);
    if (required.includes(name) && isEmpty(shownOf(each, own)))
      return [{ path: at, code: 'required' as const }];
    return faultsIn(each, own, at);
  });
  if (!isSchema(additionalProperties)) return known;
  const others = Object.entries(given).filter(([name]) => !Object.hasOwn(properties, name));
  return [
    ...known,
    ...others.flatMap(([name, each]) => faultsIn(additionalProperties, each, below(path, name))),
  ];
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Which fields are shown first, and which only to whoever looks for them. */
export function inOrder({ properties = {}, required = [] }: Schema): {
  readonly first: readonly string[];
  readonly rest: readonly string[];
} {
  const names = Object.keys(properties);
  const isFirst = (name: string) => {
    const drawing = drawingOf(properties[name] ?? {});
    // Tags narrow what is there already.
    return required.includes(name) || (drawing.kind === 'resource' && drawing.resource !== 'tag');
  };
  const first = names.filter(isFirst);
  return first.length === 0
    ? { first: names, rest: [] }
    : { first, rest: names.filter((name) => !isFirst(name)) };
}
