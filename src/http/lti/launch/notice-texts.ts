import type { Notice } from './notice.js';
import * as registration from './registration-texts.js';

/** What pages of the door say, before there is anything else to show. */
export interface NoticeWords {
  readonly lang: string;
  readonly faults: Readonly<Record<KnownFault, Notice>>;
  /** Above a message that is there in English only. */
  readonly otherwise: string;
  readonly requestId: (id: string) => string;
  readonly window: Notice;
  /** Nobody is named when the platform keeps names to itself. */
  readonly continueAs: (name: string) => string;
  readonly notYou: string;
  readonly moment: Notice;
  readonly goOn: string;
  readonly registration: registration.RegistrationWords;
}

export type KnownFault =
  | 'launch_refused'
  | 'launch_stale'
  | 'launch_not_set_up'
  | 'platform_unreachable'
  | 'cookie_lost'
  | 'page_missing'
  | 'method_not_allowed'
  | 'rate_limit_exceeded'
  | registration.RegistrationFault;

export const en: NoticeWords = {
  lang: 'en',
  registration: registration.en,
  faults: {
    ...registration.en.faults,
    launch_refused: {
      title: 'This activity could not be opened',
      text: 'This launch could not be verified. Go back to your course and open the activity again. If it happens again, tell your administrator.',
    },
    launch_stale: {
      title: 'This activity could not be opened',
      text: 'This launch is not valid any more, or not yet. Go back to your course and open the activity again. If it happens again, the clock of one of the two servers may be wrong.',
    },
    launch_not_set_up: {
      title: 'Your learning platform is not set up for this',
      text: 'Your learning platform is not set up for this launch. Tell your administrator, who can test the platform on the page of learning platforms.',
    },
    platform_unreachable: {
      title: 'Your learning platform does not answer',
      text: 'The keys of your learning platform could not be fetched, so nobody can be let in at the moment. Open the activity again in a few minutes. If it happens again, tell your administrator.',
    },
    cookie_lost: {
      title: 'Your browser did not keep our cookie',
      text: 'Without it we cannot know that it is you. Allow cookies for this site and open the activity again from your course. Administrators: browsers keep it only when this service has an https address, set as PUBLIC_URL.',
    },
    page_missing: {
      title: 'This page is not there',
      text: 'The page of the activity was not built with this service. Tell your administrator.',
    },
    method_not_allowed: {
      title: 'Open this from your course',
      text: 'This address is for learning platforms. Go to your course and open the activity there.',
    },
    rate_limit_exceeded: {
      title: 'Too many attempts',
      text: 'Too many launches were refused from your address. Wait a minute and open the activity again from your course.',
    },
  },
  otherwise: 'This activity could not be opened',
  requestId: (id) => `Request: ${id}`,
  window: {
    title: 'Open the activity in a new window',
    text: 'Your browser lets this page keep nothing inside your course, so the activity has to be opened in a window of its own.',
  },
  continueAs: (name) => (name === '' ? 'Continue in a new window' : `Continue as ${name}`),
  notYou: 'If that is not you, close this page and sign in to your course.',
  moment: { title: 'One moment …', text: 'The activity is being opened.' },
  goOn: 'Continue',
};

