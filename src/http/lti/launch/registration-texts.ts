import type { Notice } from './notice.js';

/** What a platform's administrator is told, in the frame in which the platform shows a tool that registers itself. */
export interface RegistrationWords {
  readonly faults: Readonly<Record<RegistrationFault, Notice>>;
  readonly ready: (platform: string) => Notice;
  readonly updated: (platform: string) => Notice;
  readonly waiting: (platform: string) => Notice;
  /** What is left to do in Moodle: first to activate the tool, then to let teachers find it, then how grades are taken. */
  readonly steps: readonly [string, ...string[]];
  readonly close: string;
}

export type RegistrationFault =
  | 'registration_request'
  | 'registration_code'
  | 'registration_full'
  | 'registration_known'
  | 'registration_often'
  | 'registration_unreadable'
  | 'registration_refused';

export const en: RegistrationWords = {
  faults: {
    registration_request: {
      title: 'This page is opened by a learning platform',
      text: 'It is the address at which a learning platform registers this service, and it says too little as it was called. In Moodle, paste it under “Manage tools” and choose “Add LTI Advantage”.',
    },
    registration_code: {
      title: 'This registration link is not valid',
      text: 'It was used before, or it is older than an hour. Make a new one on the page of learning platforms and begin again.',
    },
    registration_full: {
      title: 'Too many platforms wait already',
      text: 'Platforms that register without a link of an administrator wait until one switches them on, and no more may wait at the moment. Ask an administrator of this service for a registration link.',
    },
    registration_known: {
      title: 'This platform is registered here already',
      text: 'Nothing was changed here. To bring it up to date, an administrator of this service makes a registration link on the page of learning platforms; choose “Update” in the platform with that link.',
    },
    registration_often: {
      title: 'Too many attempts',
      text: 'Too many registrations came from your address. Wait a minute and begin again.',
    },
    registration_unreadable: {
      title: 'The platform could not be registered',
      text: 'What the platform says of itself could not be read, or is not what it should be. Nothing was stored. Without a link of an administrator, this service reaches platforms at public addresses only.',
      isGeneral: true,
    },
    registration_refused: {
      title: 'The platform could not be registered',
      text: 'The platform did not take the registration. Nothing was stored. Begin again in the platform; the link of this service can be used again within its hour.',
      isGeneral: true,
    },
  },
  ready: (platform) => ({
    title: 'Registered',
    text: `${platform} is registered and switched on here. Some steps are left in Moodle, under “Manage tools”:`,
  }),
  updated: (platform) => ({
    title: 'Up to date',
    text: `${platform} was registered here before, and is up to date now. Moodle has set what follows back, so look at it again:`,
  }),
  waiting: (platform) => ({
    title: 'Registered, not switched on yet',
    text: `${platform} is registered. It works as soon as an administrator of this service has looked at it and switched it on, on the page of learning platforms. Some steps are left in Moodle as well:`,
  }),
  steps: [
    'Choose “Activate” on the card of the tool.',
    'Open its settings (the cog) and set “Tool configuration usage” to “Show in activity chooser and as a preconfigured tool”. Until then no teacher finds it when adding an activity.',
    'Leave “Accept grades from the tool” at “As specified in Deep Linking definition or Delegate to teacher”, so that only activities with grades get a column in the grade book.',
  ],
  close: 'Close',
};

