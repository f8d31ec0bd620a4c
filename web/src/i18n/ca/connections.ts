import type { Messages } from '../en.ts';

export const connections: Messages['connections'] = {
  consent: {
    title: 'Vols permetre l’accés a un programa?',
    asks: (name: string) => `Un programa que es fa dir «${name}» vol treballar aquí en nom teu.`,
    asksNameless: 'Un programa que no diu el seu nom vol treballar aquí en nom teu.',
    unverified:
      'Qualsevol pot triar un nom així. Permet-ho només si ho acabes d’iniciar tu mateix en aquell programa.',
    about: 'Sobre aquesta sol·licitud',
    sendsTo: 'Després et porta a',
    local: (address: string) => `Un programa en aquest ordinador (${address})`,
    signedInAs: 'Has iniciat la sessió com a',
    may: 'Podrà:',
    mayList: [
      'preguntar als assistents que pots fer servir; el que costi compta com a teu',
      'fer servir eines que llegeixen els teus fitxers, rúbriques i bases de coneixement',
      'llegir les instruccions dels assistents que pots editar',
    ],
    mayNot:
      'No rep la teva contrasenya ni arriba a la teva configuració o claus. El pots desconnectar quan vulguis, a la pàgina de claus d’API.',
    allow: 'Permet',
    deny: 'No ho permetis',
    sent: 'Fet. Torna al programa; pots tancar aquesta pàgina.',
    notAllowed: 'No s’ha permès res',
    unknownClient:
      'Aquí no es coneix el programa, o ja no. Treu aquest servei del programa i torna’l a afegir.',
    wrongAddress: 'El programa et vol portar a una adreça que no havia anunciat.',
    badRequest:
      'El programa ho ha demanat d’una manera que aquí no s’entén. Torna-ho a provar allà o actualitza’l.',
  },
  title: 'Programes connectats',
  lead: 'Programes als quals has donat accés iniciant la sessió, sense clau. Dona’ls aquesta adreça:',
  address: 'Adreça per a clients MCP',
  program: 'Programa',
  nameless: 'Sense nom',
  local: 'Aquest ordinador',
  sentTo: 'Et va portar a',
  since: 'Connectat',
  used: 'Última renovació',
  none: 'No hi ha cap programa connectat.',
  disconnect: 'Desconnecta',
  disconnectOf: (name: string) => `Desconnecta ${name}`,
  disconnectQuestion: (name: string) => `Vols desconnectar «${name}»?`,
  disconnectMeans: 'El programa queda rebutjat des d’ara. Per tornar, ho haurà de demanar una altra vegada.',
  disconnected: (name: string) => `S’ha desconnectat «${name}».`,
};
