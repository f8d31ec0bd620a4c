import type { files as english } from '../en/files.ts';
import { counted } from './common.ts';

export const files: typeof english = {
  title: 'Fitxers',
  lead: 'Els teus fitxers privats. Només els podeu llegir tu i els assistents als quals els donis.',
  formats: 'Els assistents llegeixen text, Markdown, CSV i similars; els altres fitxers es desen tal com són',
  path: 'Carpetes',
  root: 'Tots els fitxers',
  search: 'Cerca fitxers',
  columns: { name: 'Nom', size: 'Mida', changed: 'Modificat', actions: 'Accions' },
  inside: (n) => counted(n, 'fitxer', 'fitxers'),
  download: 'Baixa',
  downloadOf: (name) => `Baixa ${name}`,
  deleteOf: (name) => `Elimina ${name}`,
  deleted: (name) => `S’ha eliminat «${name}».`,
  kept: (name) => `S’ha conservat «${name}».`,
  arrived: (name) => `S’ha pujat «${name}».`,
  newFolder: 'Carpeta nova',
  folderName: 'Nom de la carpeta',
  folderHint: 'Es conserva tan bon punt conté un fitxer.',
  folderWrong: 'Escriu un nom sense «/» ni «\\».',
  open: 'Obre',
  replaceTitle: (n) => (n === 1 ? 'Vols reemplaçar aquest fitxer?' : `Vols reemplaçar ${String(n)} fitxers?`),
  replaceText: 'Aquí ja hi ha un fitxer amb aquest nom. Se’n perdrà el contingut:',
  replace: 'Reemplaça',
  emptyTitle: 'Encara no hi ha fitxers',
  empty:
    'Deixa anar aquí un fitxer que un assistent hagi de saber de memòria, com un programa o unes normes.',
  emptyFolder: 'Aquesta carpeta és buida. Es conserva tan bon punt conté un fitxer.',
  nothingFound: (q) => `Cap fitxer d’aquí coincideix amb «${q}».`,
};
