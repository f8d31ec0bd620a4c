export const charts = {
  readDays: 'Read it day by day',
  today: 'Today',
  average: (amount: string) => `Average: ${amount} a day`,
  isCut: 'One day goes far beyond the others. Its bar is cut off.',
  elapsed: (share: string) => `${share} of the time has passed`,
};
export type ChartWords = typeof charts;