export const es: RegistrationWords = {
  faults: {
    registration_request: {
      title: 'Esta página la abre una plataforma de aprendizaje',
      text: 'Es la dirección en la que una plataforma de aprendizaje registra este servicio, y tal como se ha llamado dice demasiado poco. En Moodle, péguela en «Gestionar herramientas» y elija «Añadir LTI Advantage».',
    },
    registration_code: {
      title: 'Este enlace de registro no es válido',
      text: 'Ya se ha usado, o tiene más de una hora. Cree otro en la página de plataformas de aprendizaje y empiece de nuevo.',
    },
    registration_full: {
      title: 'Ya hay demasiadas plataformas en espera',
      text: 'Las plataformas que se registran sin un enlace de un administrador esperan hasta que alguno las activa, y ahora mismo no puede esperar ninguna más. Pida un enlace de registro a un administrador de este servicio.',
    },
    registration_known: {
      title: 'Esta plataforma ya está registrada aquí',
      text: 'Aquí no se ha cambiado nada. Para actualizarla, un administrador de este servicio crea un enlace de registro en la página de plataformas de aprendizaje; con ese enlace, elija «Actualizar» (Update) en la plataforma.',
    },
    registration_often: {
      title: 'Demasiados intentos',
      text: 'Han llegado demasiados registros desde su dirección. Espere un minuto y empiece de nuevo.',
    },
    registration_unreadable: {
      title: 'No se ha podido registrar la plataforma',
      text: 'Lo que la plataforma dice de sí misma no se ha podido leer, o no es lo que debería ser. No se ha guardado nada. Sin un enlace de un administrador, este servicio solo llega a plataformas con direcciones públicas.',
      isGeneral: true,
    },
    registration_refused: {
      title: 'No se ha podido registrar la plataforma',
      text: 'La plataforma no ha aceptado el registro. No se ha guardado nada. Empiece de nuevo en la plataforma; el enlace de este servicio puede volver a usarse dentro de su hora.',
      isGeneral: true,
    },
  },
  ready: (platform) => ({
    title: 'Registrada',
    text: `${platform} está registrada y activada aquí. Quedan algunos pasos en Moodle, en «Gestionar herramientas»:`,
  }),
  updated: (platform) => ({
    title: 'Actualizada',
    text: `${platform} ya estaba registrada aquí, y ahora está al día. Moodle ha restablecido lo que sigue, así que revíselo de nuevo:`,
  }),
  waiting: (platform) => ({
    title: 'Registrada, todavía sin activar',
    text: `${platform} está registrada. Funcionará en cuanto un administrador de este servicio la haya revisado y activado, en la página de plataformas de aprendizaje. También quedan algunos pasos en Moodle:`,
  }),
  steps: [
    'Elija «Activar» en la ficha de la herramienta.',
    'Abra su configuración (la rueda dentada) y, en «Uso de la configuración de la herramienta» (Tool configuration usage), elija «Mostrar en el selector de actividades y como herramienta preconfigurada» (Show in activity chooser and as a preconfigured tool). Hasta entonces el profesorado no la encuentra al añadir una actividad.',
    'En «Aceptar calificaciones desde la herramienta» deje «Según lo especificado en la definición de Deep Linking o delegar en el profesor» (As specified in Deep Linking definition or Delegate to teacher): así solo tienen columna de calificaciones las actividades que se califican.',
  ],
  close: 'Cerrar',
};

export const ca: RegistrationWords = {
  faults: {
    registration_request: {
      title: 'Aquesta pàgina l’obre una plataforma d’aprenentatge',
      text: 'És l’adreça on una plataforma d’aprenentatge registra aquest servei, i tal com s’ha cridat diu massa poc. A Moodle, enganxeu-la a «Gestiona les eines» i trieu «Afegeix LTI Advantage».',
    },
    registration_code: {
      title: 'Aquest enllaç de registre no és vàlid',
      text: 'Ja s’ha fet servir, o té més d’una hora. Creeu-ne un altre a la pàgina de plataformes d’aprenentatge i comenceu de nou.',
    },
    registration_full: {
      title: 'Ja hi ha massa plataformes en espera',
      text: 'Les plataformes que es registren sense un enllaç d’un administrador esperen fins que algun les activa, i ara mateix no n’hi pot esperar cap més. Demaneu un enllaç de registre a un administrador d’aquest servei.',
    },
    registration_known: {
      title: 'Aquesta plataforma ja està registrada aquí',
      text: 'Aquí no s’ha canviat res. Per actualitzar-la, un administrador d’aquest servei crea un enllaç de registre a la pàgina de plataformes d’aprenentatge; amb aquest enllaç, trieu «Actualitza» (Update) a la plataforma.',
    },
    registration_often: {
      title: 'Massa intents',
      text: 'Han arribat massa registres des de la vostra adreça. Espereu un minut i comenceu de nou.',
    },
    registration_unreadable: {
      title: 'No s’ha pogut registrar la plataforma',
      text: 'El que la plataforma diu de si mateixa no s’ha pogut llegir, o no és el que hauria de ser. No s’ha desat res. Sense un enllaç d’un administrador, aquest servei només arriba a plataformes amb adreces públiques.',
      isGeneral: true,
    },
    registration_refused: {
      title: 'No s’ha pogut registrar la plataforma',
      text: 'La plataforma no ha acceptat el registre. No s’ha desat res. Comenceu de nou a la plataforma; l’enllaç d’aquest servei es pot tornar a fer servir dins de la seva hora.',
      isGeneral: true,
    },
  },
  ready: (platform) => ({
    title: 'Registrada',
    text: `${platform} està registrada i activada aquí. Queden alguns passos a Moodle, a «Gestiona les eines»:`,
  }),
  updated: (platform) => ({
    title: 'Actualitzada',
    text: `${platform} ja estava registrada aquí, i ara està al dia. Moodle ha restablert el que segueix, de manera que reviseu-ho de nou:`,
  }),
  waiting: (platform) => ({
    title: 'Registrada, encara sense activar',
    text: `${platform} està registrada. Funcionarà quan un administrador d’aquest servei l’hagi revisada i activada, a la pàgina de plataformes d’aprenentatge. També queden alguns passos a Moodle:`,
  }),
  steps: [
    'Trieu «Activa» a la fitxa de l’eina.',
    'Obriu-ne la configuració (la roda dentada) i, a «Ús de la configuració de l’eina» (Tool configuration usage), trieu «Mostra al selector d’activitats i com a eina preconfigurada» (Show in activity chooser and as a preconfigured tool). Fins aleshores el professorat no la troba en afegir una activitat.',
    'A «Accepta qualificacions de l’eina» deixeu «Segons el que especifica la definició de Deep Linking o delega al professorat» (As specified in Deep Linking definition or Delegate to teacher): així només tenen columna de qualificacions les activitats que es qualifiquen.',
  ],
  close: 'Tanca',
};

