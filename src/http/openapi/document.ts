import type { z } from 'zod';
import { account, administration, spending } from '../admin/openapi.js';
import { assistants, tools } from '../assistants/openapi.js';
import { openAI } from '../chat/openapi.js';
import { ErrorBody } from '../contract/common.js';
import { insight } from '../insight/openapi.js';
import { knowledge } from '../knowledge/openapi.js';
import { publicLinks } from '../links/openapi.js';
import { launches, platformsOf, visits } from '../lti/openapi.js';
import { modelContextProtocol } from '../mcp/openapi.js';
import { programs } from '../oauth/openapi.js';
import { material, pages, talks } from '../resources/openapi.js';
import { scenarios } from '../scenarios/openapi.js';
import { beginnings } from '../templates/openapi.js';
import type { Answer, DescribedArea, Form, MaybeBody, Operation, RequestBody } from './operation.js';
import { createSchemaWriter, isSchema, type JsonSchema, type SchemaWriter } from './schemas.js';

const AREAS: readonly DescribedArea[] = [
  ...[openAI, assistants, beginnings, scenarios, insight, publicLinks, tools, talks, knowledge, material],
  ...[account, spending, administration],
  ...[platformsOf, visits, launches, modelContextProtocol, programs, pages],
];

const VERSION = '0.1.0';

const SECURITY = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key (`bw_…`), the token of a session (POST /lamb/v1/auth/login), or that of a visit (POST /lti/session, POST /l/visits).',
  },
  visit: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-bellwether-lti',
    description: 'Given to a browser that a learning platform has sent.',
  },
} as const;

/** The whole API by OpenAPI 3.1, out of what the areas say of their routes. */
export function describeApi(): JsonSchema {
  const write = createSchemaWriter();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const { subject, operations } of AREAS) {
    for (const [route, operation] of Object.entries(operations)) {
      const [method = '', written = ''] = route.split(' ');
      for (const path of pathsOf(written)) {
        const withSlashes = [...written.matchAll(/\*(\w+)/g)].map(([, name]) => name);
        const shown = operationAt({ method, path, subject, withSlashes }, operation, write);
        paths[path] = { ...paths[path], [method.toLowerCase()]: shown };
      }
    }
  }
  const schemas = write.named();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bellwether',
      version: VERSION,
      description:
        'Learning assistants that call tools and each other. Lists come in pages: `cursor` is the `next_cursor` of the page before.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: AREAS.map(({ subject, about }) => ({ name: subject, description: about })),
    paths,
    components: { schemas, securitySchemes: SECURITY },
  };
}

/** As OpenAPI writes them; one for each way an optional part of it may be. */
function pathsOf(written: string): readonly string[] {
  const optional = /\{(\/[^}]+)\}/.exec(written);
  const ways = optional
    ? [written.replace(optional[0], ''), written.replace(optional[0], optional[1] ?? '')]
    : [written];
  return ways.map((way) => way.replace(/[:*](\w+)/g, '{$1}'));
}

interface Place {
  readonly method: string;
  readonly path: string;
  readonly subject: string;
  /** Parts of the address that may hold some. */
  readonly withSlashes: readonly (string | undefined)[];
}

function operationAt(place: Place, operation: Operation, write: SchemaWriter): JsonSchema {
  const { summary, description, body, access } = operation;
  return {
    tags: [place.subject],
    operationId: operationIdOf(place) + (isPage(operation) ? 'Page' : ''),
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: [
      ...pathParameters(place, operation.params, write),
      ...parametersIn('query', operation.query, write),
      ...parametersIn('header', operation.headers, write),
    ],
    ...(body === undefined ? {} : { requestBody: requestBodyOf(body, write) }),
    responses: responsesOf(place.path, operation, write),
    security: access === undefined ? [{ bearer: [] }] : access === 'everybody' ? [] : [{ visit: [] }],
  };
}

/** `GET /lamb/v1/assistants/{id}` is `getAssistantsId`. */
function operationIdOf({ method, path }: Place): string {
  const words = path
    .replace(/^\/(lamb\/)?v1\//, '/')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const named = words.length === 0 ? ['start'] : words;
  return method.toLowerCase() + named.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function isPage({ answers: { 200: answer } }: Operation): boolean {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'mediaTypes' in answer &&
    answer.mediaTypes[0] === 'text/html'
  );
}

function pathParameters(
  { path, withSlashes }: Place,
  schema: z.ZodType | undefined,
  write: SchemaWriter,
): JsonSchema[] {
  const known = new Map(schema ? write.properties(schema).map((one) => [one.name, one.schema]) : []);
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true, schema: known.get(name) ?? { type: 'string' } },
    ...(withSlashes.includes(name) ? { description: 'It may hold slashes.', 'x-slashes': true } : {}),
  }));
}

function parametersIn(
  where: 'query' | 'header',
  schema: z.ZodType | undefined,
  write: SchemaWriter,
): JsonSchema[] {
  if (!schema) return [];
  return write.properties(schema).map((one) => ({
    ...{ name: where === 'header' ? headerName(one.name) : one.name, in: where },
    ...{ required: one.required, schema: one.schema },
  }));
}

