import { deepFreeze } from '../../src/core/base/memo.js';
import type { Changes, CountedTable, Generations } from './table-versions.js';

/** More than this many are forgotten again, the oldest first. */
const MOST_KEPT = 5_000;

type Key = string | number;

export type Remember = <K extends Key, Value>(
  tables: readonly CountedTable[],
  load: (key: K) => Promise<Value | undefined>,
) => (key: K) => Promise<Value | undefined>;

/**
 * Answers of the database, kept as long as none of the tables they come from has changed, which is looked up at every
 * question. What is not there is not kept: it may be there the next moment.
 */
export function createRemember(changes: Changes): Remember {
  return (tables, load) => {
    type K = Parameters<typeof load>[0];
    const kept = new Map<K, ReturnType<typeof load>>();
    let seen: Generations | undefined;

    function answer(now: Generations, key: K): ReturnType<typeof load> {
      if (now !== seen) {
        if (tables.some((table) => now[table] !== seen?.[table])) kept.clear();
        seen = now;
      }
      return kept.get(key) ?? fetch(key);
    }

    function fetch(key: K): ReturnType<typeof load> {
      const loading = load(key);
      kept.set(key, loading);
      const forget = () => {
        if (kept.get(key) === loading) kept.delete(key);
      };
      loading.then((value) => {
        if (value === undefined) forget();
        else deepFreeze(value);
      }, forget);
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value as K);
      return loading;
    }

    return (key) => {
      const now = changes.now();
      return now instanceof Promise ? now.then((then) => answer(then, key)) : answer(now, key);
    };
  };
}
