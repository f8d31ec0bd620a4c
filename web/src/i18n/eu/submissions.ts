import type { submissions as english } from '../en/submissions.ts';
import { counted } from './common.ts';

export const submissions: typeof english = {
  title: 'Entregatu testu bat',
  lead: 'Laguntzaile batek errubrika batekin irakurtzen du eta nota bat proposatzen du. Zure irakasleak erabakitzen du.',
  notice:
    'Zure irakasleak zure izena ikusten du testu honekin batera, eta berak erabakitzen du nota. Ezer ez da automatikoki kalifikatzen.',
  text: 'Zure testua',
  length: (words, characters) => `${counted(words, 'hitz')}, ${counted(characters, 'karaktere')}`,
  left: (n) => `geratzen dira: ${counted(n, 'karaktere')}`,
  tooLong: (n) => `Luzeegia: ${counted(n, 'karaktere')} soberan.`,
  missing: 'Idatzi edo itsatsi lehenik zure testua.',
  submit: 'Entregatu',
  submitTitle: 'Testu hau entregatu nahi duzu?',
  submitMeans: 'Zure irakasleak erabaki arte atzera egin dezakezu.',
  submitted: 'Entregatuta.',
  oneAtATime:
    'Testu bat entregatu duzu eta zure irakasleak oraindik ez du erabaki. Beste bat entregatu nahi baduzu, kendu hura behean.',
  notAvailable: 'Hemen ezin da ezer entregatu: zure irakasleak ez du prestatu.',
  own: 'Entregatu duzuna',
  none: 'Oraindik ez duzu ezer entregatu.',
  states: {
    open: 'Zure irakaslearen esku',
    approved: 'Kalifikatuta, ikastarorako bidean',
    posted: 'Kalifikatuta',
    rejected: 'Itzulita',
  },
  handedIn: (when) => `Entregatuta: ${when}`,
  hints: {
    open: 'Zure irakasleak oraindik ez du erabaki.',
    approved: 'Zure nota hemen agertuko da ikastaroan dagoen bezain laster.',
    byHand: 'Zure irakasleak nota ikastaroan idazten du: begiratu han.',
    posted: '',
    rejected: 'Ez du notarik. Berriro entrega dezakezu.',
  },
  grade: 'Nota',
  of: (score, maximum) => `${score} / ${maximum}`,
  comment: 'Zure irakaslearen iruzkina',
  showText: 'Erakutsi testua',
  withdraw: 'Kendu',
  withdrawTitle: 'Testu hau kendu nahi duzu?',
  withdrawMeans: 'Ezabatu egingo da, eta zure irakasleak ez du gehiago ikusiko. Beste bat entrega dezakezu.',
  withdrawn: 'Kenduta.',
};