/** `x-status` is written `X-Status`. */
const headerName = (name: string) => name.replace(/(^|-)([a-z])/g, (letter) => letter.toUpperCase());

function requestBodyOf(body: RequestBody, write: SchemaWriter): JsonSchema {
  const kinds = listOf<z.ZodType | Form | MaybeBody>(body);
  const content = kinds.map((kind): readonly [string, JsonSchema] => {
    if (isSchema(kind)) return ['application/json', { schema: write.request(kind) }];
    if ('mediaType' in kind) return [kind.mediaType, { schema: formSchema(kind, write) }];
    return ['application/json', { schema: write.request(kind.optional) }];
  });
  const isOptional = !isSchema(body) && 'optional' in body;
  return { required: !isOptional, content: Object.fromEntries(content) };
}

const FILE = { type: 'string', contentMediaType: 'application/octet-stream' };

function formSchema({ fields, files }: Form, write: SchemaWriter): JsonSchema {
  const schema = write.request(fields);
  if (files === undefined) return schema;
  const file = files === 'one' ? FILE : { type: 'array', items: FILE };
  const { properties } = schema as { readonly properties?: JsonSchema };
  return { ...schema, properties: { file, ...properties }, required: ['file'] };
}

function responsesOf(path: string, operation: Operation, write: SchemaWriter): JsonSchema {
  const { answers, sends = {}, refusesInPages } = operation;
  const headers = Object.fromEntries(
    Object.entries(sends).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
  const refusal = {
    ...contentOf([ErrorBody], write),
    ...(refusesInPages ? { 'text/html': { schema: { type: 'string' } } } : {}),
  };
  const refusals = errorsOf(path, operation).map((status): [number, JsonSchema] => [
    status,
    { description: REFUSALS[status] ?? 'Refused', content: refusal },
  ]);
  const answered = Object.entries(answers).map(([status, answer]): [number, JsonSchema] => {
    const content = contentOf(listOf<Answer>(answer), write);
    const told = Number(status) < 300 && Object.keys(headers).length > 0 ? { headers } : {};
    const more = REFUSALS[Number(status)] === undefined ? {} : refusal;
    return [
      Number(status),
      {
        description: ANSWERS[Number(status)] ?? REFUSALS[Number(status)] ?? 'Answered',
        ...told,
        ...(Object.keys(content).length === 0 ? {} : { content: either(content, more) }),
      },
    ];
  });
  return Object.fromEntries([...refusals, ...answered].map(([status, one]) => [String(status), one]));
}

/** A status that is also a refusal may be told in our own words, too. */
function either(content: JsonSchema, refusal: JsonSchema): JsonSchema {
  const [own, ours] = [content['application/json'], refusal['application/json']] as const;
  if (!own || !ours) return { ...refusal, ...content };
  const schemas = [own, ours].map((one) => (one as { readonly schema: JsonSchema }).schema);
  return { ...refusal, ...content, 'application/json': { schema: { anyOf: schemas } } };
}

const listOf = <One>(given: One | readonly One[]): readonly One[] =>
  Array.isArray(given) ? (given as readonly One[]) : [given as One];

function contentOf(answers: readonly Answer[], write: SchemaWriter): JsonSchema {
  const content = answers.flatMap((answer): (readonly [string, JsonSchema])[] => {
    if (answer === null) return [];
    if (isSchema(answer)) return [['application/json', { schema: write.answer(answer) }]];
    if ('mediaTypes' in answer) return answer.mediaTypes.map((type) => [type, bytesAs(type)]);
    const schema = { type: 'string', description: 'Server-sent events; `x-event-data` is the data of each.' };
    return [['text/event-stream', { schema, 'x-event-data': write.answer(answer.events) }]];
  });
  return Object.fromEntries(content);
}

const bytesAs = (mediaType: string): JsonSchema => ({
  schema: mediaType.startsWith('text/')
    ? { type: 'string' }
    : { type: 'string', contentMediaType: mediaType },
});

const ANSWERS: Readonly<Record<number, string>> = {
  200: 'Answered',
  201: 'Made',
  202: 'Taken, and under way',
  204: 'Done',
  302: 'Go on there',
  303: 'Go on there',
  304: 'As you have it',
};

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The request has faults',
  401: 'No valid credential',
  402: 'The budget is spent',
  403: 'Not allowed',
  404: 'Not there, or not yours to know of',
  405: 'Another method is needed',
  406: 'Nothing that is accepted can be answered with',
  409: 'In the way of what is there',
  413: 'Too large',
  415: 'Not in a form that is read here',
  422: 'Understood, and not possible as it is',
  429: 'Too much for now; `Retry-After` says when to come back',
  499: 'You left',
  500: 'A fault of ours',
  502: 'Another server failed',
  503: 'Not now; try again in a moment',
  504: 'It took too long',
  507: 'No room left',
};

/** What can be wrong with every request of its kind, and what the operation says besides. */
function errorsOf(path: string, { access, body, errors = [] }: Operation): readonly number[] {
  return [
    ...[400, 500, 503],
    ...(access === undefined ? [401, 403, 429] : []),
    ...(path.includes('{') ? [404] : []),
    ...(body === undefined ? [] : [413, 415, 422]),
    ...errors,
  ];
}
