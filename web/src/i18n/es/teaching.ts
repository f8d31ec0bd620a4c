import type { teaching as english } from '../en/teaching.ts';
import { counted } from './common.ts';

const dashboard: (typeof english)['dashboard'] = {
  title: 'Panel',
  lead: 'Qué han hecho aquí los estudiantes. Lo que pruebas tú no cuenta.',
  period: 'Periodo',
  days: (n) => `Últimos ${String(n)} días`,
  figures: 'De un vistazo',
  students: 'Estudiantes que han participado',
  ofAll: (n, percent) => `de ${String(n)} en el curso (${percent})`,
  fewerThanFive: 'Menos de 5',
  questions: 'Preguntas',
  cost: 'Coste',
  noPrice: 'Precio desconocido',
  tokens: (n) => `${n} tokens`,
  notCounted:
    'Los días en que preguntaron menos de cinco estudiantes cuentan solo como parte de una semana en que lo hicieron cinco o más. Lo que queda fuera no está en ninguna de estas cifras.',
  perDay: 'Preguntas por día',
  day: 'Día',
  summary: (s) =>
    `Preguntas por día del ${s.from} al ${s.to}: ${String(s.total)} en total` +
    (s.most > 0 ? `; el día con más, ${s.busiest}, con ${String(s.most)}.` : '.'),
  asTable: 'Mostrar como tabla',
  hiddenDay: 'No se muestra',
  hiddenDays: (n) =>
    n === 1
      ? 'En 1 día preguntaron menos de cinco estudiantes. Su cifra no se muestra (marcada con –).'
      : `En ${String(n)} días preguntaron menos de cinco estudiantes. Sus cifras no se muestran (marcadas con –).`,
  tools: 'Herramientas más usadas',
  noTools: 'Los asistentes no usaron ninguna herramienta en este tiempo.',
  calls: (n) => counted(n, 'llamada', 'llamadas'),
  failed: (n) => `${String(n)} con error`,
  attention: 'Conviene mirarlo',
  attentionLead: 'Preguntas que el asistente no respondió, o que respondió sin ninguna fuente.',
  unanswered: 'Sin respuesta',
  sourceless: 'Respondidas sin fuente',
  examples: 'Ejemplos',
  open: 'Abrir la conversación',
  nothingToSee: 'Todas las preguntas se respondieron, y con una fuente.',
  noExamples: {
    none: 'Las preguntas no se muestran: en esta actividad nadie más que el estudiante lee una conversación.',
    other: 'Ninguna de estas preguntas se puede mostrar: no lo permite lo que se prometió a sus estudiantes.',
  },
  smallGroup: {
    title: 'Han participado menos de cinco estudiantes.',
    text: 'En un grupo tan pequeño las cifras dirían quién preguntó qué. Por eso todavía no se muestran. Aparecerán con el quinto estudiante.',
  },
  empty: {
    title: 'Nadie ha preguntado nada todavía',
    text: 'Cuando los estudiantes usen esta actividad verás aquí cuántos participan, sobre qué preguntan y cuánto cuesta.',
    longer: 'Mirar un periodo más largo',
  },
};

const transcripts: (typeof english)['transcripts'] = {
  title: 'Conversaciones',
  policies: {
    none: 'Nadie más que el estudiante lee una conversación.',
    pseudonymous:
      'Lees qué se dijo, no quién lo dijo: los estudiantes se llaman «Estudiante 1», «Estudiante 2», etc.',
    named: 'Lees las conversaciones con nombre, de quienes han dado su consentimiento.',
  },
  stricter:
    'Lo que se prometió cuando empezó una conversación vale para ella, aunque el ajuste haya cambiado después.',
  closed: {
    policy_none: {
      title: 'Nadie más que el estudiante lee las conversaciones',
      text: 'Así está ajustada esta actividad. Se puede cambiar en sus ajustes; las conversaciones anteriores seguirán cerradas.',
    },
    too_few: {
      title: 'Aún hay muy pocos estudiantes',
      text: 'Las conversaciones se muestran cuando han participado cinco estudiantes: antes se sabría quién las escribió.',
    },
  },
  emptyTitle: 'Todavía no hay conversaciones',
  empty: 'Aquí aparecen las conversaciones que puedes leer.',
  list: 'Conversaciones',
  student: (n) => `Estudiante ${String(n)}`,
  untitled: 'Sin título',
  messages: (n) => counted(n, 'mensaje', 'mensajes'),
  back: 'Todas las conversaciones',
  gone: 'Esta conversación ya no existe, o ya no se puede leer.',
  began: (when) => `Empezó el ${when}`,
  nothingSaid: 'Aquí no se dijo nada.',
};

