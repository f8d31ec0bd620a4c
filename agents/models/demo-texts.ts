/** What the offline demo says, in the languages of the pages, and how it tells what was meant without understanding it. */

export interface Words {
  readonly greeting: string;
  readonly whatItIs: string;
  /** Before what can be asked. */
  readonly ask: string;
  readonly askAnything: string;
  readonly weather: string;
  readonly nothing: string;
  /** Before why, in the words of whatever was asked. */
  readonly failed: string;
  readonly sources: string;
  readonly disclaimer: string;
}

const WORDS = {
  en: {
    greeting: 'Hello! It is good to have you here.',
    whatItIs:
      'I am a demo that works without any model: I find and quote what this assistant was given, and write nothing of my own.',
    ask: 'You can ask me about:',
    askAnything: 'Ask me about something that stands in the material of this assistant.',
    weather: 'The weather somewhere: “What is the weather in Bilbao?”',
    nothing: 'I found nothing on that in what this assistant was given.',
    failed: 'I asked for that, but could not get it:',
    sources: 'Sources',
    disclaimer:
      '(This is the offline demo, not a language model: it only quotes what was found. Once an administrator has set up a model, it answers in its place.)',
  },
  es: {
    greeting: '¡Hola! Me alegra verte por aquí.',
    whatItIs:
      'Soy una demostración que funciona sin ningún modelo: busco y cito lo que se le ha dado a este asistente, y no escribo nada por mi cuenta.',
    ask: 'Puedes preguntarme sobre:',
    askAnything: 'Pregúntame por algo que esté en el material de este asistente.',
    weather: 'El tiempo en algún lugar: «¿Qué tiempo hace en Bilbao?»',
    nothing: 'No he encontrado nada sobre eso en lo que se le ha dado a este asistente.',
    failed: 'Lo he consultado, pero no se ha podido obtener:',
    sources: 'Fuentes',
    disclaimer:
      '(Esta es la demostración sin conexión, no un modelo de lenguaje: solo cita lo que ha encontrado. Cuando un administrador configure un modelo, responderá en su lugar.)',
  },
  ca: {
    greeting: 'Hola! M’alegra veure’t per aquí.',
    whatItIs:
      'Soc una demostració que funciona sense cap model: busco i cito el que s’ha donat a aquest assistent, i no escric res pel meu compte.',
    ask: 'Em pots preguntar sobre:',
    askAnything: 'Pregunta’m per alguna cosa que sigui al material d’aquest assistent.',
    weather: 'El temps en algun lloc: «Quin temps fa a Bilbao?»',
    nothing: 'No he trobat res sobre això en el que s’ha donat a aquest assistent.',
    failed: 'Ho he consultat, però no s’ha pogut obtenir:',
    sources: 'Fonts',
    disclaimer:
      '(Aquesta és la demostració sense connexió, no un model de llenguatge: només cita el que ha trobat. Quan un administrador configuri un model, respondrà al seu lloc.)',
  },
  eu: {
    greeting: 'Kaixo! Pozten naiz zu hemen ikusteaz.',
    whatItIs:
      'Eredurik gabe dabilen erakustaldi bat naiz: laguntzaile honi emandakoa bilatu eta aipatzen dut, eta ez dut nire kabuz ezer idazten.',
    ask: 'Hauei buruz galde diezadakezu:',
    askAnything: 'Galdetu laguntzaile honen materialean dagoen zerbaiti buruz.',
    weather: 'Leku bateko eguraldia: «Zer eguraldi egiten du Bilbo aldean?»',
    nothing: 'Ez dut horri buruzko ezer aurkitu laguntzaile honi emandakoan.',
    failed: 'Galdetu dut, baina ezin izan da lortu:',
    sources: 'Iturriak',
    disclaimer:
      '(Hau konexiorik gabeko erakustaldia da, ez hizkuntza-eredu bat: aurkitutakoa baino ez du aipatzen. Administratzaile batek eredu bat prestatzen duenean, hark erantzungo du.)',
  },
} as const satisfies Record<string, Words>;

type Language = keyof typeof WORDS;

/** Small words that one language has and the others have not, without accents. */
const MARKS: Readonly<Record<Language, string>> = {
  en: 'hello hi hey good the what how can you is are do does and of when where who why which help me my it in to',
  es: 'hola buenas buenos dias tardes noches que como puedes puedo cuando donde quien por el los las es son del una ayuda ayudame haces hacer eres sabes y esta gracias cual',
  ca: 'bon bona dia tarda nit que com pots puc quan on qui per els les es son amb una ajuda ajudam fas fer ets saps i aquest aixo gracies quin quina',
  eu: 'kaixo egun on arratsalde gabon aupa epa zer nola non noiz nor zergatik da dira eta egin dezakezu dezaket galdetu laguntza lagundu zara naiz hau hori zein du',
};

/** Whole beginnings of a message; what may follow is a name. */
const GREETING =
  /^(hello|hi|hey|good (morning|afternoon|evening|day)|hola|buenas|buenos dias|buenas (tardes|noches)|bon dia|bona (tarda|nit)|kaixo|egun on|arratsalde on|gabon|aupa|epa)\b/;

const ASKING_WHAT_IT_DOES = [
  /\b(what|how) (can|could|do) (you|i|we) (do|ask|help|try|work)\b|\b(who|what) are you\b|\bwhat is this\b|^help( me)?$/,
  /\b(que|como) (puedes|sabes|puedo|podemos|me puedes|te puedo) (hacer|ayudar|ayudarme|preguntar|preguntarte)\b|\bque haces\b|\bquien eres\b|\bque eres\b|\bcomo funcionas?\b|^(ayuda|ayudame)$/,
  /\b(que|com) (pots|saps|puc|podem|em pots|et puc) (fer|ajudar|ajudar me|preguntar|preguntar te)\b|\bque fas\b|\bqui ets\b|\bque ets\b|\bcom funcion(es|a)\b|^(ajuda|ajudam)$/,
  /\bzer (egin|galde\w*) (dezakezu|dezaket|dezakegu|ahal\w*)\b|\bzer egiten duzu\b|\bnor zara\b|\bzer zara\b|\bnola (funtzionatzen|laguntzen|lagun)\b|^(laguntza|lagundu)$/,
];

const LONGEST_GREETING = 5;
const LONGEST_ASKING = 9;

/** The language most of its small words are of; English when none tells. */
export function wordsFor(question: string): Words {
  const said = new Set(plain(question).split(' '));
  const scores = (Object.keys(WORDS) as Language[]).map((language) => ({
    language,
    score: MARKS[language].split(' ').filter((mark) => said.has(mark)).length,
  }));
  const best = scores.reduce((best, each) => (each.score > best.score ? each : best));
  return WORDS[best.language];
}

/** A greeting, or a question about the assistant itself: nothing to look up. */
export function smallTalkIn(question: string): 'greeting' | 'what it does' | undefined {
  const said = plain(question);
  const { length } = said.split(' ');
  const asked = said.replace(GREETING, '').trim();
  if (length <= LONGEST_ASKING && ASKING_WHAT_IT_DOES.some((asking) => asking.test(asked)))
    return 'what it does';
  return length <= LONGEST_GREETING && GREETING.test(said) && !question.includes('?')
    ? 'greeting'
    : undefined;
}

/** Without what this demo says of itself: an assistant that was asked may be one, too. */
export const withoutDisclaimers = (text: string): string =>
  Object.values(WORDS).reduce((left, { disclaimer }) => left.replaceAll(disclaimer, ''), text);

/** Small letters without accents, and one blank between words. */
function plain(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return (letters.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
