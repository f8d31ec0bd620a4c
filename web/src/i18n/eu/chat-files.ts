import type { chatFiles as english } from '../en/chat-files.ts';

export const chatFiles: typeof english = {
  attach: 'Gehitu fitxategiak',
  list: 'Zure galderarekin doazen fitxategiak',
  sent: 'Galdera honekin bidalitako fitxategiak',
  remove: (name) => `Kendu ${name}`,
  sending: (percent) => `bidaltzen, ${percent}`,
  reading: 'irakurtzen …',
  ready: 'prest',
  failed: 'bidali gabe',
  tooMany: (most) => `Gehienez ${String(most)} fitxategi aldi berean.`,
  noPictures: (name) => `«${name}» irudi bat da, eta laguntzaile honek ez du irudirik ikusten.`,
  takesLong: 'Irakurtzeak denbora asko behar du. Kendu, edo saiatu geroago.',
  wait: 'Zure fitxategiak irakurtzen ari gara oraindik. Bidali pixka bat barru.',
  isReady: (name) => `${name} prest dago.`,
  hasFailed: (name, reason) => `${name} ezin da bidali. ${reason}`,
};
