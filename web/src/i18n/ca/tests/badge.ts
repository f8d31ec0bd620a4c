import type { BadgeWords } from '../../en/tests/badge.ts';

export const badge: BadgeWords = {
  passed: (version, day) => `Proves superades: versió ${String(version)}, ${day}`,
  failed: (version, day) => `Proves no superades: versió ${String(version)}, ${day}`,
  untested: 'Darrera versió encara sense provar',
};
