import type { ConfigEditor } from './config-editor.svelte.ts';
import { isRecord } from './config-draft.ts';

/** Those that have a form, and where each listens unless told otherwise. */
export const PROVIDERS = {
  openai: { title: 'OpenAI', address: 'https://api.openai.com/v1', hasKey: true },
  anthropic: { title: 'Anthropic', address: 'https://api.anthropic.com', hasKey: true },
  google: { title: 'Google', address: 'https://generativelanguage.googleapis.com', hasKey: true },
  ollama: { title: 'Ollama', address: 'http://127.0.0.1:11434', hasKey: false },
} as const;

export type ProviderName = keyof typeof PROVIDERS;
export const PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly ProviderName[];

export const titleOf = (name: string): string =>
  name in PROVIDERS ? PROVIDERS[name as ProviderName].title : name;

/** All that the configuration names, those without a form included. */
export function namedProviders(editor: ConfigEditor): readonly string[] {
  const providers = editor.at('providers');
  const named = isRecord(providers) ? Object.keys(providers) : [];
  return [...new Set([...PROVIDER_NAMES, ...named])];
}

/** Every model that is listed anywhere. */
export function listedModels(editor: ConfigEditor): readonly string[] {
  return [...new Set(namedProviders(editor).flatMap((name) => editor.names('providers', name, 'models')))];
}
