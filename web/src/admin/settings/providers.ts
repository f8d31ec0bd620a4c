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

/** What answers with this provider for whoever names no model; empty when that has not been chosen here. */
export function answeringModel(editor: ConfigEditor, provider: string): string {
  const isUsual = editor.text('global_default_model', 'provider') === provider;
  return (
    editor.text('providers', provider, 'default_model') ||
    (isUsual ? editor.text('global_default_model', 'model') : '')
  );
}

/** Has it answer: for the whole organisation, unless another provider does that. */
export function answerWith(editor: ConfigEditor, provider: string, model: string): void {
  editor.set(['providers', provider, 'default_model'], model);
  const usual = editor.text('global_default_model', 'provider');
  if (usual === '' || usual === provider) editor.set(['global_default_model'], { provider, model });
}

/** Every model that is listed anywhere. */
export function listedModels(editor: ConfigEditor): readonly string[] {
  return [...new Set(namedProviders(editor).flatMap((name) => editor.names('providers', name, 'models')))];
}
