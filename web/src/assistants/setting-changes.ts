import type { VersionDiff } from '../../../src/http/contract/assistants.ts';
import { diffLists } from './text-diff.ts';

/** One step on the way to a setting: a field of the record, a key of its metadata, a place in a list, or a tool. */
export type Step =
  | { readonly field: string }
  | { readonly key: string }
  | { readonly place: number }
  | { readonly tool: { readonly type: string; readonly name?: string } };

export interface SettingChange {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  readonly path: readonly Step[];
  readonly from?: unknown;
  readonly to?: unknown;
}

type Metadata = Readonly<Record<string, unknown>> | null;
type Entry = Readonly<Record<string, unknown>> & { readonly type: string };

const STEP = /\.([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gu;

/** The steps of a JSON path such as `$.capabilities["odd key"][0]`. */
export function stepsOf(path: string): readonly Step[] {
  return [...path.matchAll(STEP)].map(([, plain, place, quoted]) => {
    if (place !== undefined) return { place: Number(place) };
    return { key: plain ?? (JSON.parse(quoted ?? '""') as string) };
  });
}

/** What changed in the metadata. Tools are followed when they change places: a list of places would tell nobody what happened. */
export function settingChanges(
  { metadata }: Pick<VersionDiff, 'metadata'>,
  versions: { readonly before: Metadata; readonly after: Metadata },
): readonly SettingChange[] {
  const [before, after] = [toolsIn(versions.before), toolsIn(versions.after)];
  const all: SettingChange[] = [
    ...metadata.changed.map(({ path, from, to }) => ({
      ...{ kind: 'changed' as const, path: stepsOf(path), from, to },
    })),
    ...metadata.added.map(({ path, value }) => ({ kind: 'added' as const, path: stepsOf(path), to: value })),
    ...metadata.removed.map(({ path, value }) => ({
      ...{ kind: 'removed' as const, path: stepsOf(path), from: value },
    })),
  ];
  const meant = all.filter(({ path: [first] }) => !isVersion(first));
  const rest = meant.filter(({ path: [first] }) => !isTools(first)).flatMap(eachOf);
  if (!before || !after) return [...rest, ...meant.filter(({ path: [first] }) => isTools(first))];
  return [...rest, ...toolChanges(before, after)];
}

/** The same of two drafts, without anybody having compared them. */
export function metadataChanges(before: Metadata, after: Metadata): readonly SettingChange[] {
  const [from, to] = [toolsIn(before), toolsIn(after)];
  const rest = (metadata: Metadata) =>
    Object.fromEntries(
      Object.entries(metadata ?? {}).filter(([key]) => key !== VERSION && !(from && to && key === 'tools')),
    );
  return [
    ...differences(rest(before), rest(after), []).flatMap(eachOf),
    ...(from && to ? toolChanges(from, to) : []),
  ];
}

/** Settings that came or went together, one by one: each has words, and all of them at once have none. */
function eachOf(change: SettingChange): readonly SettingChange[] {
  const { kind, path, from, to } = change;
  const inside = kind === 'added' ? to : kind === 'removed' ? from : undefined;
  if (!isRecord(inside) || Object.keys(inside).length === 0) return [change];
  return Object.entries(inside).flatMap(([key, value]) =>
    eachOf({ kind, path: [...path, { key }], ...(kind === 'added' ? { to: value } : { from: value }) }),
  );
}

/** How it is stored says nothing about what it does. */
const VERSION = '_format_version';
const isVersion = (step: Step | undefined): boolean =>
  step !== undefined && 'key' in step && step.key === VERSION;

const isTools = (step: Step | undefined): boolean =>
  step !== undefined && 'key' in step && step.key === 'tools';

/** Undefined when they are not a list of tools as this knows them. No list is an empty one. */
function toolsIn(metadata: Metadata): readonly Entry[] | undefined {
  const tools = metadata?.tools ?? [];
  return metadata && Array.isArray(tools) && tools.every(isEntry) ? tools : undefined;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEntry = (value: unknown): value is Entry => isRecord(value) && typeof value.type === 'string';

const nameOf = ({ name }: Entry): string | undefined =>
  typeof name === 'string' && name !== '' ? name : undefined;
/** Nothing where nothing is set. */
const configOf = ({ config }: Entry): unknown =>
  isRecord(config) && Object.keys(config).length === 0 ? undefined : config;
const keyOf = (tool: Entry): string => JSON.stringify([tool.type, nameOf(tool)]);

function toolChanges(from: readonly Entry[], to: readonly Entry[]): readonly SettingChange[] {
  const { pairs, removed, added } = paired(from, to);
  return [
    ...pairs.flatMap(({ before, after, isMoved }) => [
      ...(isMoved ? [{ kind: 'moved' as const, path: [stepTo(after)] }] : []),
      ...differences(before, after, [stepTo(before)]),
    ]),
    ...added.map((tool) => ({ kind: 'added' as const, path: [stepTo(tool)], to: configOf(tool) })),
    ...removed.map((tool) => ({ kind: 'removed' as const, path: [stepTo(tool)], from: configOf(tool) })),
  ];
}

function stepTo(tool: Entry): Step {
  const name = nameOf(tool);
  return { tool: { type: tool.type, ...(name === undefined ? {} : { name }) } };
}

interface Pair {
  readonly before: Entry;
  readonly after: Entry;
  readonly isMoved: boolean;
}

/** Each tool beside what it was: in its place, else elsewhere by its name, else any of its type. */
function paired(from: readonly Entry[], to: readonly Entry[]) {
  const [old, fresh] = [[...from], [...to]];
  const pairs: Pair[] = [];
  const removed: Entry[] = [];
  const added: Entry[] = [];
  for (const { kind } of diffLists(from.map(keyOf), to.map(keyOf))) {
    const before = kind === 'added' ? undefined : old.shift();
    const after = kind === 'removed' ? undefined : fresh.shift();
    if (before && after) pairs.push({ before, after, isMoved: false });
    else if (before) removed.push(before);
    else if (after) added.push(after);
  }
  const match = (isLike: (a: Entry, b: Entry) => boolean, isMoved: boolean) => {
    for (const after of [...added]) {
      const at = removed.findIndex((before) => isLike(before, after));
      const [before] = at < 0 ? [] : removed.splice(at, 1);
      if (!before) continue;
      added.splice(added.indexOf(after), 1);
      pairs.push({ before, after, isMoved });
    }
  };
  match((a, b) => keyOf(a) === keyOf(b), true);
  match((a, b) => a.type === b.type, false);
  return { pairs, removed, added };
}

function differences(from: unknown, to: unknown, path: readonly Step[]): readonly SettingChange[] {
  if (isRecord(from) && isRecord(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return keys.flatMap((key) => differences(own(from, key), own(to, key), [...path, { key }]));
  }
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  if (from === undefined) return [{ kind: 'added', path, to }];
  if (to === undefined) return [{ kind: 'removed', path, from }];
  return [{ kind: 'changed', path, from, to }];
}

const own = (record: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key] : undefined;
