import type { Overriding } from '../assistants/tests/gate-refusal.ts';
import type { AssistantMetadata, AssistantsApi, ToolEntry } from '../assistants/assistants-api.ts';
import type { Catalogue, ToolFacts } from './builder-api.ts';
import { isTopKWrong, missingIn } from './classic-source.ts';
import { createDraftState, type DraftStateParts } from './draft-state.svelte.ts';
import { isEntry, shapeOf, typeOf, type Draft } from './draft.ts';
import { createSaving, type SaveOutcome } from './saving.svelte.ts';
import { faultsOfEntry, moved, newEntry, toolsByName } from './tool-entries.ts';

export interface EditorParts extends Omit<DraftStateParts, 'tools'> {
  readonly catalogue: Catalogue;
  readonly assistants: AssistantsApi;
}

export type Editor = ReturnType<typeof createEditor>;

/** An assistant in the making. */
export function createEditor({ catalogue, assistants, ...parts }: EditorParts) {
  const tools = toolsByName(catalogue.tools);
  const work = createDraftState({ ...parts, tools });
  const saving = createSaving(work, assistants);
  let isChecked = $state(false);

  function putTools(entries: readonly unknown[], keys = work.keys): void {
    const metadata = { ...work.draft.metadata, tools: entries as readonly ToolEntry[] };
    work.putFollowing({ ...work.draft, metadata }, keys);
  }

  const gaps = () => gapsIn(work.draft, (entry) => faultsOfEntry(entry, tools.get(entry.type)));

  return {
    catalogue,
    tools,
    work,
    saving,
    get draft() {
      return work.draft;
    },
    get entries() {
      return work.entries;
    },
    get shape() {
      return shapeOf(work.draft.metadata);
    },
    get type() {
      const isOlder = shapeOf(work.draft.metadata) === 'older';
      return (isOlder ? work.assistant?.assistant_type : undefined) ?? typeOf(work.draft.metadata);
    },
    /** Somebody has tried to save: what is missing is pointed out from then on. */
    get isChecked() {
      return isChecked;
    },
    check() {
      isChecked = true;
    },
    /** The places that are not filled in, or not rightly, as far as that can be told here. */
    get gaps() {
      return gaps();
    },
    refusalOf: (place: string) => saving.refusals.find(({ path }) => path === place),

    change(part: Partial<Draft>) {
      for (const field of Object.keys(part)) saving.forgive(field);
      work.put({ ...work.draft, ...part });
    },
    /** What is undefined is taken out. */
    changeMetadata(part: { readonly [Key in keyof AssistantMetadata]: AssistantMetadata[Key] | undefined }) {
      for (const key of Object.keys(part)) saving.forgive(`metadata.${key}`);
      const all = Object.entries({ ...work.draft.metadata, ...part });
      const metadata = Object.fromEntries(all.filter(([, value]) => value !== undefined));
      work.put({ ...work.draft, metadata });
    },
    chooseSource(draft: Draft) {
      saving.forgive('metadata.tools');
      work.putFollowing(draft);
    },

    addTool(tool: ToolFacts, config: Readonly<Record<string, unknown>> = {}) {
      const wanted = parts.assistant ? typeOf(work.draft.metadata) : parts.type;
      putTools([...work.entries, { ...newEntry(tool, wanted), config }], [...work.keys, nextKey(work.keys)]);
    },
    changeTool(at: number, entry: ToolEntry) {
      saving.forgive(`metadata.tools.${String(at)}`);
      putTools(work.entries.with(at, entry));
    },
    removeTool(at: number) {
      saving.forgive('metadata.tools');
      putTools(work.entries.toSpliced(at, 1), work.keys.toSpliced(at, 1));
    },
    insertTool(at: number, entry: unknown) {
      saving.forgive('metadata.tools');
      const to = Math.min(at, work.entries.length);
      putTools(work.entries.toSpliced(to, 0, entry), work.keys.toSpliced(to, 0, nextKey(work.keys)));
    },
    moveTool(at: number, to: number) {
      saving.forgive('metadata.tools');
      putTools(moved(work.entries, at, to), moved(work.keys, at, to));
    },

    /** Back to what is saved; what was said against the rest counts no more. */
    discard() {
      isChecked = false;
      saving.settle();
      work.discard();
    },
    async save(overriding: Overriding = {}): Promise<SaveOutcome> {
      isChecked = true;
      if (gaps().length > 0) return 'incomplete';
      // Nothing new: another version would say the same.
      if (work.assistant && !work.isDirty) return 'saved';
      const outcome = await saving.save(overriding);
      if (outcome === 'saved') isChecked = false;
      return outcome;
    },
  };
}

const nextKey = (keys: readonly number[]): number => Math.max(-1, ...keys) + 1;

function gapsIn(
  draft: Draft,
  faultsOf: (entry: ToolEntry) => readonly { readonly path: string }[],
): readonly string[] {
  const isClassic = shapeOf(draft.metadata) === 'classic';
  const source = isClassic ? missingIn(draft) : undefined;
  const entries: readonly unknown[] =
    shapeOf(draft.metadata) === 'canonical' ? (draft.metadata.tools ?? []) : [];
  return [
    ...(draft.name.trim() === '' ? ['name'] : []),
    ...(source ? [source] : []),
    ...(isClassic && isTopKWrong(draft) ? ['RAG_Top_k'] : []),
    ...entries.flatMap((entry, i) =>
      isEntry(entry) ? faultsOf(entry).map(({ path }) => `metadata.tools.${String(i)}.${path}`) : [],
    ),
  ];
}
