import { isFault } from '../api/fault.ts';
import { saveFile } from '../api/save-file.ts';
import type { Toasts } from '../app/toasts.svelte.ts';
import type { GalleryApi } from '../gallery/gallery-api.ts';
import { galleryWords } from '../gallery/gallery-words.ts';
import type { I18n } from '../i18n/i18n.svelte.ts';
import type { Router } from '../routing/route.ts';
import type { AssistantList } from './assistant-list.svelte.ts';
import { bundleFilename, nameOfCopy } from './assistant-names.ts';
import type { Assistant, AssistantsApi } from './assistants-api.ts';
import { places } from './routes.ts';

/**
 * A copy of all its author wrote. What cannot be saved as it is, such as another's files, comes switched off, and so do
 * runs of every night, which whoever owns the copy would pay for.
 */
async function copyOf(id: number, name: string, assistants: AssistantsApi): Promise<Assistant> {
  const { description, system_prompt, prompt_template, RAG_collections, RAG_Top_k, ...rest } =
    await assistants.get(id);
  const { nightly_suite: _nightly, ...metadata } = rest.metadata ?? {};
  const { greeting, starters, avatar, tags } = rest;
  const content = {
    ...{ description, system_prompt, prompt_template, metadata, RAG_collections, RAG_Top_k },
    ...{ greeting, starters, avatar, tags },
  };
  try {
    return await assistants.create({ name, ...given(content) });
  } catch (thrown) {
    if (!isFault(thrown) || thrown.status !== 422) throw thrown;
    const { assistant } = await assistants.import(await assistants.export(id), name);
    return assistant;
  }
}

function given<Content extends object>(content: Content) {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Content]: NonNullable<Content[Key]>;
  };
}

interface Around {
  readonly assistants: AssistantsApi;
  readonly gallery: Pick<GalleryApi, 'keep'>;
  readonly router: Pick<Router, 'go'>;
  readonly list: AssistantList;
  readonly toasts: Toasts;
  readonly i18n: I18n;
}

export type AssistantActions = ReturnType<typeof createAssistantActions>;

/** What can be done with a row of the list. A refusal is told, and the list is as it was. */
export function createAssistantActions({ assistants, gallery, router, list, toasts, i18n }: Around) {
  const told = async (work: () => Promise<void>, before = '') => {
    try {
      await work();
    } catch (thrown) {
      toasts.show(`${before} ${i18n.fault(thrown)}`.trim(), { tone: 'bad' });
    }
  };

  const takeBack = (row: Assistant) =>
    told(async () => {
      const back = await assistants.restore(row.id);
      if (list.shown.scope === 'deleted') list.drop(row.id);
      // It goes where it was; where another list has come meanwhile, that is asked for again.
      else if (list.shown === shownAt.get(row.id)) list.add({ ...row, ...back });
      else await list.load();
      toasts.say(i18n.t.assistants.takenBack(row.name));
    });
  const shownAt = new Map<number, AssistantList['shown']>();

  return {
    takeBack,
    /** Deleted at once; the service keeps it, so thinking better of it brings it back whole. */
    remove(row: Assistant) {
      shownAt.set(row.id, list.shown);
      list.drop(row.id);
      return told(async () => {
        try {
          await assistants.remove(row.id, { keepalive: true });
        } catch (thrown) {
          list.add(row);
          throw thrown;
        }
        const undo = { label: i18n.t.common.undo, run: () => void takeBack(row) };
        toasts.show(i18n.t.assistants.deleted(row.name), { action: undo });
      }, i18n.t.assistants.kept(row.name));
    },
    duplicate: (row: Assistant) =>
      told(async () => {
        const { copyName, duplicated } = i18n.t.assistants;
        const copy = await copyOf(row.id, nameOfCopy(row.name, copyName), assistants);
        if (['all', 'mine'].includes(list.shown.scope)) list.add(copy);
        toasts.show(duplicated(copy.name));
      }),
    keepAsTemplate: (row: Assistant) =>
      told(async () => {
        const words = await galleryWords(i18n.language);
        await gallery.keep(row.id);
        const run = () => void router.go(places.create);
        toasts.show(words.kept(row.name), { action: { label: words.toGallery, run } });
      }),
    save: (row: Assistant) =>
      told(async () => {
        const bundle = JSON.stringify(await assistants.export(row.id), null, 2);
        saveFile(new Blob([bundle], { type: 'application/json' }), bundleFilename(row.name));
      }),
  };
}
