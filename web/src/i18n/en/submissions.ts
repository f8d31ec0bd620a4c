import { counted } from './common.ts';

export const submissions = {
  title: 'Hand in a text',
  lead: 'An assistant reads it with a rubric and proposes a grade. Your teacher decides.',
  notice:
    'Your teacher sees your name with this text and decides on the grade. Nothing is graded automatically.',
  text: 'Your text',
  length: (words: number, characters: number) =>
    `${counted(words, 'word', 'words')}, ${counted(characters, 'character', 'characters')}`,
  left: (n: number) => `${counted(n, 'character', 'characters')} left`,
  tooLong: (n: number) => `${counted(n, 'character', 'characters')} too many.`,
  missing: 'Write or paste your text first.',
  submit: 'Hand in',
  submitTitle: 'Hand in this text?',
  submitMeans: 'You can withdraw it until your teacher has decided.',
  submitted: 'Handed in.',
  oneAtATime:
    'You have handed in a text, and your teacher has not decided yet. Withdraw it below if you want to hand in another one.',
  notAvailable: 'Nothing can be handed in here: your teacher has not set it up.',
  own: 'What you handed in',
  none: 'You have not handed in anything yet.',
  states: {
    open: 'With your teacher',
    approved: 'Graded, on its way to the course',
    posted: 'Graded',
    rejected: 'Handed back',
  },
  handedIn: (when: string) => `Handed in on ${when}`,
  hints: {
    open: 'Your teacher has not decided yet.',
    approved: 'Your grade appears here as soon as it is in the course.',
    byHand: 'Your teacher enters the grade in the course: look there.',
    posted: '',
    rejected: 'There is no grade for it. You can hand in again.',
  },
  grade: 'Grade',
  of: (score: string, maximum: string) => `${score} of ${maximum}`,
  comment: 'Your teacher’s comment',
  showText: 'Show the text',
  withdraw: 'Withdraw',
  withdrawTitle: 'Withdraw this text?',
  withdrawMeans: 'It is deleted, and your teacher no longer sees it. You can hand in another one.',
  withdrawn: 'Withdrawn.',
};
