import type { teaching as english } from '../en/teaching.ts';
import { counted } from './common.ts';

const dashboard: (typeof english)['dashboard'] = {
  title: 'Tauler',
  lead: 'Què han fet aquí els estudiants. El que proves tu no compta.',
  period: 'Període',
  days: (n) => `Últims ${String(n)} dies`,
  figures: 'D’un cop d’ull',
  students: 'Estudiants que han participat',
  ofAll: (n, percent) => `de ${String(n)} al curs (${percent})`,
  fewerThanFive: 'Menys de 5',
  questions: 'Preguntes',
  cost: 'Cost',
  noPrice: 'Preu desconegut',
  tokens: (n) => `${n} tokens`,
  notCounted:
    'Els dies en què van preguntar menys de cinc estudiants compten només com a part d’una setmana en què ho van fer cinc o més. El que queda fora no és en cap d’aquestes xifres.',
  perDay: 'Preguntes per dia',
  day: 'Dia',
  summary: (s) =>
    `Preguntes per dia del ${s.from} al ${s.to}: ${String(s.total)} en total` +
    (s.most > 0 ? `; el dia amb més, ${s.busiest}, amb ${String(s.most)}.` : '.'),
  asTable: 'Mostra-ho com a taula',
  hiddenDay: 'No es mostra',
  hiddenDays: (n) =>
    n === 1
      ? 'En 1 dia van preguntar menys de cinc estudiants. La xifra no es mostra (marcada amb –).'
      : `En ${String(n)} dies van preguntar menys de cinc estudiants. Les xifres no es mostren (marcades amb –).`,
  tools: 'Eines més usades',
  noTools: 'Els assistents no van usar cap eina en aquest temps.',
  calls: (n) => counted(n, 'crida', 'crides'),
  failed: (n) => `${String(n)} amb error`,
  attention: 'Val la pena mirar-ho',
  attentionLead: 'Preguntes que l’assistent no va respondre, o que va respondre sense cap font.',
  unanswered: 'Sense resposta',
  sourceless: 'Respostes sense font',
  examples: 'Exemples',
  open: 'Obre la conversa',
  nothingToSee: 'Totes les preguntes es van respondre, i amb una font.',
  noExamples: {
    none: 'Les preguntes no es mostren: en aquesta activitat ningú més que l’estudiant llegeix una conversa.',
    other: 'Cap d’aquestes preguntes es pot mostrar: no ho permet el que es va prometre als seus estudiants.',
  },
  smallGroup: {
    title: 'Hi han participat menys de cinc estudiants.',
    text: 'En un grup tan petit les xifres dirien qui va preguntar què. Per això encara no es mostren. Apareixeran amb el cinquè estudiant.',
  },
  empty: {
    title: 'Ningú no ha preguntat res encara',
    text: 'Quan els estudiants facin servir aquesta activitat veuràs aquí quants hi participen, sobre què pregunten i quant costa.',
    longer: 'Mira un període més llarg',
  },
};

const transcripts: (typeof english)['transcripts'] = {
  title: 'Converses',
  policies: {
    none: 'Ningú més que l’estudiant llegeix una conversa.',
    pseudonymous:
      'Llegeixes què es va dir, no qui ho va dir: els estudiants es diuen «Estudiant 1», «Estudiant 2», etc.',
    named: 'Llegeixes les converses amb nom, de qui hi ha donat el consentiment.',
  },
  stricter:
    'El que es va prometre quan va començar una conversa val per a ella, encara que la configuració hagi canviat després.',
  closed: {
    policy_none: {
      title: 'Ningú més que l’estudiant llegeix les converses',
      text: 'Així està configurada aquesta activitat. Es pot canviar a la configuració; les converses anteriors continuaran tancades.',
    },
    too_few: {
      title: 'Encara hi ha massa pocs estudiants',
      text: 'Les converses es mostren quan hi han participat cinc estudiants: abans se sabria qui les va escriure.',
    },
  },
  emptyTitle: 'Encara no hi ha converses',
  empty: 'Aquí apareixen les converses que pots llegir.',
  list: 'Converses',
  student: (n) => `Estudiant ${String(n)}`,
  untitled: 'Sense títol',
  messages: (n) => counted(n, 'missatge', 'missatges'),
  back: 'Totes les converses',
  gone: 'Aquesta conversa ja no hi és, o ja no es pot llegir.',
  began: (when) => `Va començar el ${when}`,
  nothingSaid: 'Aquí no es va dir res.',
};

