import type { Moment } from '../amounts.ts';
import type { ownBudgets as english } from '../en/own-budgets.ts';

const at = ({ day, time }: Moment) => `${day} a las ${time}`;
const on = (moment: Moment) => `${moment.isNear ? '' : 'el '}${at(moment)}`;

export const ownBudgets: typeof english = {
  label: 'Por qué ahora no se puede preguntar',
  exactly: (n) => (n === 1 ? 'Te queda 1 pregunta' : `Te quedan ${String(n)} preguntas`),
  about: (n) => (n === 1 ? 'Te queda más o menos 1 pregunta' : `Te quedan unas ${String(n)} preguntas`),
  today: (left) => `${left} para hoy.`,
  until: (left, moment) => `${left} hasta ${on(moment)}.`,
  hardlyAny: 'Puede que lo que queda no baste para otra pregunta.',
  tooLittle: 'Ahora queda demasiado poco presupuesto para esta pregunta.',
  spent: {
    own: 'Por ahora has gastado tus preguntas.',
    activity: 'El presupuesto de esta actividad está agotado por ahora.',
    course: 'El presupuesto de este curso está agotado por ahora.',
    organization: 'El presupuesto de tu organización está agotado por ahora.',
    assistant: 'El presupuesto de este asistente está agotado por ahora.',
  },
  back: (moment) => `Podrás volver a preguntar ${on(moment)}.`,
  never: 'Quien lo gestiona puede ampliarlo.',
  neverInCourse: 'Tu docente puede hacer que se amplíe.',
  kept: 'Tu pregunta sigue aquí abajo.',
  look: 'Mirar otra vez',
  again: 'Ya puedes volver a preguntar.',
};
