import { counted } from './common.ts';

/** The parts of the form, and what is in those that are folded. */
export const partWords = {
  parts: {
    label: 'Parts d’aquesta pàgina',
    form: 'Formulari',
    nothingYet: 'Encara res',
    asUsual: 'Com de costum',
    starters: (n: number) => counted(n, 'pregunta inicial', 'preguntes inicials'),
    tags: (n: number) => counted(n, 'etiqueta', 'etiquetes'),
  },
};
