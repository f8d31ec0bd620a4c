import type { files as english } from '../en/files.ts';
import { counted } from './common.ts';

export const files: typeof english = {
  title: 'Fitxategiak',
  lead: 'Zure fitxategi pribatuak. Zuk eta zuk aukeratutako laguntzaileek bakarrik irakur ditzakezue.',
  formats:
    'Laguntzaileek testua, Markdown, CSV eta antzekoak irakurtzen dituzte; besteak dauden bezala gordetzen dira',
  path: 'Karpetak',
  root: 'Fitxategi guztiak',
  search: 'Bilatu fitxategiak',
  columns: { name: 'Izena', size: 'Tamaina', changed: 'Aldatua', actions: 'Ekintzak' },
  inside: (n) => counted(n, 'fitxategi'),
  download: 'Deskargatu',
  downloadOf: (name) => `Deskargatu ${name}`,
  deleteOf: (name) => `Ezabatu ${name}`,
  deleted: (name) => `«${name}» ezabatu da.`,
  kept: (name) => `«${name}» gorde da.`,
  arrived: (name) => `«${name}» igo da.`,
  newFolder: 'Karpeta berria',
  folderName: 'Karpetaren izena',
  folderHint: 'Fitxategi bat duenean gordeko da.',
  folderWrong: 'Idatzi «/» eta «\\» gabeko izen bat.',
  open: 'Ireki',
  replaceTitle: (n) =>
    n === 1 ? 'Fitxategi hau ordeztu nahi duzu?' : `${String(n)} fitxategi ordeztu nahi dituzu?`,
  replaceText: 'Badago izen hau duen fitxategi bat hemen. Bere edukia galduko da:',
  replace: 'Ordeztu',
  emptyTitle: 'Oraindik ez dago fitxategirik',
  empty:
    'Jaregin hemen laguntzaile batek buruz jakin behar duen fitxategi bat, hala nola programa edo arauak.',
  emptyFolder: 'Karpeta hau hutsik dago. Fitxategi bat duenean gordeko da.',
  nothingFound: (q) => `Hemen ez dago «${q}» bilaketarekin bat datorren fitxategirik.`,
};
