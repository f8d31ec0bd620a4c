export const THEMES = ['system', 'light', 'dark'] as const;
export type ThemeName = (typeof THEMES)[number];

/** Also read by public/theme.js, before anything is painted. */
const STORED = 'bellwether.theme';

export interface Theme {
  readonly name: ThemeName;
  choose(name: ThemeName): void;
}

export function createTheme(): Theme {
  let name = $state<ThemeName>(THEMES.find((each) => each === localStorage.getItem(STORED)) ?? 'system');
  return {
    get name() {
      return name;
    },
    choose(chosen) {
      name = chosen;
      const root = document.documentElement;
      if (chosen === 'system') {
        localStorage.removeItem(STORED);
        delete root.dataset.theme;
      } else {
        localStorage.setItem(STORED, chosen);
        root.dataset.theme = chosen;
      }
    },
  };
}
