import { isRecord, textIn } from '../base/json.js';
import type { Providers } from '../provider.js';

/** A model and whose it is. */
export interface ModelChoice {
  readonly provider: string;
  readonly model: string;
}

/** Whose a model is that is named alone. */
export const USUAL_PROVIDER = 'openai';

/** The installed connectors, by name: each may be named as the provider of a model. */
export interface KnownConnectors {
  has(name: string): boolean;
}

/** `{provider, model}`, `provider/model` or a model alone; undefined for what names none. */
export function modelChoiceOf(value: unknown, connectors: KnownConnectors): ModelChoice | undefined {
  if (typeof value === 'string') return namedIn(value.trim(), connectors);
  if (!isRecord(value)) return undefined;
  const model = textIn(value, 'model');
  return model === undefined ? undefined : { provider: textIn(value, 'provider') ?? USUAL_PROVIDER, model };
}

/** Models have slashes of their own (`meta-llama/…`): only a connector's name before the first one counts. */
function namedIn(text: string, connectors: KnownConnectors): ModelChoice | undefined {
  if (text === '') return undefined;
  const slash = text.indexOf('/');
  const provider = text.slice(0, Math.max(slash, 0));
  const model = text.slice(slash + 1);
  if (connectors.has(provider)) return model === '' ? undefined : { provider, model };
  return { provider: USUAL_PROVIDER, model: text };
}

/** Who makes the vectors of passages, as an administrator writes it. */
export type EmbeddingChoice =
  | { readonly provider: 'none' }
  | { readonly provider: 'local'; readonly name: string | undefined }
  | ModelChoice;

const OF_PROVIDER = /^(\w+):(\S{1,200})$/;

/** Undefined for what is none of the forms: `none`, `local`, `local:<name>`, `<provider>:<model>`. */
export function embeddingChoiceOf(text: string, providers: Providers): EmbeddingChoice | undefined {
  const written = text.trim();
  if (written === 'none') return { provider: written };
  if (written === 'local') return { provider: written, name: undefined };
  const [, provider = '', model] = OF_PROVIDER.exec(written) ?? [];
  if (provider === 'local') return { provider, name: model };
  return model !== undefined && providers.get(provider)?.embeddings ? { provider, model } : undefined;
}

/** In words, such as `none, local, openai:<model> or ollama:<model>`. */
export function embeddingForms(providers: Providers): string {
  const makers = [...providers.values()].filter(({ embeddings }) => embeddings);
  const forms = ['none', 'local', ...makers.map(({ name }) => `${name}:<model>`)];
  return `${forms.slice(0, -1).join(', ')} or ${forms.at(-1) ?? ''}`;
}

/** Who orders passages, as `<provider>:<model>`; `none` leaves it to the small fast model. Undefined for anything else. */
export function rerankerChoiceOf(text: string, providers: Providers): ModelChoice | 'none' | undefined {
  const written = text.trim();
  if (written === 'none') return written;
  const [, provider = '', model] = OF_PROVIDER.exec(written) ?? [];
  return model !== undefined && providers.get(provider)?.rerank ? { provider, model } : undefined;
}

/** What an OpenAI client may ask of the model itself. */
export interface Sampling {
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly stop?: string | readonly string[];
  readonly seed?: number;
  readonly response_format?: Readonly<Record<string, unknown>>;
  readonly frequency_penalty?: number;
  readonly presence_penalty?: number;
  readonly logit_bias?: Readonly<Record<string, number>>;
  readonly reasoning_effort?: string;
  readonly parallel_tool_calls?: boolean;
}

export const SAMPLING = [
  ...['temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'stop', 'seed', 'response_format'],
  ...['frequency_penalty', 'presence_penalty', 'logit_bias', 'reasoning_effort', 'parallel_tool_calls'],
] as const satisfies readonly (keyof Sampling)[];
