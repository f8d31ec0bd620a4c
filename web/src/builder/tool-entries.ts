import type { AssistantType, ToolEntry, ToolMode } from '../assistants/assistants-api.ts';
import type { ToolFacts } from './builder-api.ts';
import { isEntry, isOn } from './draft.ts';
import { faultsIn, type ValueFault } from './schema-form/check-value.ts';

export const ON_ERROR = ['omit', 'notice', 'fail'] as const;
export const APPROVALS = ['never', 'ask', 'always-allowed'] as const;
const PLACEHOLDER = /^[a-z][a-z0-9_]{0,63}$/;

export type Tools = ReadonlyMap<string, ToolFacts>;

export const toolsByName = (tools: readonly ToolFacts[]): Tools =>
  new Map(tools.map((tool) => [tool.name, tool]));

/** As it is added: what the kind of assistant is about, as far as the tool can do that. */
export function newEntry(tool: ToolFacts, type: AssistantType): ToolEntry {
  const wanted: ToolMode = type === 'orchestrator' ? 'function' : 'placeholder';
  const mode = tool.modes.includes(wanted) ? wanted : (tool.modes[0] ?? 'function');
  return {
    type: tool.name,
    enabled: true,
    mode,
    ...(mode === 'placeholder' && tool.placeholder !== null ? { placeholder: tool.placeholder } : {}),
    config: {},
  };
}

export function inMode(entry: ToolEntry, mode: ToolMode, tool: ToolFacts | undefined): ToolEntry {
  const placeholder = entry.placeholder ?? tool?.placeholder ?? undefined;
  return { ...entry, mode, ...(mode === 'placeholder' && placeholder !== undefined ? { placeholder } : {}) };
}

/** Whether there is a place for one (more) of it. */
export const isFull = (tool: ToolFacts, entries: readonly unknown[]): boolean =>
  !tool.repeatable && entries.some((entry) => isEntry(entry) && entry.type === tool.name);

const has = (entries: readonly unknown[], type: string): boolean =>
  entries.some((entry) => isEntry(entry) && entry.type === type);

/** What an entry's tool is of little use without, and is not there. */
export const lackingFor = (
  tool: ToolFacts | undefined,
  entries: readonly unknown[],
  tools: Tools,
): readonly ToolFacts[] =>
  (tool?.needs ?? []).filter((name) => !has(entries, name)).flatMap((name) => tools.get(name) ?? []);

/** What most come for first; whatever else there is after it. */
export const CATEGORIES = [
  ...['rag', 'assessment', 'assistant', 'information', 'moodle', 'files', 'media', 'custom'],
] as const satisfies readonly string[];

const byCategory = (tools: readonly ToolFacts[]): readonly ToolFacts[] => {
  const placeOf = ({ category }: ToolFacts) =>
    ((CATEGORIES as readonly string[]).indexOf(category) + CATEGORIES.length) % CATEGORIES.length;
  return tools.toSorted((a, b) => placeOf(a) - placeOf(b));
};

/** Tools that go well together, each pair once, as long as neither is there. */
export function pairsFor(tools: Tools, entries: readonly unknown[]): readonly (readonly ToolFacts[])[] {
  const pairs = byCategory([...tools.values()]).flatMap((tool) =>
    [...tool.needs, ...tool.recommended_with].flatMap((name) => {
      const other = tools.get(name);
      return other ? [[tool, other].sort((a, b) => a.name.localeCompare(b.name))] : [];
    }),
  );
  const once = new Map(pairs.map((pair) => [pair.map(({ name }) => name).join(' '), pair]));
  return [...once.values()].filter((pair) => pair.every(({ name }) => !has(entries, name)));
}

export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length) return items;
  return items.toSpliced(from, 1).toSpliced(to, 0, item);
}

/** The entry without what was left empty: an empty label is no label. */
export function withText(
  entry: ToolEntry,
  key: 'name' | 'description' | 'placeholder',
  text: string,
): ToolEntry {
  if (text !== '') return { ...entry, [key]: text };
  return Object.fromEntries(Object.entries(entry).filter(([each]) => each !== key)) as unknown as ToolEntry;
}

export interface EntryFault extends Omit<ValueFault, 'code'> {
  readonly code: ValueFault['code'] | 'placeholder' | 'approval';
}

/** What can be told of an entry without asking; of one that is switched off, nothing. */
export function faultsOfEntry(entry: ToolEntry, tool: ToolFacts | undefined): readonly EntryFault[] {
  if (!isOn(entry) || !tool) return [];
  const own = entry.placeholder ?? tool.placeholder ?? '';
  const isNamed = PLACEHOLDER.test(own) && own !== 'user_input';
  return [
    ...(entry.mode === 'placeholder' && !isNamed
      ? [{ path: 'placeholder', code: 'placeholder' as const }]
      : []),
    ...(tool.danger !== 'read' && !APPROVALS.some((each) => each === entry.approval)
      ? [{ path: 'approval', code: 'approval' as const }]
      : []),
    ...faultsIn(tool.config_schema, entry.config ?? {}, 'config'),
  ];
}
