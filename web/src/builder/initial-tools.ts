import { isEntry } from './draft.ts';
import type { Editor } from './editor.svelte.ts';
import { isFull } from './tool-entries.ts';

/** What a page can send along to a new assistant, and the tool that takes it. */
const TAKERS = [
  { name: 'collection', type: 'simple_rag', configWith: (id: string) => ({ collections: [id] }) },
  { name: 'rubric', type: 'rubric_rag', configWith: (id: string) => ({ rubric_id: id }) },
] as const;

/** Puts in what somebody comes with, unless it is there already: the address outlives a reload, as the draft does. */
export function addInitialTools(
  editor: Pick<Editor, 'tools' | 'entries' | 'addTool'>,
  given: URLSearchParams,
): void {
  for (const { name, type, configWith } of TAKERS) {
    const id = given.get(name);
    const tool = editor.tools.get(type);
    if (!id || !tool || isFull(tool, editor.entries)) continue;
    const config = configWith(id);
    const isThere = (entry: unknown) =>
      isEntry(entry) && entry.type === type && JSON.stringify(entry.config).includes(JSON.stringify(id));
    if (!editor.entries.some(isThere)) editor.addTool(tool, config);
  }
}
