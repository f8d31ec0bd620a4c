import { isFault, type FieldFault } from '../api/fault.ts';
import type { Assistant, AssistantMetadata, AssistantsApi, AssistantType, ToolEntry } from '../assistants/assistants-api.ts';
import type { Catalogue, ToolFacts } from './builder-api.ts';
import { missingIn, sourceOf } from './classic-source.ts';
import type { DraftStore } from './draft-store.ts';
import { draftOf, isEntry, isSame, newDraft, sent, shapeOf, typeOf, type Draft, type Shape } from './draft.ts';
import { followed, ofProcessor, providedBy, type Provided } from './placeholders.ts';
import { faultsOfEntry, moved, newEntry, toolsByName, type Tools } from './tool-entries.ts';

export type SaveOutcome = 'created' | 'saved' | 'incomplete' | 'refused' | 'conflict';

export interface EditorParts {
  readonly type: AssistantType;
  /** Undefined for a new one. */
  readonly assistant: Assistant | undefined;
  readonly catalogue: Catalogue;
  readonly assistants: AssistantsApi;
  readonly store: DraftStore;
}

export type Editor = ReturnType<typeof createEditor>;

/** An assistant in the making: what was read, what it has become, and what stands in the way of saving it. */
export function createEditor({ type: wanted, assistant: read, catalogue, assistants, store }: EditorParts) {
  const tools: Tools = toolsByName(catalogue.tools);
  const kept = store.read();
  let assistant = $state.raw(read);
  let saved = $state.raw<Draft>(read ? draftOf(read) : newDraft(wanted));
  let draft = $state.raw<Draft>(kept?.draft ?? saved);
  let version = $state(kept ? (kept.version ?? read?.version) : read?.version);
  let restoredAt = $state(kept && !isSame(kept.draft, saved) ? kept.at : undefined);
  let keys = $state.raw(keysFor(entriesIn(draft)));
  let refusals = $state.raw<readonly FieldFault[]>([]);
  let fault = $state.raw<unknown>();
  let theirs = $state.raw<Assistant>();
  let isChecked = $state(false);
  let isBusy = $state(false);

  const entries = $derived(entriesIn(draft));
  const isDirty = $derived(!isSame(draft, saved));
  const provided = $derived(providedIn(draft, tools));

  /** Kept at once: a reload, a crash or a session that ends loses nothing. */
  function put(changed: Draft): void {
    draft = changed;
    if (isSame(changed, saved)) store.forget();
    else store.keep({ version, at: new Date().toISOString(), draft: changed });
  }

  const forgive = (place: string) => {
    refusals = refusals.filter(({ path }) => path !== place && !path.startsWith(`${place}.`));
  };

  function putTools(changed: readonly unknown[], changedKeys = keys): void {
    const before = provided;
    const metadata = { ...draft.metadata, tools: changed as readonly ToolEntry[] };
    const next = { ...draft, metadata };
    keys = changedKeys;
    put({ ...next, prompt_template: followed(draft.prompt_template, before, providedIn(next, tools)) });
  }

  function takeUp(record: Assistant, changed: Draft): void {
    assistant = record;
    version = record.version;
    saved = draftOf(record);
    restoredAt = undefined;
    refusals = [];
    fault = undefined;
    theirs = undefined;
    isChecked = false;
    if (!isSame(entriesIn(changed), entries)) keys = keysFor(entriesIn(changed));
    put(changed);
  }

  async function send(): Promise<SaveOutcome> {
    const sending = draft;
    try {
      const body = sent(sending);
      const record =
        assistant === undefined
          ? await assistants.create(body)
          : await assistants.save(assistant.id, { ...body, version: version ?? assistant.version });
      const isNew = assistant === undefined;
      // What was typed while it was being saved is the next change.
      takeUp(record, draft === sending ? draftOf(record) : draft);
      return isNew ? 'created' : 'saved';
    } catch (thrown) {
      return await refused(thrown);
    }
  }

  async function refused(thrown: unknown): Promise<SaveOutcome> {
    if (isFault(thrown) && thrown.status === 409 && assistant) {
      try {
        theirs = await assistants.get(assistant.id);
        return 'conflict';
      } catch (again) {
        fault = again;
        return 'refused';
      }
    }
    refusals = isFault(thrown) ? thrown.errors : [];
    fault = thrown;
    return 'refused';
  }

  return {
    catalogue,
    tools,
    get assistant() {
      return assistant;
    },
    get draft() {
      return draft;
    },
    get saved() {
      return saved;
    },
    get shape(): Shape {
      return shapeOf(draft.metadata);
    },
    get type(): AssistantType {
      return typeOf(draft.metadata);
    },
    get entries() {
      return entries;
    },
    /** One for each entry, the same for as long as it is there. */
    get keys() {
      return keys;
    },
    get provided() {
      return provided;
    },
    get isDirty() {
      return isDirty;
    },
    get isBusy() {
      return isBusy;
    },
    /** Somebody has tried to save: what is missing is pointed out from then on. */
    get isChecked() {
      return isChecked;
    },
    get restoredAt() {
      return restoredAt;
    },
    get isBehind() {
      return assistant !== undefined && version !== undefined && version < assistant.version;
    },
    get fault() {
      return fault;
    },
    get refusals() {
      return refusals;
    },
    get theirs() {
      return theirs;
    },

    put,
    change(part: Partial<Draft>) {
      for (const field of Object.keys(part)) forgive(field);
      put({ ...draft, ...part });
    },
    changeMetadata(part: AssistantMetadata) {
      for (const key of Object.keys(part)) forgive(`metadata.${key}`);
      const metadata = Object.fromEntries(
        Object.entries({ ...draft.metadata, ...part }).filter(([, value]) => value !== undefined),
      );
      put({ ...draft, metadata });
    },

    addTool(tool: ToolFacts) {
      putTools([...entries, newEntry(tool, wanted === 'classic' ? typeOf(draft.metadata) : wanted)], [...keys, nextKey(keys)]);
    },
    changeTool(at: number, entry: ToolEntry) {
      forgive(`metadata.tools.${String(at)}`);
      putTools(entries.with(at, entry));
    },
    removeTool(at: number) {
      forgive('metadata.tools');
      putTools(entries.toSpliced(at, 1), keys.toSpliced(at, 1));
    },
    insertTool(at: number, entry: unknown) {
      forgive('metadata.tools');
      const to = Math.min(at, entries.length);
      putTools(entries.toSpliced(to, 0, entry), keys.toSpliced(to, 0, nextKey(keys)));
    },
    moveTool(at: number, to: number) {
      forgive('metadata.tools');
      putTools(moved(entries, at, to), moved(keys, at, to));
    },

    /** What keeps it from being complete, as far as that can be told here: each with its place. */
    get gaps(): readonly string[] {
      const ofTools = entries.flatMap((entry, i) =>
        isEntry(entry)
          ? faultsOfEntry(entry, tools.get(entry.type)).map(({ path }) => `metadata.tools.${String(i)}.${path}`)
          : [],
      );
      const source = shapeOf(draft.metadata) === 'classic' ? missingIn(draft) : undefined;
      return [...(draft.name.trim() === '' ? ['name'] : []), ...(source ? [source] : []), ...ofTools];
    },

    async save(): Promise<SaveOutcome> {
      if (isBusy) return 'refused';
      isChecked = true;
      fault = undefined;
      if (this.gaps.length > 0) return 'incomplete';
      isBusy = true;
      try {
        return await send();
      } finally {
        isBusy = false;
      }
    },
    /** Back to what is saved. */
    discard() {
      if (assistant) takeUp(assistant, draftOf(assistant));
      else {
        restoredAt = undefined;
        keys = keysFor(entriesIn(saved));
        put(saved);
      }
    },
    takeTheirs() {
      if (theirs) takeUp(theirs, draftOf(theirs));
    },
    async keepMine(): Promise<SaveOutcome> {
      if (!theirs) return 'refused';
      const mine = draft;
      takeUp(theirs, mine);
      return await this.save();
    },
    leaveConflict() {
      theirs = undefined;
    },
    takeUp: (record: Assistant) => {
      takeUp(record, draftOf(record));
    },
  };
}

const entriesIn = ({ metadata }: Draft): readonly unknown[] =>
  Array.isArray(metadata.tools) ? metadata.tools : [];

const keysFor = (entries: readonly unknown[]): readonly number[] => entries.map((_, i) => i);

const nextKey = (keys: readonly number[]): number => Math.max(-1, ...keys) + 1;

/** A classic template says `{context}`, whatever its source is. */
function providedIn(draft: Draft, tools: Tools): readonly Provided[] {
  const { metadata } = draft;
  const own = ofProcessor(metadata.prompt_processor);
  if (shapeOf(metadata) !== 'classic') return [...providedBy(entriesIn(draft).filter(isEntry), tools), ...own];
  const source = sourceOf(draft);
  return [...(source === 'none' ? [] : [{ name: 'context', by: source ?? String(metadata.rag_processor) }]), ...own];
}
