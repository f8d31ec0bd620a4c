import type { GateWords } from '../../en/tests/gate.ts';

export const gate: GateWords = {
  lead: 'Honek ez ditu bere probak gainditu, eta ezin da oraindik ikasleengana iritsi.',
  noTests: 'Ez du gainditu beharreko probarik. Idatzi bat eta exekutatu lehenik.',
  toTests: 'Joan probetara',
  title: 'Utzi pasatzen hala ere',
  reason: 'Arrazoia',
  hint: 'Administratzaileek bakarrik egin dezakete. Arrazoia zure izenarekin gordetzen da.',
  submit: 'Utzi pasatzen',
  faults: {
    not_run: (name) => `«${name}» ez da bertsio honekin exekutatu.`,
    changed: (name) => `«${name}» aldatu egin da exekutatu zenetik.`,
    failed: (name) => `«${name}» ez da gainditu.`,
    undecided: (name) => `«${name}» ezin izan da erabaki.`,
  },
};
