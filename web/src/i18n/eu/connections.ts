import type { Messages } from '../en.ts';

export const connections: Messages['connections'] = {
  consent: {
    title: 'Programa bati sartzen utzi?',
    asks: (name: string) =>
      `Bere buruari «${name}» deitzen dion programa batek zure izenean lan egin nahi du hemen.`,
    asksNameless: 'Bere izena esaten ez duen programa batek zure izenean lan egin nahi du hemen.',
    unverified:
      'Edonork aukera dezake horrelako izen bat. Baimendu zuk zeuk programa horretan abiarazi berri baduzu bakarrik.',
    about: 'Eskaera honi buruz',
    sendsTo: 'Gero hona eramango zaitu',
    local: (address: string) => `Ordenagailu honetako programa bat (${address})`,
    signedInAs: 'Saioa honela hasi duzu',
    may: 'Hau egin ahal izango du:',
    mayList: [
      'zuk erabil ditzakezun laguntzaileei galdetu; kostua zurea izango da',
      'zure fitxategiak, errubrikak eta ezagutza-baseak irakurtzen dituzten tresnak erabili',
      'zuk edita ditzakezun laguntzaileen jarraibideak irakurri',
    ],
    mayNot:
      'Ez du zure pasahitza jasotzen, eta ezin da zure ezarpenetara edo gakoetara iritsi. Nahi duzunean deskonekta dezakezu, API gakoen orrian.',
    allow: 'Baimendu',
    deny: 'Ez baimendu',
    sent: 'Eginda. Itzuli programara; orri hau itxi dezakezu.',
    notAllowed: 'Ez da ezer baimendu',
    unknownClient:
      'Programa ez da hemen ezagutzen, edo jada ez. Kendu zerbitzu hau programan eta gehitu berriro.',
    wrongAddress: 'Programak aurretik adierazi ez duen helbide batera eraman nahi zaitu.',
    badRequest:
      'Programak hemen ulertzen ez den modu batean eskatu du. Saiatu berriro han, edo eguneratu programa.',
  },
  title: 'Konektatutako programak',
  lead: 'Gakorik gabe, saioa hasita sartzen utzi dituzun programak. Eman iezaiezu helbide hau:',
  address: 'MCP bezeroentzako helbidea',
  program: 'Programa',
  nameless: 'Izenik gabe',
  local: 'Ordenagailu hau',
  sentTo: 'Hona eraman zintuen',
  since: 'Konektatua',
  used: 'Azken berritzea',
  none: 'Ez dago programarik konektatuta.',
  disconnect: 'Deskonektatu',
  disconnectOf: (name: string) => `Deskonektatu ${name}`,
  disconnectQuestion: (name: string) => `«${name}» deskonektatu?`,
  disconnectMeans: 'Programa baztertuko da hemendik aurrera. Itzultzeko, berriro eskatu beharko du.',
  disconnected: (name: string) => `«${name}» deskonektatu da.`,
};
