import { isRecord, type JsonRecord, own } from '../../core/base/json.js';
import { oneLine } from '../../core/base/text.js';
import type { JsonSchema } from '../../core/json-schema.js';

const DEEPEST = 8;
const LARGEST = 16 * 1024;
/** However often a schema points at itself, no more than this is laid out. */
const MOST_PARTS = 1_000;
const LONGEST_NAME = 64;
const LONGEST_TEXT = 200;
const MOST_CHOICES = 100;
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
/** No pattern: it would run here, against a text of the model's choosing. */
const NUMBERS = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems'],
];
const ALTERNATIVES = ['anyOf', 'oneOf'];

interface Walk {
  readonly root: JsonRecord;
  readonly left: { parts: number };
}

/**
 * What a foreign schema says of an object, as far as we check by it, with whatever it points at within itself put in
 * place. Undefined when too much is left. Its server checks the arguments again, by what is left out here as well.
 */
export function tamedSchema(foreign: unknown): JsonSchema | undefined {
  const root = isRecord(foreign) ? foreign : {};
  const walk = { root, left: { parts: MOST_PARTS } };
  const tamed = { ...tamedObject(root, walk, 0), type: 'object' };
  return walk.left.parts > 0 && JSON.stringify(tamed).length <= LARGEST ? tamed : undefined;
}

function tamed(foreign: unknown, walk: Walk, depth: number): JsonSchema {
  walk.left.parts -= 1;
  if (!isRecord(foreign) || depth > DEEPEST || walk.left.parts <= 0) return {};
  const reference = own(foreign, '$ref');
  if (typeof reference === 'string') return tamed(pointedAt(reference, walk.root), walk, depth + 1);
  return {
    ...tamedType(own(foreign, 'type')),
    ...tamedWords(foreign),
    ...tamedNumbers(foreign),
    ...tamedChoices(foreign),
    ...tamedObject(foreign, walk, depth),
    ...(isRecord(own(foreign, 'items')) ? { items: tamed(foreign['items'], walk, depth + 1) } : {}),
    ...Object.fromEntries(
      ALTERNATIVES.flatMap((key) => {
        const list = own(foreign, key);
        return Array.isArray(list) && list.length > 0
          ? [['anyOf', list.map((each) => tamed(each, walk, depth + 1))] as const]
          : [];
      }),
    ),
  };
}

function tamedObject(foreign: JsonRecord, walk: Walk, depth: number): JsonSchema {
  const found = own(foreign, 'properties');
  if (!isRecord(found)) return {};
  const properties = Object.fromEntries(
    Object.entries(found)
      .filter(([name]) => isName(name))
      .map(([name, schema]) => [name, tamed(schema, walk, depth + 1)]),
  );
  const required = own(foreign, 'required');
  const wanted = (Array.isArray(required) ? (required as unknown[]) : []).filter(
    (name): name is string => typeof name === 'string' && Object.hasOwn(properties, name),
  );
  return { properties, ...(wanted.length > 0 ? { required: [...new Set(wanted)] } : {}) };
}

function tamedType(type: unknown): JsonSchema {
  if (typeof type === 'string') return TYPES.has(type) ? { type } : {};
  const types = Array.isArray(type) ? type.filter((each: unknown) => TYPES.has(String(each))) : [];
  return types.length > 0 ? { type: types } : {};
}

function tamedWords(foreign: JsonRecord): JsonSchema {
  return Object.fromEntries(
    ['title', 'description'].flatMap((key) => {
      const text = own(foreign, key);
      return typeof text === 'string' ? [[key, oneLine(text, LONGEST_TEXT)]] : [];
    }),
  );
}

function tamedNumbers(foreign: JsonRecord): JsonSchema {
  return Object.fromEntries(
    NUMBERS.flatMap((key) => {
      const value = own(foreign, key);
      return typeof value === 'number' && Number.isFinite(value) ? [[key, value]] : [];
    }),
  );
}

function tamedChoices(foreign: JsonRecord): JsonSchema {
  const choices = own(foreign, 'enum');
  const only = own(foreign, 'const');
  return {
    ...(Array.isArray(choices) &&
    choices.length > 0 &&
    choices.length <= MOST_CHOICES &&
    choices.every(isPlain)
      ? { enum: choices }
      : {}),
    ...(only !== undefined && isPlain(only) ? { const: only } : {}),
  };
}

function pointedAt(reference: string, root: JsonRecord): unknown {
  const [, folder, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const definitions = folder === undefined ? undefined : own(root, folder);
  return isRecord(definitions) && name !== undefined ? own(definitions, name) : undefined;
}

function isName(name: string): boolean {
  return (
    name !== '' && name !== '__proto__' && name.length <= LONGEST_NAME && oneLine(name, LONGEST_NAME) === name
  );
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string')
    return value.length <= LONGEST_TEXT && oneLine(value, LONGEST_TEXT) === value;
  return typeof value === 'number' || typeof value === 'boolean' || value === null;
}
