import type { GateWords } from '../../en/tests/gate.ts';

export const gate: GateWords = {
  lead: 'Això no ha superat les seves proves, de manera que encara no pot arribar a l’alumnat.',
  noTests: 'No té cap prova que s’hagi de superar. Escriu-ne una i executa-la primer.',
  toTests: 'Ves a les proves',
  title: 'Deixa-ho passar igualment',
  reason: 'Motiu',
  hint: 'Només poden els administradors. El motiu es desa amb el teu nom.',
  submit: 'Deixa-ho passar',
  faults: {
    not_run: (name) => `«${name}» no s’ha executat amb aquesta versió.`,
    changed: (name) => `«${name}» ha canviat des que es va executar.`,
    failed: (name) => `«${name}» no s’ha superat.`,
    undecided: (name) => `«${name}» no s’ha pogut decidir.`,
  },
};
