/** Where a user's preferences (theme, language) are kept. */
export interface PreferenceStorage {
  read(name: string): string | undefined;
  /** Undefined forgets it. */
  keep(name: string, text: string | undefined): void;
}

/** In localStorage, where the browser lets it. */
export const localPreferences: PreferenceStorage = {
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

/** Keeps nothing once the page is closed: the next user of a shared browser finds no preference. */
export const noPreferences: PreferenceStorage = { read: () => undefined, keep: () => undefined };

export const THEMES = ['system', 'light', 'dark'] as const;
export type ThemeName = (typeof THEMES)[number];

/** Also read by public/theme.js, before anything is painted. */
const STORED = 'bellwether.theme';

export interface Theme {
  readonly name: ThemeName;
  choose(name: ThemeName): void;
}

export function createTheme(storage: PreferenceStorage): Theme {
  let name = $state<ThemeName>(THEMES.find((each) => each === storage.read(STORED)) ?? 'system');
  return {
    get name() {
      return name;
    },
    choose(chosen) {
      name = chosen;
      const root = document.documentElement;
      storage.keep(STORED, chosen === 'system' ? undefined : chosen);
      if (chosen === 'system') delete root.dataset.theme;
      else root.dataset.theme = chosen;
    },
  };
}
