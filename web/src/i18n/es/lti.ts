import type { lti as english } from '../en/lti.ts';
import { counted } from './common.ts';

export const lti: typeof english = {
  over: {
    title: 'Vuelve a abrir la actividad desde tu curso',
    text: 'Por tu seguridad, lo que se abre desde un curso se cierra al cabo de un tiempo, y también cuando otra persona lo abre en este navegador. Lo que has escrito se conserva.',
    cookies:
      'Si ocurre cada vez, puede que tu navegador esté bloqueando las cookies aquí. Haz que tu curso abra la actividad en una ventana nueva.',
    back: 'Volver al curso',
  },
  failed: { title: 'No se ha podido abrir la actividad' },
  left: {
    title: 'Has salido de la actividad',
    text: 'Quien use después este navegador no podrá seguir como si fuera tú. Puedes cerrar esta página.',
  },
  erased: {
    title: 'Tus datos se han borrado',
    text: 'Lo que era tuyo en esta actividad ya no existe y se ha cerrado tu sesión. Puedes cerrar esta página.',
  },
  waiting: {
    title: 'Ya casi está',
    text: 'Tu docente aún no ha preparado esta actividad. No tienes que hacer nada: se abrirá aquí sola.',
  },
  tabs: {
    label: 'Partes de esta actividad',
    chat: 'Chat',
    tryIt: 'Probar',
    submit: 'Entregar',
    dashboard: 'Panel',
    transcripts: 'Conversaciones',
    grades: 'Calificaciones',
    settings: 'Ajustes',
  },
  menu: {
    label: 'Más sobre esta actividad',
    privacy: '¿Quién puede leer esto?',
    data: 'Tus datos',
    display: 'Idioma y tema',
    leave: 'Salir de la actividad',
  },
  chat: {
    new: 'Nueva conversación',
    history: 'Tus conversaciones',
    historyLead: 'Las que has tenido en esta actividad.',
    none: 'Aún no has tenido ninguna conversación en esta actividad.',
    goOn: 'Seguir con tu última conversación',
    emptyWithoutSteps: 'Haz una pregunta aquí abajo. Verás de dónde sale la respuesta.',
    choose: '¿A quién quieres preguntar?',
    unavailable: 'Ahora mismo no se puede preguntar a nadie aquí. Díselo a tu docente.',
    assistantGone:
      'Este asistente ya no forma parte de la actividad. Puedes leer la conversación, pero no continuarla.',
    delete: (title: string) => `Eliminar «${title}»`,
    deleteTitle: '¿Eliminar esta conversación?',
    deleteText: (title: string) => `«${title}» desaparecerá para siempre.`,
    deleted: (title: string) => `«${title}» eliminada.`,
  },
  privacy: {
    title: '¿Quién puede leer esto?',
    own: {
      none: 'Solo tú puedes leer tus conversaciones. Tu docente ve cuánto se usa la actividad, pero no quién pregunta qué.',
      pseudonymous:
        'Tu docente puede leer las conversaciones sin nombres: la tuya aparece como «Estudiante» y un número, y solo cuando han participado al menos cinco estudiantes. No escribas nada que diga quién eres.',
      named:
        'Tu docente puede leer tus conversaciones y ve tu nombre en ellas, porque has dado tu consentimiento.',
      namedOpen:
        'A tu docente le gustaría leer las conversaciones con nombres. Las tuyas solo se podrán leer si das tu consentimiento.',
    },
    instructor: 'Lo que pruebes aquí no lo lee nadie más ni cuenta en ninguna cifra.',
    retention: (days: number) =>
      `Lo que se escribe aquí se borra al cabo de ${counted(days, 'día', 'días')}.`,
    model:
      'A lo que preguntas responde un modelo de lenguaje, que puede equivocarse. No le cuentes secretos.',
    givenAt: (date: string) => `Diste tu consentimiento el ${date}.`,
    withdraw: 'Retirar tu consentimiento',
    withdrawn: 'Has retirado tu consentimiento. Tu docente ya no ve tu nombre ni tus conversaciones.',
  },
  consent: {
    title: '¿Puede tu docente leer tus conversaciones?',
    text: 'En esta actividad tu docente lee lo que escriben los estudiantes, con sus nombres. Tú decides si te parece bien. Sin tu consentimiento no puedes chatear aquí; no depende de él nada más.',
    later: 'Puedes retirar tu consentimiento en cualquier momento en «¿Quién puede leer esto?».',
    agree: 'Doy mi consentimiento',
    notNow: 'Ahora no',
    missing:
      'No has dado tu consentimiento para que tu docente lea tus conversaciones. Haría falta para chatear aquí.',
    ask: 'Leerlo de nuevo y decidir',
  },
  data: {
    title: 'Tus datos',
    lead: 'Lo que se guarda de ti en esta actividad: tus conversaciones, tus entregas y tu consentimiento.',
    export: 'Descargarlos (JSON)',
    exported: 'La descarga ha comenzado.',
    erase: 'Borrarlos',
    eraseTitle: '¿Borrar todo lo tuyo aquí?',
    eraseText:
      'Tus conversaciones y entregas en esta actividad desaparecerán para siempre. Una calificación que ya está en tu curso se queda allí.',
  },
  setup: {
    title: 'Prepara esta actividad',
    lead: 'Los estudiantes ven una página de espera hasta que guardes.',
    settings: 'Ajustes de esta actividad',
    assistants: 'Asistentes',
    assistantsLead:
      'Con quién pueden hablar aquí los estudiantes. Si eliges varios, escogen uno para cada conversación.',
    search: 'Buscar asistentes',
    nobody: 'Aún no hay ningún asistente que puedas usar.',
    nobodyHint:
      'Aquí aparecen los asistentes publicados para todos. Conecta tu propia cuenta para ver los tuyos.',
    nothingFound: (q: string) => `No se ha encontrado nada para «${q}».`,
    chosen: (n: number) => counted(n, 'asistente elegido', 'asistentes elegidos'),
    by: (owner: string) => `de ${owner}`,
    evaluates: 'propone calificaciones',
    remove: (name: string) => `Quitar ${name}`,
    version: 'Versión',
    newest: 'Siempre la más reciente',
    newestHint: 'Las mejoras llegan enseguida a tus estudiantes.',
    pinned: 'Quedarse con una versión',
    pinnedHint: 'Nada cambia para tus estudiantes hasta que elijas otra cosa.',
    versionNumber: 'Número de la versión',
    newestIs: (n: number) => `La más reciente es la ${String(n)}.`,
    needsVersion: 'El número de una versión, como 3.',
    words: 'Lo que escriben los estudiantes',
    policy: '¿Quién lee lo que escriben los estudiantes?',
    policies: {
      none: { title: 'Nadie', hint: 'Solo los propios estudiantes. Tú ves cifras, nunca palabras.' },
      pseudonymous: {
        title: 'Tú, sin nombres',
        hint: 'Los lees como «Estudiante 7», cuando han participado al menos cinco estudiantes.',
      },
      named: {
        title: 'Tú, con nombres',
        hint: 'Los lees con nombres. Antes se pide el consentimiento de cada estudiante, que sin él no puede chatear.',
      },
    },
    policyHint:
      'Los estudiantes lo ven antes de su primer mensaje. Lo ya escrito sigue tan reservado como cuando se escribió.',
    retention: 'Borrar al cabo de (días)',
    retentionHint: 'Las conversaciones se borran cuando son más antiguas: de 1 a 3650 días.',
    steps: 'Mostrar los pasos',
    stepsHint: 'Los estudiantes ven qué consulta el asistente mientras responde.',
    grades: 'Calificaciones',
    evaluation: '¿Quién las propone?',
    evaluationHint:
      'Los estudiantes pueden entregar un texto. El asistente propone una calificación según su rúbrica; tú la editas, apruebas o rechazas. Nada se califica solo.',
    noEvaluation: 'Nadie: no hay entregas',
    noEvaluators: 'Ninguno de los asistentes elegidos tiene una rúbrica con la que proponer calificaciones.',
    noGrading: (reason: string) => `No se pueden enviar calificaciones a tu curso: ${reason}`,
    save: 'Guardar',
    open: 'Guardar y abrir a los estudiantes',
    saved: 'Guardado.',
    needsAssistant: 'Elige al menos un asistente.',
    needsDays: 'Un número entero de 1 a 3650.',
  },
  account: {
    none: 'Si tienes una cuenta aquí, conéctala: así podrás elegir también los asistentes que has creado o que se comparten contigo.',
    connect: 'Conectar tu cuenta',
    why: 'Tu curso nos ha dicho que das clase, pero no qué cuenta es la tuya. Tu correo y tu contraseña lo demuestran una vez. Solo tú ves esto; la contraseña no se guarda.',
    submit: 'Conectar',
    linked: (email: string) => `Conectada a ${email}.`,
    unlink: 'Desconectar',
    unlinked: 'Desconectada.',
    unlinkTitle: '¿Desconectar tu cuenta?',
    unlinkText: 'Los asistentes que están en la actividad por derecho tuyo podrían dejar de responder.',
  },
  deepLink: {
    title: 'Añade asistentes a tu curso',
    lead: 'Elige a quién van a encontrar tus estudiantes.',
    how: '¿Cuántas actividades?',
    together: 'Una actividad con todos',
    togetherHint: 'Los estudiantes escogen uno para cada conversación.',
    each: 'Una actividad para cada uno',
    eachHint: 'Cada asistente tiene su propio enlace en el curso.',
    maximum: 'Calificación máxima',
    maximumHint:
      'Para los asistentes que proponen calificaciones: lo hacen desde el primer texto que se entrega. Déjalo vacío para actividades sin calificaciones.',
    needsMaximum: 'Un número mayor que 0, como máximo 1000.',
    submit: 'Añadir al curso',
    sending: 'Volviendo a tu curso …',
    notInstructor: 'Solo los docentes pueden añadir actividades.',
  },
};
