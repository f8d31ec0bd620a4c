import type { Face } from '../face/face.ts';
import type { Assistant, AssistantMetadata, AssistantType, ToolEntry } from '../assistants/assistants-api.ts';

/** An assistant as it is being written: what is sent when it is saved, whole. */
export interface Draft extends Face {
  readonly name: string;
  readonly description: string;
  readonly system_prompt: string;
  readonly prompt_template: string;
  readonly metadata: AssistantMetadata;
  readonly RAG_collections: string;
  readonly RAG_Top_k: number | null;
}

/** How its tools are stored: as one old setting, as today's list, or as a list in older words. */
export type Shape = 'classic' | 'canonical' | 'older';

/** What names the unsaved work that a model has drafted. */
export const DESCRIBED = 'described';

const FORMAT_VERSION = 2;
const TOOL_USING_CONNECTOR = /tool_use|^openai_tools$/;
/** The processors that go with a kind; any other was chosen by somebody. */
const USUAL_PROCESSORS = { multi_tool: 'multi_augment', orchestrator: 'tool_augment' } as const;

export function draftOf(assistant: Assistant): Draft {
  return {
    name: assistant.name,
    description: assistant.description,
    system_prompt: assistant.system_prompt ?? '',
    prompt_template: assistant.prompt_template ?? '',
    metadata: withDefaults(versioned(assistant.metadata ?? {}, assistant.tools), assistant.tools),
    RAG_collections: assistant.RAG_collections ?? '',
    RAG_Top_k: assistant.RAG_Top_k ?? null,
    ...faceOf(assistant),
  };
}

const faceOf = ({ greeting, starters, avatar, tags }: Face): Face => ({ greeting, starters, avatar, tags });

/** What is written in today's form without saying so is in it: no entry is read as anything but what it says. */
function versioned(metadata: AssistantMetadata, read: readonly unknown[] | undefined): AssistantMetadata {
  const { tools } = metadata;
  if ('_format_version' in metadata || !Array.isArray(tools) || tools.length !== read?.length)
    return metadata;
  const isOfToday = tools.every((entry, i) => {
    const understood = read[i];
    if (!isEntry(entry) || !isEntry(understood) || entry.type !== understood.type) return false;
    return isSame(entry.config ?? {}, understood.config);
  });
  return isOfToday ? { ...metadata, _format_version: FORMAT_VERSION } : metadata;
}

/** What entries leave to the service (how a tool is used, what it fills) is said in them, as the service says it. */
function withDefaults(metadata: AssistantMetadata, tools: readonly unknown[] | undefined): AssistantMetadata {
  const isSure = shapeOf(metadata) === 'canonical' && tools?.length === metadata.tools?.length;
  return isSure && tools ? { ...metadata, tools: tools as readonly ToolEntry[] } : metadata;
}

const BLANK_FACE: Face = { greeting: '', starters: [], avatar: null, tags: [] };
const EMPTY = {
  ...{ name: '', description: '', system_prompt: '', RAG_collections: '', RAG_Top_k: null },
  ...BLANK_FACE,
};

export function newDraft(type: AssistantType): Draft {
  const prompt_template = '{user_input}';
  if (type === 'classic') {
    const metadata = { prompt_processor: 'simple_augment', rag_processor: 'no_rag' };
    return { ...EMPTY, prompt_template, metadata };
  }
  const metadata = {
    _format_version: FORMAT_VERSION,
    assistant_type: type,
    prompt_processor: USUAL_PROCESSORS[type],
    tools: [],
  };
  return { ...EMPTY, prompt_template, metadata };
}

export function shapeOf(metadata: AssistantMetadata): Shape {
  if (metadata._format_version === FORMAT_VERSION && Array.isArray(metadata.tools ?? [])) return 'canonical';
  return 'tools' in metadata || '_format_version' in metadata ? 'older' : 'classic';
}

export const isEntry = (value: unknown): value is ToolEntry =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

export const isOn = (entry: ToolEntry): boolean => entry.enabled !== false;

export const isFunction = (entry: unknown): boolean =>
  isEntry(entry) && isOn(entry) && entry.mode === 'function';

/** What it is once it is saved: functions make an orchestrator, and nothing else does. */
export function typeOf(metadata: AssistantMetadata): AssistantType {
  const tools = Array.isArray(metadata.tools) ? metadata.tools : [];
  if (TOOL_USING_CONNECTOR.test(metadata.connector ?? '') || tools.some(isFunction)) return 'orchestrator';
  return shapeOf(metadata) === 'classic' || metadata.assistant_type === 'classic' ? 'classic' : 'multi_tool';
}

/** What the rest of the metadata must say for the tools that are there. */
function settled(metadata: AssistantMetadata): AssistantMetadata {
  if (shapeOf(metadata) !== 'canonical') return metadata;
  const type = typeOf(metadata);
  if (type === 'classic') return metadata;
  const usual = Object.values(USUAL_PROCESSORS) as readonly (string | undefined)[];
  const isUsual = metadata.prompt_processor === undefined || usual.includes(metadata.prompt_processor);
  return {
    ...metadata,
    assistant_type: type,
    ...(isUsual ? { prompt_processor: USUAL_PROCESSORS[type] } : {}),
  };
}

/** As it is sent. */
export const sent = (draft: Draft): Draft => ({
  ...draft,
  name: draft.name.trim(),
  // A line that nothing was written in is not a question.
  starters: draft.starters.map((each) => each.trim()).filter((each) => each !== ''),
  metadata: settled(draft.metadata),
});

/** Settings that nobody has touched stay as they are stored, readable or not. */
export function changedIn(draft: Draft, saved: Draft): Partial<Draft> & Pick<Draft, 'name'> {
  const whole = sent(draft);
  const { name, description, system_prompt, prompt_template } = whole;
  return {
    ...{ name, description, system_prompt, prompt_template },
    ...(isSame(faceOf(whole), faceOf(saved)) ? {} : faceOf(whole)),
    ...(isSame(setupOf(draft), setupOf(saved)) ? {} : setupOf(whole)),
  };
}

const setupOf = ({ metadata, RAG_collections, RAG_Top_k }: Draft) => ({
  metadata,
  RAG_collections,
  RAG_Top_k,
});

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export interface Difference {
  readonly field: keyof Draft;
  readonly mine: string;
  readonly theirs: string;
}

/** Where two people went different ways. */
export function differences(mine: Draft, theirs: Draft): readonly Difference[] {
  const fields = Object.keys(mine) as readonly (keyof Draft)[];
  return fields
    .filter((field) => !isSame(mine[field], theirs[field]))
    .map((field) => ({ field, mine: asText(mine[field]), theirs: asText(theirs[field]) }));
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);

/** Whether something that was kept is one: it may have been written by an older page. */
export function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const draft = value as Readonly<Record<string, unknown>>;
  const texts = ['name', 'description', 'system_prompt', 'prompt_template', 'RAG_collections'];
  return (
    texts.every((field) => typeof draft[field] === 'string') &&
    typeof draft.metadata === 'object' &&
    draft.metadata !== null
  );
}
