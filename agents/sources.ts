import type { NumberedSource, Source } from '../src/core/event.js';

/** The sources of one run, each once, numbered in the order they were found. */
export interface SourceList {
  add(sources: readonly Source[]): void;
  list(): readonly NumberedSource[];
}

export function createSourceList(): SourceList {
  const found = new Map<string, NumberedSource>();
  return {
    add(sources) {
      for (const source of sources) {
        const key = JSON.stringify([source.title, source.url]);
        if (!found.has(key)) found.set(key, { ...source, n: found.size + 1 });
      }
    },
    list: () =>
      [...found.values()].map(({ n, title, url, similarity }) => ({
        n,
        title,
        ...(url === undefined ? {} : { url }),
        ...(similarity === undefined ? {} : { similarity }),
      })),
  };
}
