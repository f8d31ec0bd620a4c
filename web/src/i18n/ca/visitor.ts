import type { visitor as english } from '../en/visitor.ts';

export const visitor: typeof english = {
  gone: {
    title: 'Aquí no hi ha res per obrir',
    text: 'Aquest enllaç no porta enlloc, o ha deixat de fer-ho. Demana’n un altre a qui te’l va donar.',
  },
  over: {
    title: 'La teva visita s’ha acabat',
    text: 'Una visita dura unes hores. El que s’hi va dir no es conserva. Pots començar-ne una altra.',
    again: 'Torna a començar',
  },
  left: {
    title: 'Has acabat la teva visita',
    text: 'El que has preguntat ja no es conserva. Pots tancar aquesta pàgina.',
  },
  failed: { title: 'No s’ha pogut obrir la pàgina' },
  offeredBy: (organization) => `Un assistent d’IA que ofereix ${organization}.`,
  privacy:
    'Es pot equivocar: comprova el que sigui important. No et cal compte i ningú no et demana el nom; el que es diu aquí es conserva només durant aquesta visita. No escriguis res sobre tu o sobre altres persones que hagi de continuar sent privat.',
  menu: 'Més',
  leave: 'Acaba la visita',
};
