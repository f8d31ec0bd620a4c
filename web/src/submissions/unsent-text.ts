const PREFIX = 'bellwether.unsent.';

type TextStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A text that is being written: it outlives a reload and another tab of the page, not the browser's tab. */
export interface UnsentText {
  read(): string;
  keep(text: string): void;
}

/**
 * Kept for one launch, so that nobody who comes later to the same browser is shown it. A browser may refuse a frame
 * its storage; then the text is only on the page.
 */
export function createUnsentText(storage: () => TextStore, launch: string): UnsentText {
  const key = `${PREFIX}${launch}`;
  return {
    read() {
      try {
        return storage().getItem(key) ?? '';
      } catch {
        return '';
      }
    },
    keep(text) {
      try {
        if (text === '') storage().removeItem(key);
        else storage().setItem(key, text);
      } catch {
        // No room, or none allowed.
      }
    },
  };
}
