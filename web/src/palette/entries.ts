import type { Conversation } from '../../../src/http/contract/chat.ts';
import { isAdministrator } from '../admin/roles.ts';
import type { App } from '../app/app-context.ts';
import { THEMES } from '../app/preferences.svelte.ts';
import type { Assistant } from '../assistants/assistants-api.ts';
import { places as assistantPlaces } from '../assistants/routes.ts';
import { places as chatPlaces } from '../chat/routes.ts';
import { LANGUAGES, type Language } from '../i18n/i18n.svelte.ts';
import type { PaletteWords } from '../i18n/en/palette.ts';
import { LINKS } from '../routing/areas.ts';
import type { IconName } from '../ui/icons.ts';

export type Group = keyof PaletteWords['groups'];

/** Something that can be gone to, or done. */
export interface Entry {
  readonly key: string;
  readonly group: Group;
  readonly title: string;
  readonly icon: IconName;
  readonly run: () => void;
}

/** What is there without asking the service. */
export function fixedEntries(
  { router, i18n, theme, session }: Pick<App, 'router' | 'i18n' | 'theme' | 'session'>,
  t: PaletteWords,
): readonly Entry[] {
  const to = (href: string) => () => void router.go(href);
  const { shell } = i18n.t;
  const pages = LINKS.filter(
    ({ isForAdministrators = false }) => !isForAdministrators || isAdministrator(session.user),
  ).map(({ href, icon, title }): Entry => {
    return { key: href, group: 'pages', icon, title: title(shell), run: to(href) };
  });
  const action = (key: string, icon: IconName, title: string, run: () => void): Entry => ({
    ...{ key, group: 'actions', icon, title, run },
  });
  const languages = Object.entries(LANGUAGES).filter(([code]) => code !== i18n.language);
  return [
    action('new chat', 'chat', t.newChat, to(chatPlaces.conversation('new'))),
    ...(session.user?.role === 'student'
      ? []
      : [action('new assistant', 'plus', t.newAssistant, to(assistantPlaces.create))]),
    ...pages,
    ...THEMES.filter((name) => name !== theme.name).map((name) =>
      action(`theme ${name}`, 'eye', t.theme(shell.themes[name]), () => {
        theme.choose(name);
      }),
    ),
    ...languages.map(([code, name]) =>
      action(`language ${code}`, 'gear', t.language(name), () => void i18n.choose(code as Language)),
    ),
  ];
}

export function foundEntries(
  { assistants, conversations }: { assistants: readonly Assistant[]; conversations: readonly Conversation[] },
  { router, i18n }: Pick<App, 'router' | 'i18n'>,
  t: PaletteWords,
): readonly Entry[] {
  const to = (href: string) => () => void router.go(href);
  return [
    ...assistants.map((assistant): Entry => {
      const { id, name, may_edit } = assistant;
      const [title, href] = may_edit
        ? [name, assistantPlaces.edit(assistant)]
        : [t.chatWith(name), assistantPlaces.chat(id)];
      return { key: `assistant ${String(id)}`, group: 'assistants', icon: 'spark', title, run: to(href) };
    }),
    ...conversations.map(({ id, title }): Entry => {
      const shown = title || i18n.t.chat.untitled;
      const run = to(chatPlaces.conversation(id));
      return { key: `conversation ${id}`, group: 'conversations', icon: 'chat', title: shown, run };
    }),
  ];
}

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Those that have every word of it, wherever. */
export function matching(entries: readonly Entry[], q: string): readonly Entry[] {
  const words = folded(q).split(/\s+/).filter(Boolean);
  return entries.filter(({ title }) => words.every((word) => folded(title).includes(word)));
}
