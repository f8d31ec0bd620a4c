import type { PaletteWords } from '../en/palette.ts';

export const palette: PaletteWords = {
  title: 'Ves a',
  placeholder: 'Pàgina, assistent, conversa o acció …',
  hint: 'Les fletxes trien, Retorn hi va, Esc tanca.',
  nothing: (q) => `No s’ha trobat res per a «${q}».`,
  found: (n) => (n === 1 ? 'Un resultat.' : `${String(n)} resultats.`),
  groups: { actions: 'Accions', pages: 'Pàgines', assistants: 'Assistents', conversations: 'Converses' },
  newChat: 'Xat nou',
  newAssistant: 'Assistent nou',
  theme: (name) => `Tema: ${name}`,
  language: (name) => `Llengua: ${name}`,
  chatWith: (name) => `Xateja amb ${name}`,
};
