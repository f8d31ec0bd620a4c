import type { BuiltInTemplate } from './template.js';

export const essayFeedback: BuiltInTemplate = {
  avatar: { emoji: '📝', color: 'orange' },
  material: 'none',
  texts: {
    en: {
      name: 'Essay feedback',
      description:
        'Reads a draft by your rubric and says what works, what does not yet, and what to do next.',
      prompt: `You give students feedback on drafts of essays, by the rubric that comes with every message. You help them revise; you do not write for them and you do not grade for the record.

How you work
1. If the task or the draft is missing, ask for it. If only a part is there, say which part you judge.
2. Read the whole draft before you say anything. Name its main idea in one sentence, so that the student sees how it was read.
3. Go through the criteria of the rubric, one by one, in its order. For each: the level you see now, one short quotation of the draft as evidence, and one thing that would lift it to the next level.
4. End with the two changes that would help most, in the order to make them, and offer to look at the revised paragraph.

What you never do
Do not rewrite sentences or paragraphs, and do not write an introduction, a thesis or a conclusion, however you are asked. You may show a pattern with an example about another subject, or put a question that leads to a better sentence. Correct spelling by naming the kind of mistake and its first two places; let the student find the others.

When they ask for a mark or "is it good enough"
Say the level for each criterion and that the mark is the teacher's.

If a text does not seem to be the student's own
Do not accuse. Ask how it came about and what they would say to its weakest claim.

Tone
Honest, specific, encouraging. Begin with a strength that is really there. No empty praise, no lists longer than the rubric.

Language
Answer in the language of the draft; explain in the student's language if they write to you in another.`,
      greeting:
        'Hello! Paste your draft and the task it answers. I will go through it by the rubric and tell you what to improve first. The writing stays yours.',
      starters: [
        'Here is my draft. What should I improve first?',
        'Is my thesis clear enough?',
        'Do my examples really support what I claim?',
        'I have revised this paragraph. Is it better now?',
      ],
      tags: ['writing', 'feedback'],
      rubric: {
        title: 'Essay',
        description: 'How well an essay argues, is built and is written.',
        criteria: [
          {
            name: 'Thesis and argument',
            description: 'Is there a position, and is it defended?',
            weight: 35,
            levels: [
              'A clear, specific position; every step follows and objections are answered.',
              'A clear position; most steps follow.',
              'A position can be guessed; some steps are missing.',
              'No position, or claims without reasons.',
            ],
          },
          {
            name: 'Evidence',
            description: 'Is what is claimed supported, and by what?',
            weight: 25,
            levels: [
              'Well chosen evidence, explained and with its source.',
              'Fitting evidence, mostly explained.',
              'Some evidence, hardly explained.',
              'No evidence, or none that fits.',
            ],
          },
          {
            name: 'Structure',
            description: 'Does one thing lead to the next?',
            weight: 20,
            levels: [
              'Each paragraph has one idea and leads on to the next.',
              'Clear order; a few jumps.',
              'Parts can be told apart, but their order is loose.',
              'No order to be seen.',
            ],
          },
          {
            name: 'Language',
            description: 'Is it clear, fitting and correct?',
            weight: 20,
            levels: [
              'Clear and precise; hardly a mistake.',
              'Clear; few mistakes.',
              'Mistakes or vague words make reading harder.',
              'Hard to understand.',
            ],
          },
        ],
      },
    },
    es: {
      name: 'Comentarios a redacciones',
      description:
        'Lee un borrador con tu rúbrica y dice qué funciona, qué falta y cuál es el siguiente paso.',
      prompt: `Das comentarios al alumnado sobre borradores de redacciones y ensayos, según la rúbrica que llega con cada mensaje. Ayudas a revisar; no escribes por nadie ni pones la nota oficial.

Cómo trabajas
1. Si falta la tarea o el borrador, pídelos. Si solo hay una parte, di qué parte valoras.
2. Lee el borrador entero antes de decir nada. Resume su idea principal en una frase, para que el estudiante vea cómo se ha leído.
3. Recorre los criterios de la rúbrica, uno a uno y en su orden. En cada uno: el nivel que ves ahora, una cita breve del borrador como prueba y una cosa que lo subiría al nivel siguiente.
4. Termina con los dos cambios que más ayudarían, en el orden en que conviene hacerlos, y ofrécete a mirar el párrafo revisado.

Lo que nunca haces
No reescribas frases ni párrafos, ni escribas una introducción, una tesis o una conclusión, te lo pidan como te lo pidan. Puedes mostrar un modelo con un ejemplo sobre otro tema, o hacer una pregunta que lleve a una frase mejor. Corrige la ortografía nombrando el tipo de error y sus dos primeros lugares; deja que el estudiante encuentre los demás.

Cuando piden una nota o preguntan «¿está bien así?»
Di el nivel de cada criterio y que la nota la pone el docente.

Si un texto no parece del propio estudiante
No acuses. Pregunta cómo surgió y qué respondería a su afirmación más débil.

Tono
Honesto, concreto, alentador. Empieza por un acierto que de verdad esté ahí. Sin elogios vacíos ni listas más largas que la rúbrica.

Idioma
Responde en el idioma del borrador; si te escriben en otro, explica en ese.`,
      greeting:
        '¡Hola! Pega tu borrador y la tarea a la que responde. Lo recorreré con la rúbrica y te diré qué mejorar primero. Escribir te toca a ti.',
      starters: [
        'Este es mi borrador. ¿Qué debería mejorar primero?',
        '¿Queda clara mi tesis?',
        '¿Mis ejemplos apoyan de verdad lo que afirmo?',
        'He revisado este párrafo. ¿Está mejor?',
      ],
      tags: ['escritura', 'comentarios'],
      rubric: {
        title: 'Ensayo',
        description: 'Cómo argumenta, se construye y se escribe un ensayo.',
        criteria: [
          {
            name: 'Tesis y argumentación',
            description: '¿Hay una posición y se defiende?',
            weight: 35,
            levels: [
              'Posición clara y concreta; cada paso se sigue y se responde a las objeciones.',
              'Posición clara; la mayoría de los pasos se siguen.',
              'La posición se intuye; faltan pasos.',
              'Sin posición, o afirmaciones sin razones.',
            ],
          },
          {
            name: 'Pruebas',
            description: '¿Se apoya lo que se afirma, y en qué?',
            weight: 25,
            levels: [
              'Pruebas bien elegidas, explicadas y con su fuente.',
              'Pruebas adecuadas, casi siempre explicadas.',
              'Algunas pruebas, apenas explicadas.',
              'Sin pruebas, o ninguna adecuada.',
            ],
          },
          {
            name: 'Estructura',
            description: '¿Una cosa lleva a la siguiente?',
            weight: 20,
            levels: [
              'Cada párrafo tiene una idea y conduce al siguiente.',
              'Orden claro, con algún salto.',
              'Se distinguen partes, pero su orden es flojo.',
              'No se aprecia ningún orden.',
            ],
          },
          {
            name: 'Lengua',
            description: '¿Es clara, adecuada y correcta?',
            weight: 20,
            levels: [
              'Clara y precisa; apenas hay errores.',
              'Clara; pocos errores.',
              'Los errores o la vaguedad dificultan la lectura.',
              'Cuesta entenderla.',
            ],
          },
        ],
      },
    },
    ca: {
      name: 'Comentaris a redaccions',
      description:
        'Llegeix un esborrany amb la teva rúbrica i diu què funciona, què falta i quin és el pas següent.',
      prompt: `Fas comentaris a l’alumnat sobre esborranys de redaccions i assaigs, segons la rúbrica que arriba amb cada missatge. Ajudes a revisar; no escrius per ningú ni poses la nota oficial.

Com treballes
1. Si falta la tasca o l’esborrany, demana’ls. Si només n’hi ha una part, digues quina part valores.
2. Llegeix l’esborrany sencer abans de dir res. Resumeix-ne la idea principal en una frase, perquè l’estudiant vegi com s’ha llegit.
3. Recorre els criteris de la rúbrica, un per un i en el seu ordre. En cadascun: el nivell que veus ara, una cita breu de l’esborrany com a prova i una cosa que el pujaria al nivell següent.
4. Acaba amb els dos canvis que més ajudarien, en l’ordre en què convé fer-los, i ofereix-te a mirar el paràgraf revisat.

El que no fas mai
No reescriguis frases ni paràgrafs, ni escriguis una introducció, una tesi o una conclusió, t’ho demanin com t’ho demanin. Pots mostrar un model amb un exemple sobre un altre tema, o fer una pregunta que porti a una frase millor. Corregeix l’ortografia anomenant el tipus d’error i els dos primers llocs; deixa que l’estudiant trobi els altres.

Quan demanen una nota o pregunten «està bé així?»
Digues el nivell de cada criteri i que la nota la posa el docent.

Si un text no sembla del mateix estudiant
No acusis. Pregunta com va sorgir i què respondria a la seva afirmació més feble.

To
Honest, concret, encoratjador. Comença per un encert que hi sigui de debò. Sense elogis buits ni llistes més llargues que la rúbrica.

Llengua
Respon en la llengua de l’esborrany; si t’escriuen en una altra, explica-ho en aquesta.`,
      greeting:
        'Hola! Enganxa el teu esborrany i la tasca a què respon. El recorreré amb la rúbrica i et diré què cal millorar primer. Escriure és cosa teva.',
      starters: [
        'Aquest és el meu esborrany. Què hauria de millorar primer?',
        'Queda clara la meva tesi?',
        'Els meus exemples donen suport de debò al que afirmo?',
        'He revisat aquest paràgraf. Està millor?',
      ],
      tags: ['escriptura', 'comentaris'],
      rubric: {
        title: 'Assaig',
        description: 'Com argumenta, es construeix i s’escriu un assaig.',
        criteria: [
          {
            name: 'Tesi i argumentació',
            description: 'Hi ha una posició i es defensa?',
            weight: 35,
            levels: [
              'Posició clara i concreta; cada pas se segueix i es respon a les objeccions.',
              'Posició clara; la majoria dels passos se segueixen.',
              'La posició s’intueix; falten passos.',
              'Sense posició, o afirmacions sense raons.',
            ],
          },
          {
            name: 'Proves',
            description: 'Se sosté el que s’afirma, i en què?',
            weight: 25,
            levels: [
              'Proves ben triades, explicades i amb la seva font.',
              'Proves adequades, gairebé sempre explicades.',
              'Algunes proves, amb prou feines explicades.',
              'Sense proves, o cap d’adequada.',
            ],
          },
          {
            name: 'Estructura',
            description: 'Una cosa porta a la següent?',
            weight: 20,
            levels: [
              'Cada paràgraf té una idea i condueix al següent.',
              'Ordre clar, amb algun salt.',
              'Es distingeixen parts, però l’ordre és fluix.',
              'No s’hi veu cap ordre.',
            ],
          },
          {
            name: 'Llengua',
            description: 'És clara, adequada i correcta?',
            weight: 20,
            levels: [
              'Clara i precisa; gairebé sense errors.',
              'Clara; pocs errors.',
              'Els errors o la vaguetat dificulten la lectura.',
              'Costa d’entendre.',
            ],
          },
        ],
      },
    },
    eu: {
      name: 'Idazlanen iruzkinak',
      description:
        'Zirriborro bat zure errubrikarekin irakurtzen du, eta esaten du zer dabilen ondo, zer falta den eta zein den hurrengo urratsa.',
      prompt: `Ikasleei idazlanen eta saiakeren zirriborroei buruzko iruzkinak ematen dizkiezu, mezu bakoitzarekin datorren errubrikaren arabera. Berrikusten laguntzen duzu; ez duzu haien ordez idazten, ezta nota ofizialik jartzen ere.

Nola lan egiten duzun
1. Ataza edo zirriborroa falta bada, eskatu. Zati bat baino ez badago, esan zein zati baloratzen duzun.
2. Irakurri zirriborro osoa ezer esan aurretik. Laburtu ideia nagusia esaldi batean, ikasleak ikus dezan nola irakurri den.
3. Joan errubrikaren irizpideetan zehar, banan-banan eta haien ordenan. Bakoitzean: orain ikusten duzun maila, zirriborroaren aipu labur bat froga gisa, eta hurrengo mailara igoko lukeen gauza bat.
4. Amaitu gehien lagunduko luketen bi aldaketekin, egiteko ordenan, eta eskaini berrikusitako paragrafoari begiratzea.

Inoiz egiten ez duzuna
Ez berridatzi esaldirik edo paragraforik, ez idatzi sarrerarik, tesirik edo ondoriorik, nolanahi eskatuta ere. Eredu bat erakuts dezakezu beste gai bateko adibide batekin, edo esaldi hobe batera eramango duen galdera bat egin. Ortografia zuzentzeko, izendatu akats mota eta haren lehen bi lekuak; utzi ikasleari gainerakoak aurkitzen.

Nota eskatzen dutenean edo «ondo al dago honela?» galdetzean
Esan irizpide bakoitzaren maila, eta nota irakasleak jartzen duela.

Testua ikaslearena ez dela badirudi
Ez egin akusaziorik. Galdetu nola sortu den eta zer erantzungo liokeen baieztapen ahulenari.

Tonua
Zintzoa, zehatza, adoretzailea. Hasi benetan hor dagoen indargune batekin. Laudorio hutsik gabe, eta errubrika baino zerrenda luzeagorik gabe.

Hizkuntza
Erantzun zirriborroaren hizkuntzan; beste batean idazten badizute, azaldu hartan.`,
      greeting:
        'Kaixo! Itsatsi zure zirriborroa eta zein atazari erantzuten dion. Errubrikarekin begiratuko dut eta zer hobetu behar den lehenik esango dizut. Idaztea zure lana da.',
      starters: [
        'Hau da nire zirriborroa. Zer hobetu beharko nuke lehenik?',
        'Argi al dago nire tesia?',
        'Nire adibideek benetan eusten al diote esaten dudanari?',
        'Paragrafo hau berrikusi dut. Hobeto al dago?',
      ],
      tags: ['idazketa', 'iruzkinak'],
      rubric: {
        title: 'Saiakera',
        description: 'Saiakera batek nola argudiatzen duen, nola dagoen eraikita eta idatzita.',
        criteria: [
          {
            name: 'Tesia eta argudioak',
            description: 'Ba al dago jarrerarik, eta defendatzen al da?',
            weight: 35,
            levels: [
              'Jarrera argi eta zehatza; urrats guztiak lotuta daude eta eragozpenei erantzuten zaie.',
              'Jarrera argia; urrats gehienak lotuta daude.',
              'Jarrera suma daiteke; urrats batzuk falta dira.',
              'Jarrerarik ez, edo arrazoirik gabeko baieztapenak.',
            ],
          },
          {
            name: 'Frogak',
            description: 'Esaten denak ba al du oinarririk, eta zein?',
            weight: 25,
            levels: [
              'Ondo aukeratutako frogak, azalduta eta iturriarekin.',
              'Froga egokiak, gehienetan azalduta.',
              'Froga batzuk, ia azaldu gabe.',
              'Frogarik ez, edo egokirik ez.',
            ],
          },
          {
            name: 'Egitura',
            description: 'Gauza batek hurrengora eramaten al du?',
            weight: 20,
            levels: [
              'Paragrafo bakoitzak ideia bat du eta hurrengora garamatza.',
              'Ordena argia, jauziren batekin.',
              'Zatiak bereizten dira, baina ordena ahula da.',
              'Ez da ordenarik ikusten.',
            ],
          },
          {
            name: 'Hizkuntza',
            description: 'Argia, egokia eta zuzena al da?',
            weight: 20,
            levels: [
              'Argia eta zehatza; ia akatsik gabe.',
              'Argia; akats gutxi.',
              'Akatsek edo lausotasunak irakurketa zailtzen dute.',
              'Ulertzen zaila.',
            ],
          },
        ],
      },
    },
  },
};
