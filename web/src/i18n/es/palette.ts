import type { PaletteWords } from '../en/palette.ts';

export const palette: PaletteWords = {
  title: 'Ir a',
  placeholder: 'Página, asistente, conversación o acción …',
  hint: 'Las flechas eligen, Intro va allí, Esc cierra.',
  nothing: (q) => `No se ha encontrado nada para «${q}».`,
  found: (n) => (n === 1 ? 'Un resultado.' : `${String(n)} resultados.`),
  groups: {
    actions: 'Acciones',
    pages: 'Páginas',
    assistants: 'Asistentes',
    conversations: 'Conversaciones',
  },
  newChat: 'Nuevo chat',
  newAssistant: 'Nuevo asistente',
  theme: (name) => `Tema: ${name}`,
  language: (name) => `Idioma: ${name}`,
  chatWith: (name) => `Chatear con ${name}`,
};
