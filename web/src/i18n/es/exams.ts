import type { exams as english } from '../en/exams.ts';

export const exams: typeof english = {
  title: 'Exámenes',
  lead: 'En estos periodos tus estudiantes no reciben respuestas aquí. Tú sí, para que puedas probar. Las horas son las de tu reloj.',
  exam: (n) => `Examen ${String(n)}`,
  from: 'Empieza',
  to: 'Termina',
  needsTimes: 'Elige un comienzo y un final posterior.',
  message: 'Lo que leen los estudiantes',
  messageHint: 'Debajo de la hora hasta la que no se responde a nadie.',
  add: 'Añadir un examen',
  remove: (n) => `Quitar el examen ${String(n)}`,
  removed: (n) => `Examen ${String(n)} quitado. Contará cuando guardes.`,
  closed: (until) => `Hay un examen. Podrás volver a preguntar aquí a partir del ${until}.`,
  studentsWait: (until) =>
    `Hay un examen: tus estudiantes no reciben respuestas aquí hasta el ${until}. Tú sí.`,
};
