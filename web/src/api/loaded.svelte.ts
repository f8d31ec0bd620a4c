import { isAborted } from './fault.ts';

/** Something a page shows once it has come: here, not here yet, or not to be had. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly fault: unknown;
  load(): Promise<void>;
  /** What somebody has just changed it to. */
  put(value: Value): void;
}

export function createLoaded<Value>(read: () => Promise<Value>): Loaded<Value> {
  let value = $state.raw<Value>();
  let fault = $state.raw<unknown>();
  let latest = 0;

  return {
    get value() {
      return value;
    },
    get fault() {
      return fault;
    },
    async load() {
      const turn = ++latest;
      try {
        const got = await read();
        if (turn !== latest) return;
        value = got;
        fault = undefined;
      } catch (thrown) {
        if (turn === latest && !isAborted(thrown)) fault = thrown;
      }
    },
    put(changed) {
      latest += 1;
      value = changed;
    },
  };
}
