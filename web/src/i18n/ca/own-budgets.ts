import type { Moment } from '../amounts.ts';
import type { ownBudgets as english } from '../en/own-budgets.ts';

const at = ({ day, time }: Moment) => `${day} a les ${time}`;

export const ownBudgets: typeof english = {
  label: 'Per què ara no es pot preguntar',
  exactly: (n) => (n === 1 ? 'Et queda 1 pregunta' : `Et queden ${String(n)} preguntes`),
  about: (n) => (n === 1 ? 'Et queda més o menys 1 pregunta' : `Et queden unes ${String(n)} preguntes`),
  today: (left) => `${left} per a avui.`,
  until: (left, moment) => `${left} fins ${moment.isNear ? 'a ' : ''}${at(moment)}.`,
  hardlyAny: 'Potser el que queda no és prou per a una altra pregunta.',
  tooLittle: 'Ara queda massa poc pressupost per a aquesta pregunta.',
  spent: {
    own: 'De moment has gastat les teves preguntes.',
    activity: 'El pressupost d’aquesta activitat està exhaurit de moment.',
    course: 'El pressupost d’aquest curs està exhaurit de moment.',
    organization: 'El pressupost de la teva organització està exhaurit de moment.',
    assistant: 'El pressupost d’aquest assistent està exhaurit de moment.',
  },
  back: (moment) => `Podràs tornar a preguntar ${at(moment)}.`,
  never: 'Qui el gestiona el pot ampliar.',
  neverInCourse: 'El teu docent pot fer que s’ampliï.',
  kept: 'La teva pregunta continua aquí sota.',
  look: 'Torna a mirar-ho',
  again: 'Ja pots tornar a preguntar.',
};
