import { isRecord, textIn } from '../base/json.js';

/** A model and whose it is. */
export interface ModelChoice {
  readonly provider: string;
  readonly model: string;
}

const USUAL_PROVIDER = 'openai';
const PROVIDERS = new Set(['openai', 'azure_openai', 'ollama', 'anthropic', 'google', 'demo', 'bypass']);

/** `{provider, model}`, `provider/model` or a model alone; undefined for what names none. */
export function modelChoiceOf(value: unknown): ModelChoice | undefined {
  if (typeof value === 'string') return namedIn(value.trim());
  if (!isRecord(value)) return undefined;
  const model = textIn(value, 'model');
  return model === undefined ? undefined : { provider: textIn(value, 'provider') ?? USUAL_PROVIDER, model };
}

/** Models have slashes of their own (`meta-llama/…`): only a provider's name before the first one counts. */
function namedIn(text: string): ModelChoice | undefined {
  if (text === '') return undefined;
  const slash = text.indexOf('/');
  const provider = text.slice(0, Math.max(slash, 0));
  const model = text.slice(slash + 1);
  if (PROVIDERS.has(provider)) return model === '' ? undefined : { provider, model };
  return { provider: USUAL_PROVIDER, model: text };
}

/** Who makes the vectors of passages, as an administrator writes it. */
export type EmbeddingChoice =
  | { readonly provider: 'none' }
  | { readonly provider: 'local' }
  | { readonly provider: 'openai' | 'ollama'; readonly model: string };

const FORM = /^(?:(none|local)|(openai|ollama):(\S{1,200}))$/;

/** Undefined for what is none of the forms: `none`, `local`, `openai:<model>`, `ollama:<model>`. */
export function embeddingChoiceOf(text: string): EmbeddingChoice | undefined {
  const [, alone, provider, model] = FORM.exec(text.trim()) ?? [];
  if (alone !== undefined) return { provider: alone as 'none' | 'local' };
  if (provider === undefined || model === undefined) return undefined;
  return { provider: provider as 'openai' | 'ollama', model };
}

export function isEmbeddingChoice(text: string): boolean {
  return embeddingChoiceOf(text) !== undefined;
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
  readonly user?: string;
}
