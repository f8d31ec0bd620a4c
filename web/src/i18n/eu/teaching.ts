import type { teaching as english } from '../en/teaching.ts';
import { counted } from './common.ts';

const dashboard: (typeof english)['dashboard'] = {
  title: 'Panela',
  lead: 'Ikasleek hemen egin dutena. Zuk zeuk probatzen duzuna ez da zenbatzen.',
  period: 'Epea',
  days: (n) => `Azken ${String(n)} egunak`,
  figures: 'Begirada batean',
  students: 'Parte hartu duten ikasleak',
  ofAll: (n, percent) => `ikastaroan ${String(n)} daude (${percent})`,
  fewerThanFive: '5 baino gutxiago',
  questions: 'Galderak',
  cost: 'Kostua',
  noPrice: 'Prezio ezezaguna',
  tokens: (n) => `${n} token`,
  notCounted:
    'Bost ikaslek baino gutxiagok galdetu zuten egunak bost edo gehiagok galdetu zuten aste baten zati gisa bakarrik zenbatzen dira. Kanpoan geratzen dena ez dago zenbaki hauetako batean ere.',
  perDay: 'Galderak egunez egun',
  day: 'Eguna',
  summary: (s) =>
    `Galderak egunez egun, ${s.from} – ${s.to}: guztira ${String(s.total)}` +
    (s.most > 0 ? `; gehien dituen eguna ${s.busiest} da: ${String(s.most)}.` : '.'),
  asTable: 'Erakutsi taula gisa',
  hiddenDay: 'Ez da erakusten',
  hiddenDays: (n) =>
    n === 1
      ? 'Egun batean bost ikaslek baino gutxiagok galdetu zuten. Haren zenbakia ez da erakusten (– marka du).'
      : `${String(n)} egunetan bost ikaslek baino gutxiagok galdetu zuten. Haien zenbakiak ez dira erakusten (– marka dute).`,
  tools: 'Gehien erabilitako tresnak',
  noTools: 'Laguntzaileek ez zuten tresnarik erabili denbora horretan.',
  calls: (n) => counted(n, 'dei'),
  failed: (n) => `${String(n)} huts`,
  attention: 'Begiratzeko modukoa',
  attentionLead: 'Laguntzaileak erantzun ez zituen galderak, edo iturririk gabe erantzun zituenak.',
  unanswered: 'Erantzunik gabe',
  sourceless: 'Iturririk gabe erantzunak',
  examples: 'Adibideak',
  open: 'Ireki elkarrizketa',
  nothingToSee: 'Galdera guztiak erantzun ziren, eta iturriarekin.',
  noExamples: {
    none: 'Galderak ez dira erakusten: jarduera honetan ikasleak berak bakarrik irakurtzen du elkarrizketa.',
    other: 'Galdera hauetako bat ere ezin da erakutsi: ikasleei agindutakoak ez du uzten.',
  },
  smallGroup: {
    title: 'Bost ikaslek baino gutxiagok parte hartu dute.',
    text: 'Hain talde txikian zenbakiek esango lukete nork zer galdetu duen. Horregatik ez dira oraindik erakusten. Bosgarren ikaslearekin agertuko dira.',
  },
  empty: {
    title: 'Oraindik inork ez du ezer galdetu',
    text: 'Ikasleek jarduera hau erabiltzen dutenean, hemen ikusiko duzu zenbatek parte hartzen duten, zeri buruz galdetzen duten eta zenbat kostatzen den.',
    longer: 'Begiratu epe luzeago bat',
  },
};

const transcripts: (typeof english)['transcripts'] = {
  title: 'Elkarrizketak',
  policies: {
    none: 'Ikasleak berak bakarrik irakurtzen du elkarrizketa.',
    pseudonymous:
      'Zer esan zen irakurtzen duzu, ez nork esan zuen: ikasleak «1. ikaslea», «2. ikaslea» eta abar dira.',
    named: 'Elkarrizketak izenarekin irakurtzen dituzu, onartu dutenenak.',
  },
  stricter: 'Elkarrizketa hasi zenean agindu zena betetzen da harentzat, ezarpena geroago aldatu bada ere.',
  closed: {
    policy_none: {
      title: 'Ikasleak berak bakarrik irakurtzen ditu elkarrizketak',
      text: 'Horrela dago ezarrita jarduera hau. Ezarpenetan alda daiteke; lehenagoko elkarrizketak itxita geratuko dira.',
    },
    too_few: {
      title: 'Ikasle gutxiegi oraingoz',
      text: 'Elkarrizketak bost ikaslek parte hartu dutenean erakusten dira: lehenago jakingo litzateke nork idatzi dituen.',
    },
  },
  emptyTitle: 'Oraindik ez dago elkarrizketarik',
  empty: 'Irakur ditzakezun elkarrizketak hemen agertzen dira.',
  list: 'Elkarrizketak',
  student: (n) => `${String(n)}. ikaslea`,
  untitled: 'Izenik gabea',
  messages: (n) => counted(n, 'mezu'),
  back: 'Elkarrizketa guztiak',
  gone: 'Elkarrizketa hau jada ez dago, edo ezin da gehiago irakurri.',
  began: (when) => `Hasiera: ${when}`,
  nothingSaid: 'Hemen ez zen ezer esan.',
};

