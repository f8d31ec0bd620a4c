import { places } from '../admin/places.ts';
import type { Messages } from '../i18n/en.ts';
import { wordFor } from '../i18n/i18n.svelte.ts';
import type { Setup } from './setup-api.ts';

export interface SetupItem {
  readonly name: string;
  readonly text: string;
  /** `missing`: nothing goes without it. */
  readonly state: 'ready' | 'missing' | 'optional';
  /** Where it is set, by those who may. */
  readonly href: string;
}

export function setupItems(setup: Setup, messages: Messages): readonly SetupItem[] {
  const t = messages.welcome.setup;
  const { default_model: model, embeddings, organization_id: id } = setup;
  const knowledge = places.organization(id, 'knowledge');
  return [
    {
      name: t.model,
      text: modelText(model, messages),
      state: model.connector !== null && !model.is_demo ? 'ready' : 'missing',
      href: places.organization(id, 'providers'),
    },
    {
      name: t.meaning,
      text: embeddings === null ? t.meaningNone : t.meaningReady(embeddings),
      state: embeddings === null ? 'optional' : 'ready',
      href: knowledge,
    },
    ...(setup.knowledge_base_server
      ? [{ name: t.server, text: t.serverReady, state: 'ready', href: knowledge } as const]
      : []),
    {
      name: t.moodle,
      text: setup.moodle ? t.moodleReady : t.moodleNone,
      state: setup.moodle ? 'ready' : 'optional',
      href: places.organization(id, 'moodle'),
    },
  ];
}

function modelText(
  { connector, model, is_demo }: Setup['default_model'],
  { welcome: { setup: t }, tools }: Messages,
): string {
  if (connector === null) return t.modelNone;
  return is_demo
    ? t.modelDemo
    : t.modelReady(model ?? connector, wordFor(tools.providers, connector) ?? connector);
}