const es: NoticeWords = {
  lang: 'es',
  registration: registration.es,
  faults: {
    ...registration.es.faults,
    launch_refused: {
      title: 'No se ha podido abrir esta actividad',
      text: 'No se ha podido verificar el acceso. Vuelva a su curso y abra la actividad de nuevo. Si se repite, avise a su administrador.',
    },
    launch_stale: {
      title: 'No se ha podido abrir esta actividad',
      text: 'Este acceso ya no es válido, o todavía no lo es. Vuelva a su curso y abra la actividad de nuevo. Si se repite, puede que el reloj de uno de los dos servidores no esté en hora.',
    },
    launch_not_set_up: {
      title: 'Su plataforma de aprendizaje no está configurada para esto',
      text: 'Su plataforma de aprendizaje no está configurada para este acceso. Avise a su administrador, que puede probar la plataforma en la página de plataformas de aprendizaje.',
    },
    platform_unreachable: {
      title: 'Su plataforma de aprendizaje no responde',
      text: 'No se han podido obtener las claves de su plataforma de aprendizaje, así que por ahora nadie puede entrar. Abra la actividad de nuevo dentro de unos minutos. Si se repite, avise a su administrador.',
    },
    cookie_lost: {
      title: 'Su navegador no ha guardado nuestra cookie',
      text: 'Sin ella no podemos saber que es usted. Permita las cookies de este sitio y abra la actividad de nuevo desde su curso. Administradores: los navegadores solo la guardan si este servicio tiene una dirección https, indicada en PUBLIC_URL.',
    },
    page_missing: {
      title: 'Esta página no está',
      text: 'La página de la actividad no se ha construido con este servicio. Avise a su administrador.',
    },
    method_not_allowed: {
      title: 'Abra esto desde su curso',
      text: 'Esta dirección es para plataformas de aprendizaje. Vaya a su curso y abra la actividad allí.',
    },
    rate_limit_exceeded: {
      title: 'Demasiados intentos',
      text: 'Se han rechazado demasiados accesos desde su dirección. Espere un minuto y abra la actividad de nuevo desde su curso.',
    },
  },
  otherwise: 'No se ha podido abrir esta actividad',
  requestId: (id) => `Petición: ${id}`,
  window: {
    title: 'Abra la actividad en una ventana nueva',
    text: 'Su navegador no deja que esta página guarde nada dentro de su curso, así que la actividad tiene que abrirse en una ventana propia.',
  },
  continueAs: (name) => (name === '' ? 'Continuar en una ventana nueva' : `Continuar como ${name}`),
  notYou: 'Si no es usted, cierre esta página e inicie sesión en su curso.',
  moment: { title: 'Un momento…', text: 'Se está abriendo la actividad.' },
  goOn: 'Continuar',
};

const ca: NoticeWords = {
  lang: 'ca',
  registration: registration.ca,
  faults: {
    ...registration.ca.faults,
    launch_refused: {
      title: 'No s’ha pogut obrir aquesta activitat',
      text: 'No s’ha pogut verificar l’accés. Torneu al vostre curs i obriu l’activitat de nou. Si es repeteix, aviseu l’administrador.',
    },
    launch_stale: {
      title: 'No s’ha pogut obrir aquesta activitat',
      text: 'Aquest accés ja no és vàlid, o encara no ho és. Torneu al vostre curs i obriu l’activitat de nou. Si es repeteix, pot ser que el rellotge d’un dels dos servidors no vagi a l’hora.',
    },
    launch_not_set_up: {
      title: 'La vostra plataforma d’aprenentatge no està configurada per a això',
      text: 'La vostra plataforma d’aprenentatge no està configurada per a aquest accés. Aviseu l’administrador, que pot provar la plataforma a la pàgina de plataformes d’aprenentatge.',
    },
    platform_unreachable: {
      title: 'La vostra plataforma d’aprenentatge no respon',
      text: 'No s’han pogut obtenir les claus de la vostra plataforma d’aprenentatge i, per tant, ara mateix no hi pot entrar ningú. Obriu l’activitat de nou d’aquí a uns minuts. Si es repeteix, aviseu l’administrador.',
    },
    cookie_lost: {
      title: 'El vostre navegador no ha desat la nostra galeta',
      text: 'Sense ella no podem saber que sou vós. Permeteu les galetes d’aquest lloc i obriu l’activitat de nou des del vostre curs. Administradors: els navegadors només la desen si aquest servei té una adreça https, indicada a PUBLIC_URL.',
    },
    page_missing: {
      title: 'Aquesta pàgina no hi és',
      text: 'La pàgina de l’activitat no s’ha construït amb aquest servei. Aviseu l’administrador.',
    },
    method_not_allowed: {
      title: 'Obriu això des del vostre curs',
      text: 'Aquesta adreça és per a plataformes d’aprenentatge. Aneu al vostre curs i obriu-hi l’activitat.',
    },
    rate_limit_exceeded: {
      title: 'Massa intents',
      text: 'S’han rebutjat massa accessos des de la vostra adreça. Espereu un minut i obriu l’activitat de nou des del vostre curs.',
    },
  },
  otherwise: 'No s’ha pogut obrir aquesta activitat',
  requestId: (id) => `Petició: ${id}`,
  window: {
    title: 'Obriu l’activitat en una finestra nova',
    text: 'El vostre navegador no deixa que aquesta pàgina desi res dins del vostre curs i, per tant, l’activitat s’ha d’obrir en una finestra pròpia.',
  },
  continueAs: (name) => (name === '' ? 'Continua en una finestra nova' : `Continua com a ${name}`),
  notYou: 'Si no sou vós, tanqueu aquesta pàgina i inicieu la sessió al vostre curs.',
  moment: { title: 'Un moment…', text: 'S’està obrint l’activitat.' },
  goOn: 'Continua',
};

