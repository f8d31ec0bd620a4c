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
