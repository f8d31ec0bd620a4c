import type { LedgerRow } from '../../support/fakes/ledger.js';
import { type FakeProviders, uniqueName } from '../../support/fakes/fakes.js';
import type { Step } from '../../support/fakes/model-script.js';
import type { AssistantRecord, Service } from '../../support/service.js';
import type { AssistantParts } from '../../support/test-service.js';
import { configure } from './settings-client.js';
import { aPerson, type Person } from './users-fixture.js';

type Body = Readonly<Record<string, unknown>>;
export type Row = LedgerRow<Body>;

/** One provider: how it is set up, and where its own words stand in a request. */
export interface ProviderCase {
  readonly name: string;
  readonly key: string;
  keyIn(row: Row): unknown;
  /** The path that is asked, for a model. */
  path(model: string): string;
  offered(body: Body): string[];
  /** The results of tools that it is told, by function where it has a name for them. */
  results(body: Body): string[];
  /** The base64 of the pictures it is shown. */
  pictures(body: Body): string[];
  system(body: Body): unknown;
  /** How it is told to call nothing. */
  toldToAnswer(body: Body): boolean;
  /** What it can say of 12 cached and 4 reasoning tokens. */
  readonly usageDetails: object;
  readonly more?: object;
}

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly images?: string[];
}
interface Part {
  readonly type?: string;
  readonly content?: string;
  readonly source?: { readonly data: string };
  readonly image_url?: { readonly url: string };
  readonly inlineData?: { readonly data: string };
  readonly functionResponse?: { readonly response: { readonly result: string } };
}

const messagesOf = (body: Body) => body['messages'] as readonly Message[];
const named = (tools: unknown) =>
  ((tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name);
const partsOf = ({ content }: Message) => (Array.isArray(content) ? (content as Part[]) : []);
const turnsOf = (body: Body) => body['contents'] as readonly { role: string; parts: Part[] }[];
const geminiParts = (body: Body) => turnsOf(body).flatMap(({ parts }) => parts);
const toolTexts = (body: Body) =>
  messagesOf(body)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content));

export const PROVIDERS: readonly ProviderCase[] = [
  {
    name: 'ollama',
    usageDetails: {},
    key: 'canary-ollama-0123456789',
    keyIn: ({ headers }) => headers.authorization?.replace('Bearer ', ''),
    path: () => '/api/chat',
    offered: (body) => named(body['tools']),
    results: toolTexts,
    pictures: (body) => messagesOf(body).flatMap(({ images = [] }) => images),
    system: (body) => messagesOf(body)[0]?.content,
    toldToAnswer: (body) => body['tools'] === undefined,
  },
  {
    name: 'anthropic',
    usageDetails: { cached_tokens: 12 },
    key: 'canary-anthropic-0123456789',
    keyIn: ({ headers }) => headers['x-api-key'],
    path: () => '/v1/messages',
    offered: (body) => ((body['tools'] ?? []) as { name: string }[]).map(({ name }) => name),
    results: (body) =>
      messagesOf(body)
        .flatMap(partsOf)
        .filter(({ type }) => type === 'tool_result')
        .map(({ content }) => content ?? ''),
    pictures: (body) =>
      messagesOf(body)
        .flatMap(partsOf)
        .flatMap(({ source }) => (source ? [source.data] : [])),
    system: (body) => body['system'],
    toldToAnswer: (body) => (body['tool_choice'] as { type: string }).type === 'none',
  },
  {
    name: 'google',
    usageDetails: { cached_tokens: 12, reasoning_tokens: 4 },
    key: 'canary-google-0123456789',
    keyIn: ({ headers }) => headers['x-goog-api-key'],
    path: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    offered: (body) =>
      ((body['tools'] ?? []) as { functionDeclarations: { name: string }[] }[]).flatMap((tool) =>
        tool.functionDeclarations.map(({ name }) => name),
      ),
    results: (body) =>
      geminiParts(body).flatMap(({ functionResponse }) =>
        functionResponse ? [functionResponse.response.result] : [],
      ),
    pictures: (body) => geminiParts(body).flatMap(({ inlineData }) => (inlineData ? [inlineData.data] : [])),
    system: (body) => (body['systemInstruction'] as { parts: { text: string }[] }).parts[0]?.text,
    toldToAnswer: (body) =>
      (body['toolConfig'] as { functionCallingConfig: { mode: string } }).functionCallingConfig.mode ===
      'NONE',
  },
  {
    name: 'azure_openai',
    usageDetails: { cached_tokens: 12, reasoning_tokens: 4 },
    key: 'canary-azure-0123456789',
    keyIn: ({ headers }) => headers['api-key'],
    path: (model) => `/openai/deployments/${model}/chat/completions?api-version=2025-01-01`,
    offered: (body) => named(body['tools']),
    results: toolTexts,
    pictures: (body) =>
      messagesOf(body)
        .flatMap(partsOf)
        .flatMap(({ image_url }) => (image_url ? [image_url.url.split(',')[1] ?? ''] : [])),
    system: (body) => messagesOf(body)[0]?.content,
    toldToAnswer: (body) => body['tool_choice'] === 'none',
    more: { api_version: '2025-01-01' },
  },
];

/** Somebody whose organisation has this one provider, at this address. */
export async function aCustomerOf(
  service: Service,
  { name, key, more = {} }: ProviderCase,
  { url }: Pick<FakeProviders, 'url'>,
): Promise<Person> {
  const person = await aPerson(service);
  const provider = { base_url: url, api_key: key, ...more };
  await configure(service, person, { setups: { default: { providers: { [name]: provider } } } });
  return person;
}

/** An assistant of theirs on a model of its own that follows this script. */
export async function speakingThrough(
  service: Service,
  { fake, provider, person }: { fake: FakeProviders; provider: ProviderCase; person: Person },
  steps: readonly Step[],
  { tools = [], metadata = {}, repeat = false, ...content }: AssistantParts = {},
): Promise<AssistantRecord & { readonly model: string }> {
  const model = uniqueName('model');
  await fake.script(model, steps, { repeat });
  const made = await service.createAssistant(
    {
      ...content,
      metadata: { _format_version: 2, connector: provider.name, llm: model, tools, ...metadata },
    },
    { key: person.key },
  );
  return { ...made, model };
}
