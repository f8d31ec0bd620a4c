/** What the page says by itself. */
export interface Words {
  readonly lang: string;
  page(pages: string): string;
  /** How the text came about, where it is in a picture. */
  readonly recognised: string;
  readonly described: string;
  openAt(page: number): string;
  readonly open: string;
  readonly download: string;
  readonly source: string;
  readonly toPassage: string;
  readonly begins: string;
  readonly ends: string;
  readonly why: string;
  readonly corrected: string;
  readonly preformatted: string;
  readonly goneTitle: string;
  readonly gone: string;
}

/** Who looks at the page: in which words, and in which of our two themes, when they have chosen one. */
export interface Reader {
  readonly words: Words;
  readonly theme: 'light' | 'dark' | undefined;
}

const en: Words = {
  lang: 'en',
  page: (pages) => (pages.includes('–') ? `Pages ${pages}` : `Page ${pages}`),
  recognised: 'Text recognised from a picture',
  described: 'Description of a picture by a model',
  openAt: (page) => `Open the document at page ${String(page)}`,
  open: 'Open the document',
  download: 'Download the document',
  source: 'Open the web page it came from',
  toPassage: 'Go to the quoted passage',
  begins: 'Quoted passage begins',
  ends: 'Quoted passage ends',
  why: 'You see this section because an answer quoted it.',
  corrected: 'Corrected by whoever looks after the collection; the document itself says it otherwise.',
  preformatted: 'Table or code',
  goneTitle: 'This passage is no longer here',
  gone: 'The link may be incomplete or too old, or the document was changed or removed after it was quoted. Ask the assistant again to get a present source.',
};

const es: Words = {
  lang: 'es',
  page: (pages) => (pages.includes('–') ? `Páginas ${pages}` : `Página ${pages}`),
  recognised: 'Texto reconocido en una imagen',
  described: 'Descripción de una imagen hecha por un modelo',
  openAt: (page) => `Abrir el documento por la página ${String(page)}`,
  open: 'Abrir el documento',
  download: 'Descargar el documento',
  source: 'Abrir la página web de la que procede',
  toPassage: 'Ir al pasaje citado',
  begins: 'Empieza el pasaje citado',
  ends: 'Termina el pasaje citado',
  why: 'Ve esta sección porque una respuesta la ha citado.',
  corrected: 'Corregido por quien cuida de la colección; el documento lo dice de otra manera.',
  preformatted: 'Tabla o código',
  goneTitle: 'Este pasaje ya no está aquí',
  gone: 'Puede que el enlace esté incompleto o sea demasiado antiguo, o que el documento se haya cambiado o eliminado después de citarlo. Vuelva a preguntar al asistente para obtener una fuente actual.',
};

const ca: Words = {
  lang: 'ca',
  page: (pages) => (pages.includes('–') ? `Pàgines ${pages}` : `Pàgina ${pages}`),
  recognised: 'Text reconegut en una imatge',
  described: 'Descripció d’una imatge feta per un model',
  openAt: (page) => `Obre el document per la pàgina ${String(page)}`,
  open: 'Obre el document',
  download: 'Baixa el document',
  source: 'Obre la pàgina web d’on prové',
  toPassage: 'Ves al passatge citat',
  begins: 'Comença el passatge citat',
  ends: 'Acaba el passatge citat',
  why: 'Veieu aquesta secció perquè una resposta l’ha citada.',
  corrected: 'Corregit per qui té cura de la col·lecció; el document ho diu d’una altra manera.',
  preformatted: 'Taula o codi',
  goneTitle: 'Aquest passatge ja no és aquí',
  gone: 'Pot ser que l’enllaç sigui incomplet o massa antic, o que el document s’hagi canviat o eliminat després de citar-lo. Torneu a preguntar a l’assistent per obtenir una font actual.',
};

const eu: Words = {
  lang: 'eu',
  page: (pages) => (pages.includes('–') ? `${pages}. orrialdeak` : `${pages}. orrialdea`),
  recognised: 'Irudi batean ezagututako testua',
  described: 'Eredu batek egindako irudi baten deskribapena',
  openAt: (page) => `Ireki dokumentua ${String(page)}. orrialdean`,
  open: 'Ireki dokumentua',
  download: 'Deskargatu dokumentua',
  source: 'Ireki jatorrizko web-orria',
  toPassage: 'Joan aipatutako pasartera',
  begins: 'Aipatutako pasartearen hasiera',
  ends: 'Aipatutako pasartearen amaiera',
  why: 'Atal hau erantzun batek aipatu duelako ikusten duzu.',
  corrected: 'Bilduma zaintzen duenak zuzendua; dokumentuak berak beste modu batera dio.',
  preformatted: 'Taula edo kodea',
  goneTitle: 'Pasarte hau ez dago jada hemen',
  gone: 'Baliteke esteka osatu gabe egotea edo zaharregia izatea, edo dokumentua aldatu edo kendu izana aipatu ondoren. Galdetu berriro laguntzaileari iturri berri bat lortzeko.',
};

const LANGUAGES: ReadonlyMap<string, Words> = new Map([en, es, ca, eu].map((words) => [words.lang, words]));

/** The first of the languages somebody reads that the page is in, else English. `wished` is in their order. */
export function wordsIn(wished: readonly string[]): Words {
  const primary = wished.map((tag) => tag.split('-')[0]?.toLowerCase() ?? '');
  return primary.map((lang) => LANGUAGES.get(lang)).find((words) => words !== undefined) ?? en;
}
