import type { ProviderFacts } from '../../../../src/http/contract/admin.ts';
import type { ConfigEditor } from './config-editor.svelte.ts';
import { isRecord } from './config-draft.ts';

type Providers = readonly ProviderFacts[];

export const hasForm = ({ fields }: ProviderFacts): boolean => fields.length > 0;

export const titleOf = (providers: Providers, name: string): string =>
  providers.find((each) => each.name === name)?.title ?? name;

/** Those that have a form, and all others that the configuration names. */
export function namedProviders(providers: Providers, editor: ConfigEditor): readonly string[] {
  const configured = editor.at('providers');
  const named = isRecord(configured) ? Object.keys(configured) : [];
  return [...new Set([...providers.filter(hasForm).map(({ name }) => name), ...named])];
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
export function listedModels(providers: Providers, editor: ConfigEditor): readonly string[] {
  const listed = (name: string) => editor.names('providers', name, 'models');
  return [...new Set(namedProviders(providers, editor).flatMap(listed))];
}