export const eu: RegistrationWords = {
  faults: {
    registration_request: {
      title: 'Orri hau ikasketa-plataforma batek irekitzen du',
      text: 'Ikasketa-plataforma batek zerbitzu hau erregistratzeko helbidea da, eta deitu den moduan gutxiegi dio. Moodlen, itsatsi «Kudeatu tresnak» atalean eta aukeratu «Gehitu LTI Advantage».',
    },
    registration_code: {
      title: 'Erregistro-esteka honek ez du balio',
      text: 'Lehendik erabili da, edo ordubete baino gehiago du. Sortu beste bat ikasketa-plataformen orrian eta hasi berriro.',
    },
    registration_full: {
      title: 'Plataforma gehiegi daude zain',
      text: 'Administratzaile baten estekarik gabe erregistratzen diren plataformak zain geratzen dira norbaitek aktibatu arte, eta une honetan ezin da gehiagorik zain egon. Eskatu erregistro-esteka bat zerbitzu honetako administratzaile bati.',
    },
    registration_known: {
      title: 'Plataforma hau lehendik dago erregistratuta hemen',
      text: 'Hemen ez da ezer aldatu. Eguneratzeko, zerbitzu honetako administratzaile batek erregistro-esteka bat sortzen du ikasketa-plataformen orrian; esteka horrekin, aukeratu «Eguneratu» (Update) plataforman.',
    },
    registration_often: {
      title: 'Saiakera gehiegi',
      text: 'Zure helbidetik erregistro gehiegi iritsi dira. Itxaron minutu bat eta hasi berriro.',
    },
    registration_unreadable: {
      title: 'Ezin izan da plataforma erregistratu',
      text: 'Ezin izan da irakurri plataformak bere buruaz dioena, edo ez da izan behar lukeena. Ez da ezer gorde. Administratzaile baten estekarik gabe, zerbitzu hau helbide publikoetako plataformetara bakarrik iristen da.',
      isGeneral: true,
    },
    registration_refused: {
      title: 'Ezin izan da plataforma erregistratu',
      text: 'Plataformak ez du erregistroa onartu. Ez da ezer gorde. Hasi berriro plataforman; zerbitzu honen esteka berriro erabil daiteke bere orduaren barruan.',
      isGeneral: true,
    },
  },
  ready: (platform) => ({
    title: 'Erregistratuta',
    text: `${platform} erregistratuta eta aktibatuta dago hemen. Urrats batzuk falta dira Moodlen, «Kudeatu tresnak» atalean:`,
  }),
  updated: (platform) => ({
    title: 'Eguneratuta',
    text: `${platform} lehendik zegoen erregistratuta hemen, eta orain eguneratuta dago. Moodlek ondorengoa hasierako egoerara itzuli du; begiratu berriro:`,
  }),
  waiting: (platform) => ({
    title: 'Erregistratuta, oraindik aktibatu gabe',
    text: `${platform} erregistratuta dago. Zerbitzu honetako administratzaile batek ikasketa-plataformen orrian begiratu eta aktibatu bezain laster ibiliko da. Moodlen ere urrats batzuk falta dira:`,
  }),
  steps: [
    'Aukeratu «Aktibatu» tresnaren fitxan.',
    'Ireki haren ezarpenak (gurpil horzduna) eta, «Tresnaren konfigurazioaren erabilera» (Tool configuration usage) atalean, aukeratu «Erakutsi jarduera-hautatzailean eta aurrez konfiguratutako tresna gisa» (Show in activity chooser and as a preconfigured tool). Ordura arte irakasleek ez dute aurkituko jarduera bat gehitzean.',
    '«Onartu tresnaren kalifikazioak» atalean utzi «Deep Linking definizioan zehaztutakoa edo irakaslearen esku utzi» (As specified in Deep Linking definition or Delegate to teacher): horrela, kalifikatzen diren jarduerek bakarrik izango dute kalifikazio-zutabea.',
  ],
  close: 'Itxi',
};
