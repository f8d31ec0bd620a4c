import type { chatFiles as english } from '../en/chat-files.ts';

export const chatFiles: typeof english = {
  attach: 'Afegeix fitxers',
  list: 'Fitxers que van amb la teva pregunta',
  sent: 'Fitxers enviats amb aquesta pregunta',
  remove: (name) => `Treu ${name}`,
  sending: (percent) => `s’està enviant, ${percent}`,
  reading: 's’està llegint …',
  ready: 'a punt',
  failed: 'no enviat',
  tooMany: (most) => `Com a màxim ${String(most)} fitxers alhora.`,
  noPictures: (name) => `«${name}» és una imatge, i aquest assistent no mira imatges.`,
  takesLong: 'Llegir-lo triga molt. Treu-lo o torna-ho a provar més tard.',
  wait: 'Els teus fitxers encara s’estan llegint. Envia-ho d’aquí a un moment.',
  isReady: (name) => `${name} està a punt.`,
  hasFailed: (name, reason) => `${name} no es pot enviar. ${reason}`,
};
