import type { ToolEntry } from '../assistants/assistants-api.ts';
import { isOn } from './draft.ts';
import type { Tools } from './tool-entries.ts';

export const USER_INPUT = 'user_input';
/** Who is chatting, by their id in Moodle: any template may say it. */
const MOODLE_USER = 'moodle_user';
const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/g;
/** Placeholders that prompt processors fill themselves. */
const OF_PROCESSORS: Readonly<Record<string, readonly string[]>> = { moodle_augment: [MOODLE_USER] };

/** A name that the template may use, and who fills it. */
export interface Provided {
  readonly name: string;
  readonly by: string;
  /** The tools behind it, for pages that call them by other names. */
  readonly tools?: readonly Pick<ToolEntry, 'type' | 'name'>[];
}

export const namesIn = (template: string): readonly string[] => [
  ...new Set([...template.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '')),
];

/** What enabled tools fill, each name once, in their order. */
export function providedBy(entries: readonly ToolEntry[], tools: Tools): readonly Provided[] {
  const all = entries
    .filter((entry) => isOn(entry) && entry.mode === 'placeholder')
    .flatMap((entry) => {
      const tool = tools.get(entry.type);
      const name = entry.placeholder ?? tool?.placeholder;
      return name ? [{ name, by: entry.name ?? tool?.display_name ?? entry.type, entry }] : [];
    });
  const names = [...new Set(all.map(({ name }) => name))];
  return names.map((name) => ({
    name,
    by: [...new Set(all.filter((each) => each.name === name).map(({ by }) => by))].join(', '),
    tools: all.filter((each) => each.name === name).map(({ entry }) => entry),
  }));
}

export const ofProcessor = (processor: string | undefined): readonly Provided[] =>
  processor !== undefined && Object.hasOwn(OF_PROCESSORS, processor)
    ? (OF_PROCESSORS[processor] ?? []).map((name) => ({ name, by: processor }))
    : [];

export type TemplateFault =
  /** Some tool would fill it, but none does; nobody knows it; what is brought goes nowhere; no place for the question. */
  | { readonly kind: 'unfilled' | 'unknown' | 'unused'; readonly name: string; readonly by?: string }
  | { readonly kind: 'noQuestion' };

export function faultsOfTemplate(
  template: string,
  provided: readonly Provided[],
  tools: Tools,
): readonly TemplateFault[] {
  const named = namesIn(template);
  const filled = new Set([USER_INPUT, MOODLE_USER, ...provided.map(({ name }) => name)]);
  const known = new Set([...tools.values()].map(({ placeholder }) => placeholder));
  return [
    ...named
      .filter((name) => !filled.has(name))
      .map((name) => ({ kind: known.has(name) ? ('unfilled' as const) : ('unknown' as const), name })),
    ...provided
      .filter(({ name }) => !named.includes(name))
      .map(({ name, by }) => ({ kind: 'unused' as const, name, by })),
    ...(template.trim() === '' || named.includes(USER_INPUT) ? [] : [{ kind: 'noQuestion' as const }]),
  ];
}

/** The template that says no more than it must. */
const plainTemplate = (names: readonly string[]): string =>
  [...names, USER_INPUT].map((name) => `{${name}}`).join('\n\n');

/** A template that nobody has written yet follows the tools; anything else is its author's. */
export function followed(template: string, before: readonly Provided[], after: readonly Provided[]): string {
  const names = (all: readonly Provided[]) => all.map(({ name }) => name);
  return template.trim() === plainTemplate(names(before)) ? plainTemplate(names(after)) : template;
}

/** The text with something put in the place of what is selected, and where the caret is then. */
export function inserted(
  text: string,
  piece: string,
  { start, end }: { readonly start: number; readonly end: number },
): { readonly text: string; readonly caret: number } {
  return { text: text.slice(0, start) + piece + text.slice(end), caret: start + piece.length };
}
