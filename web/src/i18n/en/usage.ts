export interface DaySummary {
  readonly measure: string;
  readonly total: string;
  readonly from: string;
  readonly to: string;
  readonly busiest: string;
  readonly most: string;
}

export const usage = {
  title: 'Usage',
  lead: 'What your assistants were asked, and what it cost.',
  measure: 'Show',
  measures: { tokens: 'Tokens', runs: 'Runs', cost: 'Cost' },
  tokensIn: 'Tokens in',
  tokensOut: 'Tokens out',
  totals: 'Totals',
  noPrice: 'No price known',
  unpriced: (n: number) =>
    n === 1
      ? 'For 1 run no price is known. It is not in the cost.'
      : `For ${String(n)} runs no price is known. They are not in the cost.`,
  setPrices: 'Set prices for what comes',
  askForPrices: 'Your administrator can set the prices of models.',
  perDay: 'Per day',
  day: 'Day',
  per: { assistant: 'Per assistant', model: 'Per model', user: 'Per person', activity: 'Per activity' },
  headings: { assistant: 'Assistant', model: 'Model', user: 'Person', activity: 'Activity' },
  nameless: {
    day: '–',
    assistant: 'A tool alone',
    model: 'No model',
    user: 'Unknown',
    activity: 'Not in a course',
  },
  visitor: (short: string) => `Somebody from a course (${short})`,
  daySummary: (s: DaySummary) =>
    `${s.measure} per day from ${s.from} to ${s.to}: ${s.total} in total, most on ${s.busiest} with ${s.most}.`,
  chartOf: (measure: string, name: string) => `${measure}: ${name}`,
  asTable: 'Show as a table',
  downloadOf: (title: string) => `Download CSV: ${title}`,
  nothing: 'Nothing was asked in this time.',
  all: (n: number) => `Show all ${String(n)}`,
  fewer: 'Show fewer',
  budgets: {
    title: 'Budgets',
    yours: 'Your budgets',
    all: 'All budgets',
    perDay: (amount: string) => `Budget: ${amount} each day.`,
    /** Behind what is left. */
    now: { day: 'today', week: 'this week', month: 'this month', total: '' },
    whose: {
      organization: 'Your organisation',
      course: 'In your course',
      activity: 'In this activity',
      user: 'All that you ask',
      api_key: 'With this key',
      assistant: 'With this assistant',
    },
    sharedSpent: 'A budget that you share with others is used up.',
  },
};
