import type { NumberedSource, Source } from '../../src/core/runs/event.js';

/** The sources of one run, each once, numbered in the order they were found. */
export interface SourceList {
  add(sources: readonly Source[]): void;
  /** The number it has, or gets now. */
  numberOf(source: Source): number;
  list(): readonly NumberedSource[];
}

export function createSourceList(): SourceList {
  const found = new Map<string, NumberedSource>();
  const numberOf = (source: Source): number => {
    const key = JSON.stringify([source.title, source.url]);
    const known = found.get(key);
    if (known) return known.n;
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
