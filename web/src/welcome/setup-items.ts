import type { Setup } from '../../../src/http/contract/admin.ts';
import { places } from '../admin/routes.ts';
import type { Messages } from '../i18n/en.ts';
import { ownEntry } from '../i18n/own-entry.ts';

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
      text: modelText(setup, messages),
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

function modelText({ default_model, providers }: Setup, { welcome: { setup: t }, tools }: Messages): string {
  const titleOf = (name: string) =>
    ownEntry(tools.providers, name) ?? providers.find((each) => each.name === name)?.title ?? name;
  const { connector, model, is_demo } = default_model;
  if (connector === null) return t.modelNone;
  if (!is_demo) return t.modelReady(model ?? connector, titleOf(connector));
  const unchosen = providers.find(({ configured, models }) => configured && models === 0);
  return unchosen ? `${t.modelUnchosen(titleOf(unchosen.name))} ${t.modelDemo}` : t.modelDemo;
}
