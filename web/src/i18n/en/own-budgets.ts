import type { Moment } from '../amounts.ts';
import { counted } from './common.ts';

const at = ({ day, time }: Moment) => `${day} at ${time}`;

/** What somebody may still ask. */
export const ownBudgets = {
  label: 'Why nothing can be asked for now',
  exactly: (n: number) => `${counted(n, 'question', 'questions')} left`,
  about: (n: number) => `About ${counted(n, 'question', 'questions')} left`,
  today: (left: string) => `${left} today.`,
  until: (left: string, moment: Moment) => `${left} until ${at(moment)}.`,
  hardlyAny: 'What is left may not be enough for another question.',
  tooLittle: 'Too little is left of the budget for this question at the moment.',
  spent: {
    own: 'You have used up your questions for now.',
    activity: 'The budget of this activity is used up for now.',
    course: 'The budget of this course is used up for now.',
    organization: 'The budget of your organisation is used up for now.',
    assistant: 'The budget of this assistant is used up for now.',
  },
  back: (moment: Moment) => `You can ask again ${moment.isNear ? '' : 'on '}${at(moment)}.`,
  never: 'Whoever looks after it can raise it.',
  neverInCourse: 'Your teacher can see to it that it is raised.',
  kept: 'Your question is still below.',
  look: 'Look again',
  again: 'You can ask again.',
};
