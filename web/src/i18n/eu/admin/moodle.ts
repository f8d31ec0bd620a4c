import type { moodleCheck as english } from '../../en/admin/moodle.ts';

export const moodleCheck: typeof english = {
  title: 'Egiaztatu zer erakusten duen Moodlek ikasle batez',
  lead: 'Moodlek, abisatu gabe, tokenaren kontuak ikusi ezin duena alde batera uzten du: orduan ikasleei ez zaie ezer esaten, irakasleek berea ikusten duten bitartean. Hemen laguntzaileek galdetzen dutena galdetzen zaio Moodleri, ikasle batentzat bezala. Ez da ezer aldatzen ezta gordetzen ere.',
  student: 'Ikaslea: helbide elektronikoa edo Moodleko zenbakia',
  studentHint:
    'Kalifikazioak dituen ikastaro batean dagoen norbait. Hutsik utziz gero, Moodle honetatik etorri den azken ikaslea izango da.',
  studentWrong: 'Helbide elektroniko bat, edo Moodleko profil-orriaren helbidean agertzen den zenbakia.',
  run: 'Egiaztatu',
  good: 'Ez da ezer falta.',
  bad: 'Zerbait ez dago ondo:',
  askedAbout: (id: number) => `Moodleko ${String(id)} zenbakiaz galdetu da.`,
  missing: 'Badirudi tokenaren kontuari hau falta zaiola, litekeenena lehenik:',
  names: {
    connection: 'Konexioa',
    person: 'Pertsona',
    courses: 'Ikastaroak',
    assignments: 'Zereginak',
    grades: 'Kalifikazioak',
    deadlines: 'Epeak',
  },
  findings: {
    answers: 'Moodlek erantzuten du eta tokena onartzen du.',
    unreachable: 'Ezin izan da Moodlera iritsi helbide honetan, edo han erantzuten duena ez da Moodle bat.',
    token_refused: 'Moodlek ez du tokena onartzen: okerra da, ezabatu egin da edo iraungi da.',
    account_off: 'Tokenaren kontua etenda dago, iraungi da edo ez dago jada Moodlen.',
    services_off: 'Web zerbitzuak edo REST protokoloa desaktibatuta daude Moodlen.',
    moved: 'Helbideak beste batera eramaten du. Idatzi gunearen behin betiko helbidea.',
    maintenance: 'Moodle mantentze-lanetan dago. Saiatu berriro geroago.',
    given: 'Zenbakiaren bidez galdetzen zaio Moodleri.',
    found: 'Moodlek helbide elektroniko honen kontu bat erakusten du.',
    not_found:
      'Moodlek ez du helbide elektroniko honetako inor erakusten. Ondo idatzita badago, ezkutatzen du.',
    several: 'Moodlek helbide elektroniko honen hainbat kontu erakusten ditu: ezin dira bereizi.',
    shown: 'Moodlek erakusten ditu.',
    none: 'Moodlek ez du pertsona honen ikastarorik erakusten. Batean badago, ezkutatzen du.',
    all_missing: 'Moodlek ez du pertsona honen ikastarorik erakusten, batetik etorri den arren.',
    some_missing: 'Moodlek pertsona hau etorri den ikastaro bat ezkutatzen du.',
    hidden: 'Moodlek ez du erakusten zer dagoen ikastaro batzuetan.',
    left_out: 'Moodlek jarduera mota batzuen kalifikazioak alde batera uzten ditu.',
    separate_groups:
      'Ikastaro batek talde bereiziak ditu, eta tokenaren kontua ez dago horietako batean ere.',
    refused: 'Moodlek ez du esan nahi.',
    not_in_service:
      'Funtzio hau ez dago tokenaren zerbitzuan. (Edo kontuak ez du webservice/rest:use, edo tokena beste helbide batzuetara mugatuta dago.)',
    unknown: 'Ikastarorik gabe ezin da jakin.',
  },
  needs: {
    title: 'Zer behar duen tokenaren kontuak Moodlen',
    lead: 'Eman gaitasun hauek dituen rol bat sistemaren testuinguruan, eta besterik ez:',
    rows: [
      ['webservice/rest:use', 'galdetu ahal izateko'],
      ['moodle/course:view', 'matrikulatuta ez dagoen ikastaroak ikusteko'],
      ['moodle/course:viewparticipants', 'ikastaro batean nor dagoen ikusteko'],
      [
        'moodle/user:viewdetails',
        'ikasleen ikastaroak ikusteko; hori gabe, badirudi ikasle batek ere ez duela ikastarorik, irakasleek bereak ikusten dituzten bitartean',
      ],
      ['moodle/site:accessallgroups', 'talde bereiziak dituzten ikastaroetarako'],
      ['mod/assign:view', 'zereginetarako eta haien kalifikazioetarako'],
      [
        'mod/<type>:view',
        'kalifikatzen den beste jarduera mota bakoitzaren kalifikazioetarako: mod/quiz:view, mod/lti:view eta abar',
      ],
      ['gradereport/user:view', 'kalifikazioetarako'],
      ['moodle/grade:viewall', 'kalifikazioetarako'],
      ['moodle/calendar:manageentries', 'beste norbaiten epeetarako'],
      ['moodle/site:viewuseridentity', 'pertsonak helbide elektronikoaren arabera aurkitzeko bakarrik'],
    ],
  },
};
