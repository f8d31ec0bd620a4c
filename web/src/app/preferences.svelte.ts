import type { Memory } from './memory.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type ThemeName = (typeof THEMES)[number];

/** Also read by public/theme.js, before anything is painted. */
const STORED = 'bellwether.theme';

export interface Theme {
  readonly name: ThemeName;
  choose(name: ThemeName): void;
}

export function createTheme(memory: Memory): Theme {
  let name = $state<ThemeName>(THEMES.find((each) => each === memory.read(STORED)) ?? 'system');
  return {
    get name() {
      return name;
    },
    choose(chosen) {
      name = chosen;
      const root = document.documentElement;
      memory.keep(STORED, chosen === 'system' ? undefined : chosen);
      if (chosen === 'system') delete root.dataset.theme;
      else root.dataset.theme = chosen;
    },
  };
}
