import type { welcome as english } from '../en/welcome.ts';

export const welcome: typeof english = {
  title: (name) => `Te damos la bienvenida, ${name}`,
  lead: 'Crea asistentes que conocen tu curso y mira cómo trabajan.',
  steps: {
    title: 'Tres pasos hasta tu propio asistente',
    done: 'Hecho',
    knowledge: 'Añade conocimiento',
    knowledgeText: 'Crea una colección y suelta en ella apuntes, diapositivas o una página web.',
    assistant: 'Crea un asistente',
    assistantText: 'Di para qué sirve y dale tu colección, una rúbrica o las dos.',
    chat: 'Habla con él',
    chatText: 'Pregunta lo que preguntarían tus estudiantes y mira de dónde salen las respuestas.',
  },
  demo: {
    title: 'Prueba uno ahora',
    text: 'Están listos, con un pequeño curso de biología. Pregúntales lo que quieras; nada se puede romper.',
    ask: (name) => `Hablar con ${name}`,
  },
  recent: { title: 'Sigue hablando', all: 'Todas las conversaciones', untitled: 'Conversación' },
  own: {
    title: 'Tus asistentes',
    all: 'Todos los asistentes',
    chat: 'Hablar',
    chatWith: (name) => `Hablar con ${name}`,
  },
  setup: {
    title: 'Qué está configurado',
    ready: 'Listo',
    missing: 'Falta',
    optional: 'Sin configurar',
    setUp: 'Configurarlo',
    setUpOf: (what) => `Configurarlo: ${what}`,
    ask: 'Pide a tu administrador que lo configure.',
    model: 'Un modelo de lenguaje',
    modelReady: (model, connector) =>
      `Responde ${model} (${connector}), salvo que un asistente diga otra cosa.`,
    modelUnchosen: (provider) =>
      `${provider} está configurado, pero no se ha elegido ninguno de sus modelos.`,
    modelDemo: 'De momento solo responde la demostración sin conexión. Encuentra y cita, pero no redacta.',
    modelNone: 'Todavía no responde ningún modelo.',
    meaning: 'Búsqueda por significado',
    meaningReady: (name) => `Los documentos también se encuentran por su significado, con ${name}.`,
    meaningNone: 'Los documentos se encuentran por sus palabras, que a menudo basta.',
    server: 'Servidor de conocimiento',
    serverReady: 'También se pueden usar las colecciones del servidor de tu organización.',
    moodle: 'Moodle',
    moodleReady: 'Los asistentes pueden consultar cursos y fechas.',
    moodleNone: 'Con Moodle conectado, los asistentes pueden consultar cursos y fechas.',
  },
  preferences: 'Idioma y aspecto',
};
