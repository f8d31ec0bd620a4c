import type { RubricDraft } from '../../gallery/gallery-api.ts';
import { isEntry } from '../draft.ts';
import type { Editor } from '../editor.svelte.ts';

const TAKER = 'rubric_rag';

/** The tool that waits for the rubric of a template; -1 once it has one, or was taken out. */
export const placeOfRubric = ({ entries }: Pick<Editor, 'entries'>): number =>
  entries.findIndex((entry) => isEntry(entry) && entry.type === TAKER && !entry.config?.rubric_id);

/** Makes it and puts it where it belongs, once: what has its rubric waits for none. */
export async function makeRubric(
  editor: Pick<Editor, 'entries' | 'changeTool' | 'gaps'>,
  rubric: RubricDraft | null | undefined,
  create: (content: RubricDraft) => Promise<{ readonly id: string }>,
): Promise<void> {
  const at = placeOfRubric(editor);
  const entry = editor.entries[at];
  if (!rubric || !isEntry(entry) || editor.gaps.length > 0) return;
  const { id } = await create(rubric);
  editor.changeTool(at, { ...entry, enabled: true, config: { ...entry.config, rubric_id: id } });
}
