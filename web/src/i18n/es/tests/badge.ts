import type { BadgeWords } from '../../en/tests/badge.ts';

export const badge: BadgeWords = {
  passed: (version, day) => `Pruebas superadas: versión ${String(version)}, ${day}`,
  failed: (version, day) => `Pruebas no superadas: versión ${String(version)}, ${day}`,
  untested: 'Última versión aún sin probar',
};
