import { counted } from './common.ts';

/** The parts of the form, and what is in those that are folded. */
export const partWords = {
  parts: {
    label: 'Partes de esta página',
    form: 'Formulario',
    nothingYet: 'Nada todavía',
    asUsual: 'Lo habitual',
    starters: (n: number) => counted(n, 'pregunta inicial', 'preguntas iniciales'),
    tags: (n: number) => counted(n, 'etiqueta', 'etiquetas'),
  },
};
