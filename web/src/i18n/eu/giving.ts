import type { giving as english } from '../en/giving.ts';
import { counted } from './common.ts';

export const giving: typeof english = {
  who: {
    title: 'Nork erabil dezake orain',
    off: 'Itzalita dago: inork ez du erantzunik jasotzen.',
    published: {
      nobody: 'Ez dago argitaratuta.',
      organization: 'Bere erakundeko guztiek: han argitaratuta dago.',
      everyone: 'Zerbitzu hau erabiltzen duten guztiek: erakunde guztientzat argitaratuta dago.',
    },
    shared: (n) => (n === 0 ? 'Ez dago inorekin izenez partekatuta.' : `${counted(n, 'pertsona')}, izenez.`),
    activities: (n) =>
      n === 0
        ? 'Ez dago ikastaroetako jarduera batean ere.'
        : `Ikasleek ikastaroetan: ${counted(n, 'jarduera')}.`,
    links: (n) => {
      if (n === 0) return 'Ez dago konturik gabekoak sartzen uzten dituen estekarik.';
      return n === 1 ? 'Esteka duenak, konturik gabe.' : `${String(n)} esteketako bat duenak, konturik gabe.`;
    },
    change: 'Aldatu nork erabil dezakeen',
  },
  moodle: {
    title: 'Moodleko ikastaro batean',
    lead: 'Ikasleek klik batekin irekitzen dute beren ikastaroan, eta ez dute hemen konturik behar.',
    noPlatform:
      'Oraindik ez dago ikaskuntza-plataformarik erakunde honi konektatuta. Administratzaileak behin bakarrik egiten du; gero irakasleek ez dute helbiderik ez gakorik behar.',
    toPlatforms: 'Konektatu ikaskuntza-plataforma bat',
    connected: (platforms) => `Konektatuta: ${platforms}.`,
    steps: (name) => [
      'Ireki zure ikastaroa Moodlen eta piztu «Edizio modua».',
      'Aukeratu «Gehitu jarduera edo baliabidea», eta zerrendan zerbitzu honetara daraman tresna.',
      `Sakatu «Aukeratu edukia», hautatu «${name}» eta baieztatu.`,
      'Sakatu «Gorde eta itzuli ikastarora». Jarduera prest dago zure ikasleentzat.',
    ],
    byHand: '«Aukeratu edukia» agertzen ez bada',
    byHandText:
      'Bete jardueraren formularioa eskuz. Ikasleek irekiko dutena zuk prestatzen duzu lehen aldiz irekitzean.',
    url: 'Tresnaren URLa',
    parameter: 'Parametro pertsonalizatuak',
    activities: 'Erabiltzen duten jarduerak',
    none: 'Bat ere ez oraindik.',
    others: (n) => `Lankideen ${counted(n, 'jarduera')}`,
  },
  links: {
    title: 'Konturik ez dutenentzako esteka',
    lead: 'Esteka duen edonork galde diezaioke laguntzaile honi saiorik hasi gabe. Ez zaio inori izenik eskatzen, eta esandakoa bisitak dirauen bitartean bakarrik gordetzen da. Kostua zure erakundearen kontura doa.',
    off: 'Zure erakundeak ez ditu horrelako estekak baimentzen. Administratzaileak ezarpenetan baimen ditzake.',
    toSettings: 'Joan ezarpenetara',
    budget: 'Bisitariek gastatzen duten aurrekontua',
    noBudget: 'Aurrekontu propiorik gabe',
    lastDay: 'Azken eguna',
    make: 'Sortu esteka',
    made: 'Esteka sortu da.',
    address: 'Esteka',
    unreadable:
      'Esteka honen helbidea ezin da gehiago irakurri: zerbitzuaren gakoa aldatu zen. Baliogabetu eta sortu beste bat.',
    noEnd: 'Amaierarik gabe',
    until: (moment) => `${moment} arte`,
    visits: (n) => (n === 0 ? 'orain ez dago inor' : `${counted(n, 'bisita')} martxan`),
    code: 'QR kodea',
    codeTitle: 'QR kodea',
    codeOf: (name) => `${name} laguntzailerako estekaren QR kodea`,
    codeHint: 'Diapositiba edo orri baterako: mugikorrek kamerarekin irekitzen dute esteka.',
    embed: 'Erakutsi beste orri batean',
    embedTitle: 'Erakutsi beste orri batean',
    snippet: 'Itsasteko HTMLa',
    embedSites: 'Gune hauetako orrietan erakusten da, eta beste inon ez:',
    embedNone:
      'Oraindik beste gune batek ere ezin du erakutsi. Administratzaileak guneak izenda ditzake erakundearen ezarpenetan; ordura arte zati hau hutsik geratzen da orri batean.',
    revoke: 'Baliogabetu',
    revokeTitle: 'Esteka hau baliogabetu?',
    revokeText: 'Hemendik aurrera ez darama inora, eta han dagoenak ezin du jarraitu. Ezin da desegin.',
    revoked: 'Esteka baliogabetu da.',
  },
};
