import { isRecord } from './base/json.js';
import { faultOfAddress } from './base/text.js';

/** What a form can ask for, by its key in an organisation's configuration. */
const FIELDS = ['api_key', 'base_url'] as const;
export type ProviderField = (typeof FIELDS)[number];

/** Whoever runs models. Its connector declares it, and nothing else knows it by name. */
export interface Provider {
  /** Its key in an organisation's configuration, and what stands before the slash of `provider/model`. */
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  /** Where it listens unless told otherwise; empty where everybody has an address of their own. */
  readonly baseUrl: string;
  /** The environment variables that set it up for the default organisation. */
  readonly env: { readonly apiKey?: string; readonly baseUrl?: string; readonly model?: string };
  /** The default model of one that the environment sets up at `baseUrl`, where it names none. */
  readonly usualModel?: string;
  /** What its form asks for. None: it has no form, and is set up as JSON. */
  readonly fields: readonly ProviderField[];
  /** How to try a key and an address; whoever has a form needs it. */
  readonly check?: ModelList;
  /** For providers that make vectors of passages as well. */
  readonly embeddings?: EmbeddingsEndpoint;
  /** For providers, or servers that speak like them, that order passages by how well they answer a question. */
  readonly rerank?: RerankEndpoint;
}

/** A provider's list of its models: to ask for it costs nothing and needs the key. */
export interface ModelList {
  url(baseUrl: string): string;
  headers(apiKey: string): Readonly<Record<string, string>>;
  /** The names in an answer. Throws on what is no such list. */
  names(answer: unknown): readonly string[];
}

/** Asked with the key as a bearer token. */
export interface EmbeddingsEndpoint {
  /** What the form begins with. */
  readonly suggestedModel: string;
  /** Below the provider's address. */
  readonly path: string;
  body(model: string, texts: readonly string[]): object;
  /** The vectors in an answer, in the order of the texts. Throws on what holds none. */
  vectors(answer: unknown): readonly unknown[];
}

/** Asked with the key as a bearer token. */
export interface RerankEndpoint {
  /** What the form shows as an example. */
  readonly exampleModel: string;
  /** Below the provider's address. */
  readonly path: string;
  body(model: string, question: RerankQuestion): object;
  /** How well each of the documents that the answer names fits, by its place. Throws on what holds none. */
  scores(answer: unknown): readonly { readonly index: number; readonly score: number }[];
  /** How many tokens it counted, where it says so. */
  tokens(answer: unknown): number;
}

export interface RerankQuestion {
  readonly query: string;
  readonly documents: readonly string[];
}

export type Providers = ReadonlyMap<string, Provider>;

const NAME = /^[a-z][a-z0-9_]*$/;
const VARIABLE = /^[A-Z][A-Z0-9_]*$/;

export function faultsOfProvider(candidate: unknown): string[] {
  if (!isRecord(candidate)) return ['"provider" must be an object'];
  const { name, title, baseUrl, env, fields, check, embeddings, rerank } = candidate;
  const faults: string[] = [];
  const mustBe = (holds: boolean, key: string, what: string) => {
    if (!holds) faults.push(`"provider.${key}" must be ${what}`);
  };
  mustBe(typeof name === 'string' && NAME.test(name), 'name', 'lower-case letters, digits and "_"');
  mustBe(typeof title === 'string' && title !== '', 'title', 'a text');
  const isAddress = typeof baseUrl === 'string' && faultOfAddress(baseUrl) === undefined;
  mustBe(baseUrl === '' || isAddress, 'baseUrl', 'an http:// or https:// URL, or empty');
  const variables = isRecord(env) ? Object.entries(env) : undefined;
  const isVariable = ([key, variable]: [string, unknown]) =>
    ['apiKey', 'baseUrl', 'model'].includes(key) && typeof variable === 'string' && VARIABLE.test(variable);
  mustBe(variables?.every(isVariable) ?? false, 'env', 'names of variables, by "apiKey", "baseUrl", "model"');
  const isField = (field: unknown) => FIELDS.some((each) => each === field);
  mustBe(Array.isArray(fields) && fields.every(isField), 'fields', `a list of ${FIELDS.join(', ')}`);
  const needsCheck = check !== undefined || (Array.isArray(fields) && fields.length > 0);
  mustBe(
    !needsCheck || hasFunctions(check, 'url', 'headers', 'names'),
    'check',
    'a list of models to ask for',
  );
  const isEndpoint =
    hasFunctions(embeddings, 'body', 'vectors') && hasTexts(embeddings, 'suggestedModel', 'path');
  mustBe(embeddings === undefined || isEndpoint, 'embeddings', 'an endpoint for vectors');
  const isReranker =
    hasFunctions(rerank, 'body', 'scores', 'tokens') && hasTexts(rerank, 'exampleModel', 'path');
  mustBe(rerank === undefined || isReranker, 'rerank', 'an endpoint that orders passages');
  return faults;
}

function hasFunctions(value: unknown, ...keys: readonly string[]): boolean {
  return isRecord(value) && keys.every((key) => typeof value[key] === 'function');
}

function hasTexts(value: unknown, ...keys: readonly string[]): boolean {
  return isRecord(value) && keys.every((key) => typeof value[key] === 'string');
}