const eu: NoticeWords = {
  lang: 'eu',
  registration: registration.eu,
  faults: {
    ...registration.eu.faults,
    launch_refused: {
      title: 'Ezin izan da jarduera hau ireki',
      text: 'Ezin izan da sarbidea egiaztatu. Itzuli zure ikastarora eta ireki berriro jarduera. Berriz gertatzen bada, esan administratzaileari.',
    },
    launch_stale: {
      title: 'Ezin izan da jarduera hau ireki',
      text: 'Sarbide honek ez du balio jada, edo oraindik ez. Itzuli zure ikastarora eta ireki berriro jarduera. Berriz gertatzen bada, baliteke bi zerbitzarietako baten erlojua gaizki egotea.',
    },
    launch_not_set_up: {
      title: 'Zure ikasketa-plataforma ez dago honetarako prestatuta',
      text: 'Zure ikasketa-plataforma ez dago sarbide honetarako prestatuta. Esan administratzaileari, plataforma proba baitezake ikasketa-plataformen orrian.',
    },
    platform_unreachable: {
      title: 'Zure ikasketa-plataformak ez du erantzuten',
      text: 'Ezin izan dira zure ikasketa-plataformaren gakoak eskuratu; beraz, une honetan ezin da inor sartu. Ireki berriro jarduera minutu batzuk barru. Berriz gertatzen bada, esan administratzaileari.',
    },
    cookie_lost: {
      title: 'Zure nabigatzaileak ez du gure cookiea gorde',
      text: 'Hori gabe ezin dugu jakin zu zarela. Baimendu gune honetako cookieak eta ireki berriro jarduera zure ikastarotik. Administratzaileak: nabigatzaileek zerbitzu honek https helbidea duenean bakarrik gordetzen dute, PUBLIC_URL gisa ezarrita.',
    },
    page_missing: {
      title: 'Orri hau ez dago',
      text: 'Jardueraren orria ez da zerbitzu honekin eraiki. Esan administratzaileari.',
    },
    method_not_allowed: {
      title: 'Ireki hau zure ikastarotik',
      text: 'Helbide hau ikasketa-plataformentzat da. Joan zure ikastarora eta ireki han jarduera.',
    },
    rate_limit_exceeded: {
      title: 'Saiakera gehiegi',
      text: 'Zure helbidetik sarbide gehiegi ukatu dira. Itxaron minutu bat eta ireki berriro jarduera zure ikastarotik.',
    },
  },
  otherwise: 'Ezin izan da jarduera hau ireki',
  requestId: (id) => `Eskaera: ${id}`,
  window: {
    title: 'Ireki jarduera leiho berri batean',
    text: 'Zure nabigatzaileak ez dio orri honi ezer gordetzen uzten zure ikastaroaren barruan; beraz, jarduera bere leiho batean ireki behar da.',
  },
  continueAs: (name) => (name === '' ? 'Jarraitu leiho berri batean' : `Jarraitu ${name} gisa`),
  notYou: 'Zu ez bazara, itxi orri hau eta hasi saioa zure ikastaroan.',
  moment: { title: 'Une bat…', text: 'Jarduera irekitzen ari da.' },
  goOn: 'Jarraitu',
};

const LANGUAGES: ReadonlyMap<string, NoticeWords> = new Map(
  [en, es, ca, eu].map((words) => [words.lang, words]),
);

/** The first of the languages somebody reads that there are words in, else English. */
export function noticeWordsIn(wished: readonly string[]): NoticeWords {
  const primary = wished.map((tag) => tag.split(/[-_]/)[0]?.toLowerCase() ?? '');
  return primary.map((lang) => LANGUAGES.get(lang)).find((words) => words !== undefined) ?? en;
}
