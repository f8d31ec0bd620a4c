import type { Messages } from '../../i18n/en.ts';
import { isEntry } from '../draft.ts';
import type { Editor } from '../editor.svelte.ts';
import { labelOf } from '../tool-labels.ts';

const OF_TOOL = /^metadata\.tools\.(\d+)\./;

/** What has to be filled in before it can be asked, by name. It may be tried without a name of its own. */
export function missingParts(editor: Pick<Editor, 'gaps' | 'entries' | 'tools'>, t: Messages): string[] {
  const places = editor.gaps.filter((place) => place !== 'name');
  const names = places.map((place) => {
    const entry = editor.entries[Number(OF_TOOL.exec(place)?.[1] ?? -1)];
    return isEntry(entry) ? labelOf(entry, editor.tools, t).title : t.builder.source.title;
  });
  return [...new Set(names)];
}
