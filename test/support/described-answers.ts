import { createParser } from 'eventsource-parser';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { PROJECT_ROOT } from './child-process.js';

/** One answer of a service, as it came. */
export interface SeenAnswer {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  readonly mediaType: string;
  readonly text: string;
}

interface Parameter {
  readonly name: string;
  readonly 'x-slashes'?: true;
}

interface DescribedSchema {
  readonly $ref?: string;
}

interface DescribedResponse {
  readonly content?: Readonly<
    Record<string, { readonly schema: DescribedSchema; readonly 'x-event-data'?: DescribedSchema }>
  >;
}

interface DescribedOperation {
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

type CheckAnswer = (seen: SeenAnswer) => void;

/** Not its source: what is tested is what is shipped, with its pages, its threads and the processes it starts. */
export const BUILT = pathToFileURL(join(PROJECT_ROOT, 'dist/test/support/service-here.js')).href;
let making: Promise<CheckAnswer> | undefined;

/** Throws unless `/openapi.json` describes such an answer. Made once for each process. */
export function answerCheck(): Promise<CheckAnswer> {
  making ??= import(BUILT).then(({ describeApi }: typeof import('./service-here.js')) =>
    createAnswerCheck(describeApi() as unknown as ApiDocument),
  );
  return making;
}

function createAnswerCheck(document: ApiDocument): CheckAnswer {
  // To make code that is run a few times better takes longer than to run it.
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, code });
  formats.default(ajv);
  ajv.addSchema(closed(document) as object, 'openapi');
  const find = createOperationLookup(document);
  const compiled = new Map<string, ValidateFunction>();
  /** What only stands for another is that one: most answers are refusals, of one shape. */
  const validatorOf = (schema: DescribedSchema, ...pointer: readonly string[]) => {
    const escaped = pointer.map((key) => encodeURIComponent(key.replace(/~/g, '~0').replace(/\//g, '~1')));
    const own = `#/${escaped.join('/')}`;
    const $ref = `openapi${Object.keys(schema).join() === '$ref' ? (schema.$ref ?? own) : own}`;
    const known = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, known);
    return known;
  };

  return (seen) => {
    const route = find(seen);
    const fail = (what: string): never => {
      const where = `${seen.method} ${route?.path ?? seen.path} (${String(seen.status)})`;
      throw new Error(
        `/openapi.json does not describe this answer of ${where}: ${what}\n${seen.text.slice(0, 2_000)}`,
      );
    };
    const check = (value: unknown, schema: DescribedSchema, ...pointer: readonly string[]) => {
      const validate = validatorOf(schema, ...pointer);
      if (!validate(value)) fail(faultsIn(validate));
    };
    // What is no route is refused in the same shape.
    if (!route) {
      if (seen.status < 400) fail('there is no such route in it');
      if (seen.mediaType === 'application/json')
        check(JSON.parse(seen.text), { $ref: '#/components/schemas/ErrorBody' });
      return;
    }
    const response = route.operation.responses[String(seen.status)];
    if (!response) return fail('the status is not in it');
    if (seen.method === 'HEAD' || seen.text === '') return;
    const described = response.content?.[seen.mediaType];
    if (!described) return fail(`it has no content of the type "${seen.mediaType}"`);
    const at = [
      'paths',
      route.path,
      route.method,
      'responses',
      String(seen.status),
      'content',
      seen.mediaType,
    ];
    if (seen.mediaType === 'application/json')
      check(JSON.parse(seen.text), described.schema, ...at, 'schema');
    if (seen.mediaType === 'text/event-stream')
      for (const data of eventsIn(seen.text))
        check(data, described['x-event-data'] ?? {}, ...at, 'x-event-data');
  };
}

/** Whole ones alone: a stream that was left in the middle may end in a part of one. */
function eventsIn(text: string): unknown[] {
  const found: string[] = [];
  createParser({ onEvent: ({ data }) => found.push(data) }).feed(text);
  return found.filter((data) => data !== '[DONE]' && data !== '').map((data) => JSON.parse(data) as unknown);
}

function faultsIn({ errors }: ValidateFunction): string {
  const told = (errors ?? []).map(({ instancePath, message = '', params }) => {
    const what = Object.values(params as object).filter((value) => typeof value === 'string');
    return `${instancePath === '' ? '/' : instancePath} ${message} ${what.join(', ')}`.trim();
  });
  return [...new Set(told)].slice(0, 10).join('; ');
}

interface Found {
  readonly path: string;
  readonly method: string;
  readonly operation: DescribedOperation;
}

/** What is written out in an address comes before what stands for anything, as in the router. */
function createOperationLookup({ paths }: ApiDocument) {
  const all = Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
    )
    .map((found) => ({ found, pattern: patternOf(found) }))
    .sort((a, b) => parametersIn(a.found.path) - parametersIn(b.found.path));

  return ({ method, path }: SeenAnswer): Found | undefined => {
    const [asked = ''] = path.split('?');
    const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
    return all.find(({ found, pattern }) => found.method === wanted && pattern.test(asked))?.found;
  };
}

const parametersIn = (path: string) => path.split('{').length;

function patternOf({ path, operation }: Found): RegExp {
  const isWithSlashes = (name: string) =>
    operation.parameters.some((one) => one.name === name && one['x-slashes'] === true);
  const source = path
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{(\w+)\}/g, (_, name: string) => (isWithSlashes(name) ? '.+' : '[^/]+'));
  return new RegExp(`^${source}/?$`);
}

/**
 * The description leaves objects open, so that clients put up with keys that are new. Here one that nobody has described is a
 * fault: of the description, or of the code that told too much.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
  const isClosable = copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return isClosable ? { ...copy, additionalProperties: false } : copy;
}
