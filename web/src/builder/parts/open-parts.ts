import type { PreferenceStorage } from '../../app/preferences.svelte.ts';

/** Which parts of the form somebody has unfolded. Each person has their own. */
export interface OpenParts {
  isOpen(part: string): boolean;
  keep(part: string, isOpen: boolean): void;
}

export function createOpenParts(storage: PreferenceStorage, userId: number | undefined): OpenParts {
  const key = `bellwether.parts.${String(userId)}`;
  const read = () => (storage.read(key) ?? '').split(' ').filter((part) => part !== '');
  return {
    isOpen: (part) => read().includes(part),
    keep(part, isOpen) {
      const others = read().filter((each) => each !== part);
      const parts = isOpen ? [...others, part] : others;
      storage.keep(key, parts.length === 0 ? undefined : parts.join(' '));
    },
  };
}