const grading: (typeof english)['grading'] = {
  title: 'Notak',
  lead: 'Laguntzaile batek proposatu, zuk erabaki. Ezer ez da ikastarora bidaltzen zuk onartu aurretik.',
  state: 'Egoera',
  anyState: 'Egoera guztiak',
  states: {
    submitted: 'Entregatuta',
    evaluating: 'Ebaluatzen',
    proposed: 'Erabakitzeko',
    failed: 'Ebaluazioak huts egin du',
    approved: 'Onartuta',
    posted: 'Kalifikazio-liburuan',
    rejected: 'Itzulita',
  },
  notSent: 'Bidali gabe',
  typeIn: 'Eskuz idaztekoa',
  refresh: 'Eguneratu',
  queue: 'Entregak',
  student: 'Ikaslea',
  handedIn: 'Entregatuta',
  points: 'Puntuak',
  nameless: 'Izen ezezaguna',
  of: (score, maximum) => `${score} / ${maximum}`,
  proposedPoints: (points) => `${points} (proposamena)`,
  emptyTitle: 'Oraindik ez dago entregarik',
  empty: 'Ikasleek entregatzen dutena hemen agertzen da, nota-proposamen batekin.',
  nothingFound: 'Ez dago ezer egoera honetan.',
  back: 'Entrega guztiak',
  gone: 'Entrega hau jada ez dago. Agian ikasleak kendu du.',
  text: 'Entregatutakoa',
  rubric: 'Nota',
  weight: (percent) => `pisua ${percent}`,
  levelPoints: (n, one) => (one ? `puntu ${n}` : `${n} puntu`),
  proposed: 'proposatua',
  why: (reason) => `Zergatik: ${reason}`,
  total: 'Puntuak',
  totalHint: (total, maximum) => `Mailen batura: ${total} / ${maximum}.`,
  totalOnSave: 'Puntuak gordetzean kalkulatzen dira.',
  totalUnknown: 'Aukeratu irizpide bakoitzaren maila bat.',
  byHand: 'Jarri beste puntu batzuk',
  byLevels: 'Erabili mailen puntuak',
  scoreLabel: (maximum) => (maximum === undefined ? 'Puntuak' : `Puntuak, gehienez ${maximum}`),
  noNumber: 'Idatzi zenbaki bat.',
  tooMany: (maximum) => `Gehienez ${maximum}.`,
  comment: 'Iruzkina ikaslearentzat',
  commentHint: 'Ikasleak notarekin batera irakurtzen du.',
  save: 'Gorde',
  saved: 'Gordeta.',
  notSaved: 'Gorde gabe',
  approve: 'Onartu',
  approveTitle: 'Nota hau onartu nahi duzu?',
  approveMeans: (who, points) =>
    `${who}: ${points}. Nota eta zure iruzkina ikastaroko kalifikazio-liburura bidaltzen dira, eta ikasleak ikusten ditu.`,
  approveByHand: (who, points) =>
    `${who}: ${points}. Hemendik ezin da ikastaro honetako kalifikazio-liburura iritsi: nota eskuz idatzi beharko duzu ikastaroan.`,
  approved: 'Onartuta.',
  reject: 'Itzuli',
  rejectTitle: 'Notarik gabe itzuli nahi duzu?',
  rejectMeans: 'Ez da notarik bidaltzen. Ikasleak zure iruzkina ikusten du eta berriro entrega dezake.',
  rejected: 'Itzulita.',
  evaluate: 'Ebaluatu berriro',
  evaluateTitle: 'Berriro ebaluatu nahi duzu?',
  evaluateMeans:
    'Laguntzaileak proposamen berri bat egiten du. Honen eta zuk aldatutakoaren lekua hartzen du.',
  evaluationStarted: 'Ebaluatzen ari da.',
  waiting: 'Laguntzailea testua irakurtzen ari da. Proposamena hemen agertuko da.',
  failedWhy: (why) => `Ezin izan da testua ebaluatu: ${why}`,
  failed: 'Ezin izan da testua ebaluatu.',
  gradeByHand: 'Berriro saia zaitezke, edo zuk zeuk kalifikatu.',
  overtaken:
    'Bitartean aldatu egin da: beste norbaitek landu du, edo proposamen berri bat iritsi da. Ez da ezer bidali. Idatzi duzuna hemen dago oraindik; alderatu, eta gorde edo onartu berriro.',
  takeTheirs: 'Baztertu nik idatzitakoa',
  posting: {
    waiting: 'Ikastaroko kalifikazio-libururako bidean.',
    waitingAgain: (n) => `Ikastaroko kalifikazio-libururako bidean. Orain arte: ${counted(n, 'saiakera')}.`,
    lastError: (why) => `Azken erantzuna: ${why}`,
    posted: 'Ikastaroko kalifikazio-liburuan.',
    postedAt: (when) => `Ikastaroko kalifikazio-liburura bidalita: ${when}.`,
    failed: 'Ezin izan da ikastaroko kalifikazio-liburura bidali.',
    failedWhy: (why) => `Ezin izan da ikastaroko kalifikazio-liburura bidali: ${why}`,
    again: 'Saiatu berriro orain',
    tried: 'Berriro bidaltzen ari da.',
    impossible: 'Ikastaro honek ez du hemendik notarik onartzen. Idatzi hau eskuz kalifikazio-liburuan:',
    impossibleWhy: (why) => `Ikastaro honek ez du hemendik notarik onartzen (${why}). Idatzi hau eskuz:`,
  },
  noGradeBook:
    'Hemendik ezin da ikastaro honetako kalifikazio-liburura iritsi. Kalifika dezakezu; onartzen duzuna eskuz idatzi beharko da ikastaroan.',
  noEvaluation:
    'Jarduera honetan ez dago notak proposatzen dituen laguntzailerik. Aukeratu ezarpenetan errubrika batekin ebaluatzen duen bat.',
};

export const teaching: typeof english = { dashboard, transcripts, grading };
