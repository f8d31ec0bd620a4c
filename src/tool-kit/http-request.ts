import { z } from 'zod';
import { isRecord, own } from '../core/base/json.js';
import { faultOfAddress } from '../core/base/text.js';
import { AppError, badRequest } from '../core/errors.js';
import { fromJsonSchema, type JsonSchema } from '../core/json-schema.js';
import { SECRET_NAME, secretsNamedIn } from '../core/organizations/secret-reference.js';
import type { ToolSecrets } from '../core/organizations/tool-secrets.js';

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

const PLACE = /\{([^{}]*)\}/g;

/** A URL with `{name}` in path segments and query values, cut where a value may and may not stand. */
interface Parts {
  /** Scheme, host and port: the author's alone. */
  readonly origin: string;
  readonly path: string;
  readonly query: string;
}

/** The names that a template wants filled. */
export function namesIn(template: string): readonly string[] {
  return [...template.matchAll(PLACE)].map((match) => match[1] ?? '');
}

/** What is wrong with a template, or undefined. */
export function faultOfTemplate(template: string): string | undefined {
  const { origin, path, query } = partsOf(template);
  const plain = (text: string) => text.replace(PLACE, 'x');
  if (/[{}]/.test(origin)) return 'the host is fixed: {…} may stand in the path and in query values only';
  if (/[{}]/.test(plain(path) + plain(query)))
    return 'a brace is not closed; write a literal one as %7B or %7D';
  if (template.includes('#')) return 'may not have a fragment (#…)';
  const keys = query.split('&').map((pair) => pair.split('=', 1)[0] ?? '');
  if (keys.some((key) => key.includes('{')))
    return '{…} may stand for the value of a query key, not for the key';
  return faultOfAddress(origin + plain(path) + (query === '' ? '' : `?${plain(query)}`));
}

/** The URL with its values, each encoded, so that none can leave its place. */
export function filledUrl(template: string, values: ReadonlyMap<string, string>): URL {
  const { origin, path, query } = partsOf(template);
  const fill = (text: string) =>
    text.replace(PLACE, (_whole, name: string) => encodeURIComponent(wellFormed(values.get(name) ?? '')));
  const segments = path.split('/').map((segment) => {
    const filled = fill(segment);
    // An empty or dotted segment would name another resource than the author meant.
    if (segment !== filled && /^(\.|%2e){0,2}$/i.test(filled)) {
      throw badRequest('An argument that is part of the address may not be empty, "." or "..".');
    }
    return filled;
  });
  return new URL(origin + segments.join('/') + (query === '' ? '' : `?${fill(query)}`));
}

function partsOf(template: string): Parts {
  const [, origin = '', path = '', query = ''] =
    /^([^:]*:\/\/[^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(template) ?? [];
  return { origin, path, query };
}

/** Half a character cannot be encoded. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\uFFFD');
}

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const VALUE = /^[\t\x20-\x7e]*$/;
const MOST = 20;
const LONGEST = 2_000;
/** What a connection itself needs to say: it would break, or be taken for another. */
const NOT_TO_SET =
  /^(host|content-length|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;

/** Headers an assistant's author sets. A value may refer to a secret of the organisation: `Bearer ${secret:NAME}`. */
export const CustomHeaders = z
  .record(z.string(), z.string().max(LONGEST))
  .superRefine((headers, ctx) => {
    const faults = Object.entries(headers).flatMap(([name, value]) => faultsOfHeader(name, value));
    if (Object.keys(headers).length > MOST) faults.push(`there may be at most ${String(MOST)}`);
    for (const message of faults) ctx.addIssue({ code: 'custom', message });
  })
  .default({})
  .describe('Sent along; a value may refer to a secret of the organisation as ${secret:NAME}');

export function filledHeaders(
  headers: Readonly<Record<string, string>>,
  url: URL,
  secrets: ToolSecrets,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), secrets.fill(value, url)]),
  );
}

function faultsOfHeader(name: string, value: string): string[] {
  if (!NAME.test(name)) return ['a header has a name that no header can have'];
  if (NOT_TO_SET.test(name)) return [`the header "${name}" cannot be set`];
  if (!VALUE.test(value)) return [`the header "${name}" holds characters that no header can carry`];
  const odd = value.replace(/\$\{secret:[A-Za-z0-9_]+\}/g, '').includes('${');
  const names = secretsNamedIn(value);
  return odd || !names.every((each) => SECRET_NAME.test(each))
    ? [`the header "${name}" refers to a secret in another way than \${secret:NAME}`]
    : [];
}
