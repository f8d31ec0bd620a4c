import type { GateWords } from '../../en/tests/gate.ts';

export const gate: GateWords = {
  lead: 'Esto no ha superado sus pruebas, así que aún no puede llegar al alumnado.',
  noTests: 'No tiene ninguna prueba que deba superarse. Escribe una y ejecútala primero.',
  toTests: 'Ir a las pruebas',
  title: 'Dejarlo pasar de todos modos',
  reason: 'Motivo',
  hint: 'Solo pueden los administradores. El motivo se guarda con tu nombre.',
  submit: 'Dejarlo pasar',
  faults: {
    not_run: (name) => `«${name}» no se ha ejecutado con esta versión.`,
    changed: (name) => `«${name}» ha cambiado desde que se ejecutó.`,
    failed: (name) => `«${name}» no se ha superado.`,
    undecided: (name) => `«${name}» no se ha podido decidir.`,
  },
};
