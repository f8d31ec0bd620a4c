import type { BadgeWords } from '../../en/tests/badge.ts';

export const badge: BadgeWords = {
  passed: (version, day) => `Probak gaindituta: ${String(version)}. bertsioa, ${day}`,
  failed: (version, day) => `Probak gainditu gabe: ${String(version)}. bertsioa, ${day}`,
  untested: 'Bertsio berriena oraindik probatu gabe',
};
