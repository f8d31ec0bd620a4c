import type { CitedSource, NumberedSource, Source } from '../../src/core/runs/event.js';

const NUMBER = '[1-9]\\d{0,3}';
const ITEM = `${NUMBER}(?:\\s*[-–—]\\s*${NUMBER})?`;
const PATTERNS = [
  // What stands in code means something else there: a block of it, open to the end if nothing closes it,
  '^[ \\t>]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+)?(?<fence>`{3,}(?=[^`\\n]*$)|~{3,})[^\\n]*(?:\\n[^]*?^[ \\t>]*\\k<fence>[`~]*[ \\t]*$|[^]*)',
  // a few words of it within one paragraph,
  '(?<!`)(?<ticks>`{1,9})(?!`)(?:(?!\\n[ \\t]*\\n)[^])*?(?<!`)\\k<ticks>(?!`)',
  // or the element of a list.
  '\\w(?:\\[[^[\\]\\n]{0,40}\\])+',
  `(?<![\\\\!])(?<open>[[【])(?<list>\\s?${ITEM}(?:\\s*[,;]\\s*${ITEM})*\\s?)[\\]】]`,
];
const MARKS = new RegExp(PATTERNS.join('|'), 'gm');

/** Tells the sources that the answer names, as in [1], [1, 3], [1][2], [1–3] or 【1】, from those it does not. */
export function citedIn(answer: string, sources: readonly NumberedSource[]): readonly CitedSource[] {
  if (sources.length === 0) return [];
  const named = new Set<number>();
  for (const { groups } of answer.matchAll(MARKS)) {
    for (const n of numbersIn(groups?.['list'] ?? '')) named.add(n);
  }
  return sources.map((source) => ({ ...source, cited: named.has(source.n) }));
}

/** Where an answer cites sources that have an address, as OpenAI's clients know citations. */
export function annotationsIn(answer: string, sources: readonly CitedSource[]): readonly object[] {
  const linked = new Map(
    sources.flatMap((source) => (source.cited && source.url ? [[source.n, source]] : [])),
  );
  if (linked.size === 0) return [];
  return [...answer.matchAll(MARKS)].flatMap(({ index, 0: mark, groups }) =>
    [...new Set(numbersIn(groups?.['list'] ?? ''))].flatMap((n) => {
      const source = linked.get(n);
      if (!source) return [];
      const place = { start_index: index, end_index: index + mark.length };
      return [{ type: 'url_citation', ...place, url: source.url, title: source.title }];
    }),
  );
}

/** The same text with other numbers in its marks. A mark that names anything else is none, and stays. */
export function renumber(text: string, numbers: ReadonlyMap<number, number>): string {
  if ([...numbers].every(([from, to]) => from === to)) return text;
  return text.replace(MARKS, (match: string, ...rest: unknown[]) => {
    const { open, list } = rest.at(-1) as { readonly open?: string; readonly list?: string };
    if (list === undefined) return match;
    const renumbered = new Set([...numbersIn(list)].map((n) => numbers.get(n)));
    if (renumbered.has(undefined)) return match;
    const others = [...renumbered].join(', ');
    return open === '【' ? `【${others}】` : `[${others}]`;
  });
}

/** Longer ranges than this name no sources. */
const LONGEST_RANGE = 200;

function* numbersIn(list: string): Generator<number> {
  for (const item of list.split(/[,;]/).filter((each) => each.trim() !== '')) {
    const [from = 0, to = from] = item.split(/[-–—]/).map(Number);
    for (let n = from; n <= Math.min(to, from + LONGEST_RANGE); n++) yield n;
  }
}

const keyOf = ({ title, url }: Source) => JSON.stringify([title, url]);

/** The sources of one run, each once, numbered in the order they were found. */
export interface SourceList {
  add(sources: readonly Source[]): void;
  /** The number it has, or gets now. */
  numberOf(source: Source): number;
  list(): readonly NumberedSource[];
}

export function createSourceList(known: readonly NumberedSource[] = []): SourceList {
  const found = new Map<string, NumberedSource>(known.map((source) => [keyOf(source), source]));
  const numberOf = (source: Source): number => {
    const key = keyOf(source);
    const there = found.get(key);
    if (there) return there.n;
    const n = found.size + 1;
    found.set(key, { ...source, n });
    return n;
  };
  return {
    add(sources) {
      for (const source of sources) numberOf(source);
    },
    numberOf,
    list: () => [...found.values()],
  };
}
