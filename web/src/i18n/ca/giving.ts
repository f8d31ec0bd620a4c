import type { giving as english } from '../en/giving.ts';
import { counted } from './common.ts';

export const giving: typeof english = {
  who: {
    title: 'Qui el pot fer servir ara',
    off: 'Està desactivat: ningú no en rep resposta.',
    published: {
      nobody: 'No està publicat.',
      organization: 'Totes les persones de la seva organització: hi està publicat.',
      everyone:
        'Totes les persones que fan servir aquest servei: està publicat per a totes les organitzacions.',
    },
    shared: (n) =>
      n === 0
        ? 'No es comparteix amb ningú pel seu nom.'
        : `${counted(n, 'persona', 'persones')} pel seu nom.`,
    activities: (n) =>
      n === 0
        ? 'No és en cap activitat d’un curs.'
        : `Estudiants de ${counted(n, 'activitat', 'activitats')} de cursos.`,
    links: (n) => {
      if (n === 0) return 'Cap enllaç no deixa entrar persones sense compte.';
      return n === 1
        ? 'Qui tingui l’enllaç, sense compte.'
        : `Qui tingui un dels ${String(n)} enllaços, sense compte.`;
    },
    change: 'Canvia qui el pot fer servir',
  },
  moodle: {
    title: 'En un curs de Moodle',
    lead: 'L’alumnat l’obre amb un clic al seu curs i no li cal compte aquí.',
    noPlatform:
      'Encara no hi ha cap plataforma d’aprenentatge connectada a aquesta organització. Qui administra ho fa una sola vegada; després el professorat no necessita adreces ni claus.',
    toPlatforms: 'Connecta una plataforma d’aprenentatge',
    connected: (platforms) => `Connectat: ${platforms}.`,
    steps: (name) => [
      'Obre el teu curs a Moodle i activa el «Mode d’edició».',
      'Tria «Afegeix una activitat o un recurs» i, a la llista, l’eina que porta a aquest servei.',
      `Prem «Selecciona contingut», tria «${name}» i confirma.`,
      'Prem «Desa els canvis i torna al curs». L’activitat és a punt per al teu alumnat.',
    ],
    byHand: 'Si no apareix «Selecciona contingut»',
    byHandText:
      'Omple a mà el formulari de l’activitat. El que obre l’alumnat ho prepares tu la primera vegada que l’obres.',
    url: 'URL de l’eina',
    parameter: 'Paràmetres personalitzats',
    activities: 'Activitats que el fan servir',
    none: 'Cap encara.',
    others: (n) => `${counted(n, 'activitat', 'activitats')} de col·legues`,
  },
  links: {
    title: 'Un enllaç per a persones sense compte',
    lead: 'Qui tingui l’enllaç pot preguntar a aquest assistent sense iniciar sessió. No es demana el nom a ningú i el que es diu es conserva només durant la visita. El que costa va a càrrec de la teva organització.',
    off: 'La teva organització no permet aquests enllaços. Qui administra els pot permetre a la configuració.',
    toSettings: 'Ves a la configuració',
    budget: 'Pressupost que gasten els visitants',
    noBudget: 'Sense pressupost propi',
    lastDay: 'Últim dia',
    make: 'Crea un enllaç',
    made: 'L’enllaç està creat.',
    address: 'Enllaç',
    unreadable:
      'L’adreça d’aquest enllaç ja no es pot llegir: s’ha canviat la clau d’aquest servei. Revoca’l i crea’n un altre.',
    noEnd: 'Sense fi',
    until: (moment) => `Fins a ${moment}`,
    visits: (n) => (n === 0 ? 'ara no hi ha ningú' : `${counted(n, 'visita', 'visites')} en curs`),
    code: 'Codi QR',
    codeTitle: 'Codi QR',
    codeOf: (name) => `Codi QR de l’enllaç a ${name}`,
    codeHint: 'Per a una diapositiva o un full: els mòbils obren l’enllaç amb la càmera.',
    embed: 'Mostra’l en una altra pàgina',
    embedTitle: 'Mostra’l en una altra pàgina',
    snippet: 'HTML per enganxar',
    embedSites: 'Es mostra en pàgines d’aquests llocs i de cap altre:',
    embedNone:
      'Cap altre lloc no el pot mostrar encara. Qui administra pot anomenar els llocs a la configuració de l’organització; fins aleshores aquest fragment queda buit en una pàgina.',
    revoke: 'Revoca',
    revokeTitle: 'Vols revocar aquest enllaç?',
    revokeText: 'A partir d’ara no porta enlloc i qui hi sigui no pot continuar. No es pot desfer.',
    revoked: 'L’enllaç està revocat.',
  },
};
