import type { PaletteWords } from '../en/palette.ts';

export const palette: PaletteWords = {
  title: 'Joan hona',
  placeholder: 'Orria, laguntzailea, elkarrizketa edo ekintza …',
  hint: 'Geziek aukeratzen dute, Sartu teklak hara eramaten du, Esc teklak ixten du.',
  nothing: (q) => `Ez da ezer aurkitu «${q}» bilaketarako.`,
  found: (n) => (n === 1 ? 'Emaitza bat.' : `${String(n)} emaitza.`),
  groups: {
    actions: 'Ekintzak',
    pages: 'Orriak',
    assistants: 'Laguntzaileak',
    conversations: 'Elkarrizketak',
  },
  newChat: 'Txat berria',
  newAssistant: 'Laguntzaile berria',
  theme: (name) => `Itxura: ${name}`,
  language: (name) => `Hizkuntza: ${name}`,
  chatWith: (name) => `Txateatu honekin: ${name}`,
};
