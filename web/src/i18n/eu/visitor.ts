import type { visitor as english } from '../en/visitor.ts';

export const visitor: typeof english = {
  gone: {
    title: 'Hemen ez dago ezer irekitzeko',
    text: 'Esteka honek ez darama inora, edo jada ez. Eskatu beste bat eman dizunari.',
  },
  over: {
    title: 'Zure bisita amaitu da',
    text: 'Bisita batek ordu batzuk irauten du. Bertan esandakoa ez da gordetzen. Beste bat has dezakezu.',
    again: 'Hasi berriro',
  },
  left: {
    title: 'Bisita amaitu duzu',
    text: 'Galdetu duzuna ez da gehiago gordetzen. Orri hau itxi dezakezu.',
  },
  failed: { title: 'Ezin izan da orria ireki' },
  offeredBy: (organization) => `AA laguntzaile bat, ${organization} erakundeak eskainia.`,
  privacy:
    'Oker egon daiteke: egiaztatu garrantzitsua dena. Ez duzu konturik behar, eta inork ez dizu izena eskatzen; hemen esandakoa bisita honek dirauen bitartean bakarrik gordetzen da. Ez idatzi zuri edo besteei buruz pribatu izan behar duen ezer.',
  menu: 'Gehiago',
  leave: 'Amaitu bisita',
};
