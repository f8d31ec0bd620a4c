import type { faceWords as english } from '../en/builder-face.ts';
import { counted } from './common.ts';

export const faceWords: typeof english = {
  face: {
    title: 'Nola agertzen den',
    lead: 'Hitzik esan aurretik hartaz ikusten dena.',
    avatar: 'Avatarra',
    emoji: 'Aukeratu emoji bat',
    other: 'Beste emoji bat',
    otherHint: 'Idatzi edo itsatsi bat.',
    notAnEmoji: 'Hau ez da emoji bat. Aukeratu goiko bat, edo itsatsi bat.',
    color: 'Atzeko kolorea',
    colors: {
      gray: 'Grisa',
      red: 'Gorria',
      orange: 'Laranja',
      yellow: 'Horia',
      green: 'Berdea',
      teal: 'Berde urdinxka',
      blue: 'Urdina',
      purple: 'Morea',
      pink: 'Arrosa',
    },
    upload: 'Igo irudi bat',
    replace: 'Igo beste irudi bat',
    none: 'Avatarrik gabe',
    pictureHint: 'PNG, JPEG edo WebP. Bere kabuz txikitzen da behar den neurrira.',
    uploaded: (name: string) => `${name} igo da. Besteek gordetzen duzunean ikusiko dute.`,
    notAPicture: (name: string) =>
      `${name} ez da erabil daitekeen irudi bat. Hartu PNG, JPEG edo WebP fitxategi bat.`,
    tooLarge: (name: string) => `${name} 256 KB baino handiagoa da, txikituta ere. Hartu irudi soilago bat.`,
    greeting: 'Agurra',
    greetingHint: (left: number) =>
      `Lehen galderaren aurretik esaten da. Markdown erabil daiteke. Geratzen dira: ${counted(left, 'karaktere')}.`,
    greetingExample: 'Kaixo! Zelulei buruz dena dakit. Zer jakin nahi duzu?',
    starters: 'Hasierako galderak',
    startersHint:
      'Klik batekin egin daitezkeen sei galdera, gehienez. Alt eta gezi-teklek gora edo behera eramaten dute bat.',
    starter: (n: number) => `${String(n)}. galdera`,
    add: 'Gehitu galdera bat',
    draft: 'Proposatu galderak AArekin',
    drafted: (n: number) => `Proposatuta: ${counted(n, 'galdera')}. Irakurri gorde aurretik.`,
    up: (n: number) => `Igo ${String(n)}. galdera`,
    down: (n: number) => `Jaitsi ${String(n)}. galdera`,
    remove: (n: number) => `Kendu ${String(n)}. galdera`,
    removed: (n: number) => `${String(n)}. galdera kendu da.`,
    movedTo: (place: number, of: number) => `Orain ${String(place)}. da, ${String(of)}tik.`,
    followUps: 'Iradoki zer galdetu ondoren',
    followUpsHint:
      'Erantzun bakoitzaren ondoren, zure erakundeko eredu txikiak gehienez hiru galdera pentsatzen ditu. Pixka bat gehiago kostatzen da.',
    tags: 'Etiketak',
    tagsHint:
      'Hamar gehienez, aurkitzeko: irakasgai bat, maila bat. Sartu teklak edo koma batek amaitzen du bakoitza.',
    removeTag: (tag: string) => `Kendu ${tag} etiketa`,
    tagRemoved: (tag: string) => `${tag} etiketa kendu da.`,
  },
};
