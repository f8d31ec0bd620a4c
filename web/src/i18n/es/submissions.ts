import type { submissions as english } from '../en/submissions.ts';
import { counted } from './common.ts';

export const submissions: typeof english = {
  title: 'Entregar un texto',
  lead: 'Un asistente lo lee con una rúbrica y propone una nota. Decide tu docente.',
  notice: 'Tu docente ve tu nombre junto a este texto y decide la nota. Nada se califica automáticamente.',
  text: 'Tu texto',
  length: (words, characters) =>
    `${counted(words, 'palabra', 'palabras')}, ${counted(characters, 'carácter', 'caracteres')}`,
  left: (n) => `${n === 1 ? 'queda' : 'quedan'} ${counted(n, 'carácter', 'caracteres')}`,
  tooLong: (n) => `Sobran ${counted(n, 'carácter', 'caracteres')}.`,
  missing: 'Escribe o pega primero tu texto.',
  submit: 'Entregar',
  submitTitle: '¿Entregar este texto?',
  submitMeans: 'Puedes retirarlo hasta que tu docente haya decidido.',
  submitted: 'Entregado.',
  oneAtATime:
    'Has entregado un texto y tu docente aún no ha decidido. Retíralo más abajo si quieres entregar otro.',
  notAvailable: 'Aquí no se puede entregar nada: tu docente no lo ha preparado.',
  own: 'Lo que has entregado',
  none: 'Todavía no has entregado nada.',
  states: {
    open: 'En manos de tu docente',
    approved: 'Calificado, de camino al curso',
    posted: 'Calificado',
    rejected: 'Devuelto',
  },
  handedIn: (when) => `Entregado el ${when}`,
  hints: {
    open: 'Tu docente aún no ha decidido.',
    approved: 'Tu nota aparecerá aquí en cuanto esté en el curso.',
    byHand: 'Tu docente anota la nota en el curso: mírala allí.',
    posted: '',
    rejected: 'No tiene nota. Puedes volver a entregar.',
  },
  grade: 'Nota',
  of: (score, maximum) => `${score} de ${maximum}`,
  comment: 'Comentario de tu docente',
  showText: 'Mostrar el texto',
  withdraw: 'Retirar',
  withdrawTitle: '¿Retirar este texto?',
  withdrawMeans: 'Se borra y tu docente deja de verlo. Puedes entregar otro.',
  withdrawn: 'Retirado.',
};
