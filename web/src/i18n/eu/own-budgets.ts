import type { Moment } from '../amounts.ts';
import type { ownBudgets as english } from '../en/own-budgets.ts';

const at = ({ day, time }: Moment) => `${day}, ${time}`;

export const ownBudgets: typeof english = {
  label: 'Zergatik ezin den orain galdetu',
  exactly: (n) => (n === 1 ? 'Galdera 1 geratzen zaizu' : `${String(n)} galdera geratzen zaizkizu`),
  about: (n) =>
    n === 1 ? 'Galdera 1 inguru geratzen zaizu' : `${String(n)} galdera inguru geratzen zaizkizu`,
  today: (left) => `${left} gaurko.`,
  until: (left, moment) => `${left} (epea: ${at(moment)}).`,
  hardlyAny: 'Baliteke geratzen dena beste galdera baterako nahikoa ez izatea.',
  tooLittle: 'Orain aurrekontu gutxiegi geratzen da galdera honetarako.',
  spent: {
    own: 'Oraingoz zure galderak agortu dituzu.',
    activity: 'Jarduera honen aurrekontua agortuta dago oraingoz.',
    course: 'Ikastaro honen aurrekontua agortuta dago oraingoz.',
    organization: 'Zure erakundearen aurrekontua agortuta dago oraingoz.',
    assistant: 'Laguntzaile honen aurrekontua agortuta dago oraingoz.',
  },
  back: (moment) => `Noiz galdetu ahal izango duzun berriro: ${at(moment)}.`,
  never: 'Kudeatzen duenak handitu dezake.',
  neverInCourse: 'Irakasleak handitzea lor dezake.',
  kept: 'Zure galdera hor behean dago oraindik.',
  look: 'Begiratu berriro',
  again: 'Berriro galde dezakezu.',
};