const grading: (typeof english)['grading'] = {
  title: 'Notes',
  lead: 'Un assistent proposa, tu decideixes. Res no s’envia al curs abans que ho aprovis.',
  state: 'Estat',
  anyState: 'Tots els estats',
  states: {
    submitted: 'Lliurat',
    evaluating: 'En avaluació',
    proposed: 'Per decidir',
    failed: 'Avaluació fallida',
    approved: 'Aprovat',
    posted: 'Al llibre de qualificacions',
    rejected: 'Retornat',
  },
  notSent: 'Sense enviar',
  typeIn: 'Cal anotar-ho a mà',
  refresh: 'Actualitza',
  queue: 'Lliuraments',
  student: 'Estudiant',
  handedIn: 'Lliurat',
  points: 'Punts',
  nameless: 'Nom desconegut',
  of: (score, maximum) => `${score} de ${maximum}`,
  proposedPoints: (points) => `${points} (proposta)`,
  emptyTitle: 'Encara no hi ha lliuraments',
  empty: 'El que lliurin els estudiants apareix aquí amb una proposta de nota.',
  nothingFound: 'No hi ha res en aquest estat.',
  back: 'Tots els lliuraments',
  gone: 'Aquest lliurament ja no hi és. Potser l’estudiant l’ha retirat.',
  text: 'El que s’ha lliurat',
  rubric: 'Nota',
  weight: (percent) => `pes ${percent}`,
  levelPoints: (n, one) => (one ? `${n} punt` : `${n} punts`),
  proposed: 'proposat',
  why: (reason) => `Per què: ${reason}`,
  total: 'Punts',
  totalHint: (total, maximum) => `Els nivells sumen ${total} de ${maximum}.`,
  totalOnSave: 'Els punts es calculen en desar.',
  totalUnknown: 'Tria un nivell de cada criteri.',
  byHand: 'Posa altres punts',
  byLevels: 'Usa els punts dels nivells',
  scoreLabel: (maximum) => (maximum === undefined ? 'Punts' : `Punts, de ${maximum}`),
  noNumber: 'Escriu un nombre.',
  tooMany: (maximum) => `Com a màxim ${maximum}.`,
  comment: 'Comentari per a l’estudiant',
  commentHint: 'L’estudiant el llegeix juntament amb la nota.',
  save: 'Desa',
  saved: 'Desat.',
  notSaved: 'Sense desar',
  approve: 'Aprova',
  approveTitle: 'Vols aprovar aquesta nota?',
  approveMeans: (who, points) =>
    `${points} per a ${who}. La nota i el teu comentari s’envien al llibre de qualificacions del curs, i l’estudiant els veu.`,
  approveByHand: (who, points) =>
    `${points} per a ${who}. Des d’aquí no s’arriba al llibre de qualificacions d’aquest curs: hauràs d’anotar la nota al curs a mà.`,
  approved: 'Aprovat.',
  reject: 'Retorna',
  rejectTitle: 'Vols retornar-lo sense nota?',
  rejectMeans: 'No s’envia cap nota. L’estudiant veu el teu comentari i pot tornar a lliurar.',
  rejected: 'Retornat.',
  evaluate: 'Avalua de nou',
  evaluateTitle: 'Vols avaluar-lo de nou?',
  evaluateMeans: 'L’assistent fa una proposta nova. Substitueix aquesta i el que hagis canviat.',
  evaluationStarted: 'S’està avaluant.',
  waiting: 'L’assistent està llegint el text. La proposta apareixerà aquí.',
  failedWhy: (why) => `No s’ha pogut avaluar el text: ${why}`,
  failed: 'No s’ha pogut avaluar el text.',
  gradeByHand: 'Pots tornar-ho a provar o qualificar-lo tu.',
  overtaken:
    'Ha canviat mentrestant: algú més hi ha treballat, o ha arribat una proposta nova. No s’ha enviat res. El que has escrit continua aquí; compara-ho i torna a desar o aprovar.',
  takeTheirs: 'Descarta el que he escrit',
  posting: {
    waiting: 'De camí al llibre de qualificacions del curs.',
    waitingAgain: (n) =>
      `De camí al llibre de qualificacions del curs. ${counted(n, 'intent', 'intents')} fins ara.`,
    lastError: (why) => `L’última resposta va ser: ${why}`,
    posted: 'Al llibre de qualificacions del curs.',
    postedAt: (when) => `Enviat al llibre de qualificacions del curs el ${when}.`,
    failed: 'No s’ha pogut enviar al llibre de qualificacions del curs.',
    failedWhy: (why) => `No s’ha pogut enviar al llibre de qualificacions del curs: ${why}`,
    again: 'Torna-ho a provar ara',
    tried: 'S’està tornant a enviar.',
    impossible: 'Aquest curs no accepta notes des d’aquí. Anota això a mà al llibre de qualificacions:',
    impossibleWhy: (why) => `Aquest curs no accepta notes des d’aquí (${why}). Anota això a mà:`,
  },
  noGradeBook:
    'Des d’aquí no s’arriba al llibre de qualificacions d’aquest curs. Pots qualificar; el que aprovis caldrà anotar-ho al curs a mà.',
  noEvaluation:
    'En aquesta activitat cap assistent proposa notes. Tria a la configuració un que avaluï amb una rúbrica.',
};

export const teaching: typeof english = { dashboard, transcripts, grading };
