import type { welcome as english } from '../en/welcome.ts';

export const welcome: typeof english = {
  title: (name) => `Ongi etorri, ${name}`,
  lead: 'Sortu zure ikastaroa ezagutzen duten laguntzaileak, eta ikusi nola egiten duten lan.',
  steps: {
    title: 'Hiru urrats zure laguntzailera',
    done: 'Eginda',
    knowledge: 'Gehitu ezagutza',
    knowledgeText: 'Sortu bilduma bat eta jaregin bertan apunteak, diapositibak edo web-orri bat.',
    assistant: 'Sortu laguntzaile bat',
    assistantText: 'Esan zertarako den, eta eman zure bilduma, errubrika bat edo biak.',
    chat: 'Hitz egin harekin',
    chatText: 'Galdetu zure ikasleek galdetuko luketena, eta ikusi nondik datozen erantzunak.',
  },
  demo: {
    title: 'Probatu bat orain',
    text: 'Prest daude, biologiako ikastaro txiki batekin. Galdetu nahi duzuna; ezin da ezer hondatu.',
    ask: (name) => `Hitz egin honekin: ${name}`,
  },
  recent: { title: 'Jarraitu hizketan', all: 'Elkarrizketa guztiak', untitled: 'Elkarrizketa' },
  own: {
    title: 'Zure laguntzaileak',
    all: 'Laguntzaile guztiak',
    chat: 'Hitz egin',
    chatWith: (name) => `Hitz egin honekin: ${name}`,
  },
  setup: {
    title: 'Zer dagoen konfiguratuta',
    ready: 'Prest',
    missing: 'Falta da',
    optional: 'Konfiguratu gabe',
    setUp: 'Konfiguratu',
    setUpOf: (what) => `Konfiguratu: ${what}`,
    ask: 'Eskatu administratzaileari hau konfiguratzeko.',
    model: 'Hizkuntza-eredu bat',
    modelReady: (model, connector) =>
      `${model} (${connector}) ereduak erantzuten du, laguntzaile batek besterik esan ezean.`,
    modelUnchosen: (provider) => `${provider} konfiguratuta dago, baina ez da haren eredurik aukeratu.`,
    modelDemo:
      'Oraingoz konexiorik gabeko demoak bakarrik erantzuten du. Aurkitu eta aipatu egiten du, baina ez du idazten.',
    modelNone: 'Oraindik ez du eredurik erantzuten.',
    meaning: 'Esanahiaren araberako bilaketa',
    meaningReady: (name) => `Dokumentuak esanahiaren arabera ere aurkitzen dira, honekin: ${name}.`,
    meaningNone: 'Dokumentuak hitzen arabera aurkitzen dira, eta askotan nahikoa da.',
    server: 'Ezagutza-zerbitzaria',
    serverReady: 'Zure erakundeko zerbitzariko bildumak ere erabil daitezke.',
    moodle: 'Moodle',
    moodleReady: 'Laguntzaileek ikastaroak eta datak kontsulta ditzakete.',
    moodleNone: 'Moodle konektatuta, laguntzaileek ikastaroak eta datak kontsulta ditzakete.',
  },
  preferences: 'Hizkuntza eta itxura',
};
