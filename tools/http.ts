import { z } from 'zod';
import { badRequest, unusableAnswer, upstreamFailed, upstreamRefused } from '../src/core/errors.js';
import { lastUserText } from '../src/core/message.js';
import { defineTool } from '../src/core/tool.js';
import {
  ArgumentSchema,
  CustomHeaders,
  faultOfTemplate,
  filledHeaders,
  filledUrl,
  namesIn,
  propertiesOf,
} from '../src/tool-kit/http-request.js';

const WHO = 'The service';
const NOT_TEXT = 'The service answered with something that is not text.';
const TEXT = /^(text\/|application\/(xml|yaml|x-yaml|x-ndjson|javascript)$|.+\+(xml|yaml)$)/;
const JSON_TYPE = /^(application|text)\/([\w.-]+\+)?json$/;

const Config = z
  .object({
    url: z
      .string()
      .trim()
      .max(2_000)
      // Here, and not with the whole below: that is not looked at while anything else is wrong.
      .superRefine((url, ctx) => {
        const message = faultOfTemplate(url);
        if (message !== undefined) ctx.addIssue({ code: 'custom', message });
      })
      .describe(
        'May hold {name} in its path and in query values, to be filled with the argument of that name',
      ),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
    headers: CustomHeaders,
    args: ArgumentSchema.default({ type: 'object', properties: {} }),
    function_name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"')
      .default('http_request')
      .describe('What the model calls it by'),
    description: z.string().max(1_000).default('').describe('Tells the model what it is good for'),
  })
  .superRefine(({ url, args }, ctx) => {
    const known = propertiesOf(args);
    const unknown = namesIn(url).find((name) => !known.has(name));
    if (unknown === undefined || faultOfTemplate(url) !== undefined) return;
    ctx.addIssue({ code: 'custom', path: ['url'], message: `{${unknown}} is no argument in "args"` });
  });

export default defineTool({
  name: 'http',
  title: 'HTTP request',
  description: 'Asks another service over HTTP, as the author of the assistant set it up.',
  category: 'custom',
  version: '1.0.0',
  danger: 'external',
  repeatable: true,
  placeholder: 'http',

  config: Config,
  args: z.looseObject({}),

  functions: ({ function_name: name, description, args }) =>
    Promise.resolve([{ name, parameters: args, ...(description === '' ? {} : { description }) }]),
  argsFromChat: (messages, { args }) => questionFor(args, lastUserText(messages)),
  lacksAsPlaceholder: ({ args }): Record<string, string> => {
    const open = requiredIn(args).filter((name) => !Object.hasOwn(questionFor(args, ''), name));
    if (open.length === 0) return {};
    return {
      args: `nobody sets ${open.join(', ')} when a placeholder is filled: only one text gets the question`,
    };
  },
  subject: ({ function_name: name }) => Promise.resolve({ name }),
  touches: () => [],
  status: (_args, _config, subject) => `calling ${subject.name}`,

  async run(args, { url: template, method, headers, args: schema }, ctx) {
    const { url, body } = requestFor(template, method, inOrder(args, schema));
    const response = await ctx.fetch(url, {
      method,
      signal: ctx.signal,
      headers: {
        accept: 'application/json, text/*;q=0.9',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...filledHeaders(headers, url, ctx.secrets),
      },
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw upstreamRefused(WHO, response.status);
    }
    return { content: await textOf(response) };
  },
});

type Schema = z.output<typeof Config>['args'];
type Value = readonly [name: string, value: unknown];

/** The one argument that is plainly a question gets the user's words: `query`, `input`, or the only text there is. */
function questionFor(schema: Schema, question: string): Record<string, unknown> {
  const texts = [...propertiesOf(schema)].filter(([, { type }]) => type === 'string');
  const only = texts.length === 1 ? texts[0] : undefined;
  const chosen = texts.find(([name]) => name === 'query') ?? texts.find(([name]) => name === 'input') ?? only;
  if (!chosen) return {};
  const [name, { maxLength }] = chosen;
  return { [name]: typeof maxLength === 'number' ? question.slice(0, maxLength) : question };
}

function requiredIn({ required }: Schema): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** As the author lists them, whatever order the model chose. */
function inOrder(args: Readonly<Record<string, unknown>>, schema: Schema): readonly Value[] {
  return [...propertiesOf(schema).keys()]
    .filter((name) => Object.hasOwn(args, name))
    .map((name) => [name, args[name]]);
}

/** What the address has no place for goes into the query, or into the body where there is one. */
function requestFor(template: string, method: string, args: readonly Value[]): { url: URL; body?: string } {
  const placed = new Set(namesIn(template));
  const url = filledUrl(template, new Map(args.filter(([name]) => placed.has(name)).map(asText)));
  const rest = args.filter(([name]) => !placed.has(name));
  if (method !== 'GET' && method !== 'DELETE') return { url, body: JSON.stringify(Object.fromEntries(rest)) };
  for (const [name, value] of rest) {
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      if (one !== null) url.searchParams.append(...asText([name, one]));
    }
  }
  return { url };
}

function asText([name, value]: Value): [string, string] {
  if (typeof value === 'string') return [name, value];
  if (typeof value === 'number' || typeof value === 'boolean') return [name, String(value)];
  throw badRequest(`The argument "${name}" cannot be part of an address.`);
}

/** Of an answer that does not say what it is: text, unless it shows that it is none. */
function untypedText(bytes: ArrayBuffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Not UTF-8.
  }
  throw unusableAnswer(NOT_TEXT);
}

/** JSON without its blanks, any other text as it is. */
async function textOf(response: Response): Promise<string> {
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isText = TEXT.test(type) || JSON_TYPE.test(type);
  if (!isText && type !== '') {
    await response.body?.cancel();
    throw unusableAnswer(NOT_TEXT);
  }
  const text = type === '' ? untypedText(await response.arrayBuffer()) : await response.text();
  if (text === '') return `(${WHO} answered with status ${String(response.status)} and no text.)`;
  if (!JSON_TYPE.test(type)) return text;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch (fault) {
    throw upstreamFailed(WHO, fault);
  }
}
