import type { KeptDrafts } from '../app/kept-drafts.ts';
import type { Assistant, AssistantType } from '../assistants/assistants-api.ts';
import { sourceOf } from './classic-source.ts';
import { draftOf, isEntry, isSame, newDraft, shapeOf, type Draft } from './draft.ts';
import { followed, ofProcessor, providedBy, type Provided } from './placeholders.ts';
import type { Tools } from './tool-entries.ts';

export interface DraftStateParts {
  readonly type: AssistantType;
  /** Undefined for a new one. */
  readonly assistant: Assistant | undefined;
  readonly tools: Tools;
  readonly store: KeptDrafts<Draft>;
  /** What a new one begins with; blank unless given. */
  readonly begin?: Draft | undefined;
}

export type DraftState = ReturnType<typeof createDraftState>;

/** What was read, what it has become since, and the way back. */
export function createDraftState({ type, assistant: read, tools, store, begin }: DraftStateParts) {
  const kept = store.read();
  let assistant = $state.raw(read);
  const first = read ? draftOf(read) : (begin ?? newDraft(type));
  // What an older page has kept may lack what there is to write since.
  const latest = kept ? { ...first, ...kept.draft } : first;
  let saved = $state.raw<Draft>(first);
  let draft = $state.raw<Draft>(latest);
  let version = $state(kept?.from === undefined ? read?.version : Number(kept.from));
  let restoredAt = $state(kept && !isSame(latest, first) ? kept.at : undefined);
  let keys = $state.raw(keysFor(latest));
  const provided = $derived(providedIn(draft, { tools, assistant }));
  const isDirty = $derived(!isSame(draft, saved));

  /** Kept at once: a reload, a crash or a session that ends loses nothing. */
  function put(changed: Draft): void {
    draft = changed;
    if (isSame(changed, saved)) store.forget();
    else store.keep(changed, fromVersion(version));
  }

  function takeUp(record: Assistant, changed: Draft): void {
    assistant = record;
    version = record.version;
    saved = draftOf(record);
    restoredAt = undefined;
    if (!isSame(entriesIn(changed), entriesIn(draft))) keys = keysFor(changed);
    put(changed);
  }

  return {
    get assistant() {
      return assistant;
    },
    get saved() {
      return saved;
    },
    get draft() {
      return draft;
    },
    get version() {
      return version;
    },
    get entries() {
      return entriesIn(draft);
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
    get restoredAt() {
      return restoredAt;
    },
    get isBehind() {
      return assistant !== undefined && version !== undefined && version < assistant.version;
    },
    put,
    /** As `put`; a template that nobody has written follows. */
    putFollowing(changed: Draft, changedKeys = keys) {
      const prompt_template = followed(
        changed.prompt_template,
        provided,
        providedIn(changed, { tools, assistant }),
      );
      keys = changedKeys;
      put({ ...changed, prompt_template });
    },
    takeUp,
    discard() {
      if (assistant) takeUp(assistant, draftOf(assistant));
      else {
        restoredAt = undefined;
        keys = keysFor(saved);
        put(saved);
      }
    },
  };
}

/** What tells unsaved work which version it began from: nothing when none was saved yet. */
export const fromVersion = (version: number | undefined): string | undefined =>
  version === undefined ? undefined : String(version);

const entriesIn = ({ metadata }: Draft): readonly unknown[] =>
  Array.isArray(metadata.tools) ? metadata.tools : [];

const keysFor = (draft: Draft): readonly number[] => entriesIn(draft).map((_, i) => i);

/** A classic template says `{context}`, whatever its source is. */
function providedIn(
  draft: Draft,
  { tools, assistant }: Pick<DraftStateParts, 'tools' | 'assistant'>,
): readonly Provided[] {
  const { metadata } = draft;
  const own = ofProcessor(metadata.prompt_processor);
  const shape = shapeOf(metadata);
  // What is stored in older words is read by the service.
  if (shape === 'older') return [...providedBy((assistant?.tools ?? []).filter(isEntry), tools), ...own];
  if (shape === 'canonical') return [...providedBy(entriesIn(draft).filter(isEntry), tools), ...own];
  const source = sourceOf(draft);
  const by = source ?? String(metadata.rag_processor);
  return [...(source === 'none' ? [] : [{ name: 'context', by }]), ...own];
}
