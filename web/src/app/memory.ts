/** Where a page keeps how somebody likes it. */
export interface Memory {
  read(name: string): string | undefined;
  /** Undefined forgets it. */
  keep(name: string, text: string | undefined): void;
}

/** Outlives the page, where the browser lets it. */
export const browserMemory: Memory = {
  read(name) {
    try {
      return localStorage.getItem(name) ?? undefined;
    } catch {
      return undefined;
    }
  },
  keep(name, text) {
    try {
      if (text === undefined) localStorage.removeItem(name);
      else localStorage.setItem(name, text);
    } catch {
      // Storage is closed to us, or full: it holds as long as the page does.
    }
  },
};

/** Goes with the page: whoever comes next in this browser finds nothing. */
export const noMemory: Memory = { read: () => undefined, keep: () => undefined };
