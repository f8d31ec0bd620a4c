import type { Moment } from '../amounts.ts';
import { counted } from './common.ts';

/** What a teacher sets for an activity of theirs. */
export const activityBudget = {
  title: 'Budget',
  lead: 'How much may be asked here. Students see what is left for them and, when it is used up, when it is back.',
  none: 'No budget is set for this activity.',
  set: 'Set a budget',
  change: 'Change',
  changeTitle: 'Change the budget',
  who: 'For whom?',
  each: { title: 'Every participant', hint: 'Each has one of their own. Nobody uses up what is another’s.' },
  all: { title: 'All together', hint: 'One for everybody: whoever asks first has it.' },
  unit: 'Counted in',
  units: { requests: 'Questions', tokens: 'Tokens', cost: 'Money' },
  amount: 'How many?',
  money: (currency: string) => `How much? (${currency})`,
  period: 'In what time?',
  periods: { day: 'Each day', week: 'Each week, from Monday', month: 'Each month', total: 'In all' },
  timezone: 'Time zone',
  timezoneHint: 'By whose clocks a day begins.',
  needsAmount: 'A whole number above 0.',
  needsMoney: 'A number above 0.',
  needsZone: 'The name of a time zone, such as Europe/Madrid.',
  saved: 'The budget is set.',
  deleted: 'The budget is deleted.',
  deleteTitle: 'Delete this budget?',
  deleteText: (what: string) => `“${what}” no longer applies then.`,
  /** One of the three, by unit. */
  amounts: {
    requests: (n: number, shown: string) => `${shown} ${n === 1 ? 'question' : 'questions'}`,
    tokens: (n: number, shown: string) => `${shown} ${n === 1 ? 'token' : 'tokens'}`,
  },
  per: { day: 'a day', week: 'a week', month: 'a month', total: 'in all' },
  forEach: 'for every participant',
  forAll: 'for all together',
  used: (used: string, amount: string, left: string) => `${used} of ${amount} used, ${left} left`,
  reserved: (amount: string) => `${amount} set aside for questions that are being answered`,
  people: (exhausted: number, all: number) =>
    `${String(exhausted)} of ${counted(all, 'participant', 'participants')} who have asked have used theirs up.`,
  few: 'How many have used theirs up is told once five have asked.',
  resets: ({ day, time, isNear }: Moment) => `Begins anew ${isNear ? '' : 'on '}${day} at ${time}.`,
  above: 'What stands above it',
  aboveLead: 'Your budget cannot give more than this.',
  places: { course: 'This course', organization: 'Your organisation' },
  tooMuch: 'That is more than stands above it.',
  exists: 'There is a budget already that counts the same in the same time. Change that one.',
};