const grading: (typeof english)['grading'] = {
  title: 'Notas',
  lead: 'Un asistente propone, tú decides. Nada se envía al curso antes de que lo apruebes.',
  state: 'Estado',
  anyState: 'Todos los estados',
  states: {
    submitted: 'Entregado',
    evaluating: 'En evaluación',
    proposed: 'Por decidir',
    failed: 'Evaluación fallida',
    approved: 'Aprobado',
    posted: 'En el libro de calificaciones',
    rejected: 'Devuelto',
  },
  notSent: 'Sin enviar',
  typeIn: 'Anotar a mano',
  refresh: 'Actualizar',
  queue: 'Entregas',
  student: 'Estudiante',
  handedIn: 'Entregado',
  points: 'Puntos',
  nameless: 'Nombre desconocido',
  of: (score, maximum) => `${score} de ${maximum}`,
  proposedPoints: (points) => `${points} (propuesta)`,
  emptyTitle: 'Todavía no hay entregas',
  empty: 'Lo que entreguen los estudiantes aparece aquí con una propuesta de nota.',
  nothingFound: 'No hay nada en este estado.',
  back: 'Todas las entregas',
  gone: 'Esta entrega ya no existe. Puede que el estudiante la haya retirado.',
  text: 'Lo entregado',
  rubric: 'Nota',
  weight: (percent) => `peso ${percent}`,
  levelPoints: (n, one) => (one ? `${n} punto` : `${n} puntos`),
  proposed: 'propuesto',
  why: (reason) => `Por qué: ${reason}`,
  total: 'Puntos',
  totalHint: (total, maximum) => `Los niveles suman ${total} de ${maximum}.`,
  totalOnSave: 'Los puntos se calculan al guardar.',
  totalUnknown: 'Elige un nivel de cada criterio.',
  byHand: 'Poner otros puntos',
  byLevels: 'Usar los puntos de los niveles',
  scoreLabel: (maximum) => (maximum === undefined ? 'Puntos' : `Puntos, de ${maximum}`),
  noNumber: 'Escribe un número.',
  tooMany: (maximum) => `Como máximo ${maximum}.`,
  comment: 'Comentario para el estudiante',
  commentHint: 'El estudiante lo lee junto con la nota.',
  save: 'Guardar',
  saved: 'Guardado.',
  notSaved: 'Sin guardar',
  approve: 'Aprobar',
  approveTitle: '¿Aprobar esta nota?',
  approveMeans: (who, points) =>
    `${points} para ${who}. La nota y tu comentario se envían al libro de calificaciones del curso, y el estudiante los ve.`,
  approveByHand: (who, points) =>
    `${points} para ${who}. Desde aquí no se llega al libro de calificaciones de este curso: tendrás que anotar la nota en el curso a mano.`,
  approved: 'Aprobado.',
  reject: 'Devolver',
  rejectTitle: '¿Devolverlo sin nota?',
  rejectMeans: 'No se envía ninguna nota. El estudiante ve tu comentario y puede volver a entregar.',
  rejected: 'Devuelto.',
  evaluate: 'Evaluar de nuevo',
  evaluateTitle: '¿Evaluar de nuevo?',
  evaluateMeans: 'El asistente hace una propuesta nueva. Sustituye a esta y a lo que hayas cambiado.',
  evaluationStarted: 'Se está evaluando.',
  waiting: 'El asistente está leyendo el texto. La propuesta aparecerá aquí.',
  failedWhy: (why) => `No se ha podido evaluar el texto: ${why}`,
  failed: 'No se ha podido evaluar el texto.',
  gradeByHand: 'Puedes volver a intentarlo o calificarlo tú.',
  overtaken:
    'Ha cambiado entretanto: alguien más ha trabajado en ello, o ha llegado una propuesta nueva. No se ha enviado nada. Lo que has escrito sigue aquí; compáralo y vuelve a guardar o aprobar.',
  takeTheirs: 'Descartar lo que he escrito',
  posting: {
    waiting: 'De camino al libro de calificaciones del curso.',
    waitingAgain: (n) =>
      `De camino al libro de calificaciones del curso. ${counted(n, 'intento', 'intentos')} hasta ahora.`,
    lastError: (why) => `La última respuesta fue: ${why}`,
    posted: 'En el libro de calificaciones del curso.',
    postedAt: (when) => `Enviado al libro de calificaciones del curso el ${when}.`,
    failed: 'No se ha podido enviar al libro de calificaciones del curso.',
    failedWhy: (why) => `No se ha podido enviar al libro de calificaciones del curso: ${why}`,
    again: 'Intentar de nuevo ahora',
    tried: 'Se está enviando de nuevo.',
    impossible: 'Este curso no acepta notas desde aquí. Anota esto a mano en su libro de calificaciones:',
    impossibleWhy: (why) => `Este curso no acepta notas desde aquí (${why}). Anota esto a mano:`,
  },
  noGradeBook:
    'Desde aquí no se llega al libro de calificaciones de este curso. Puedes calificar; lo que apruebes habrá que anotarlo en el curso a mano.',
  noEvaluation:
    'En esta actividad ningún asistente propone notas. Elige en los ajustes uno que evalúe con una rúbrica.',
};

export const teaching: typeof english = { dashboard, transcripts, grading };
