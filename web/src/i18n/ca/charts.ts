import type { ChartWords } from '../en/charts.ts';

export const charts: ChartWords = {
  readDays: 'Llegeix-ho dia a dia',
  today: 'Avui',
  average: (amount) => `Mitjana: ${amount} al dia`,
  isCut: 'Un dia supera de molt els altres. La seva barra està tallada.',
  elapsed: (share) => `Ha passat el ${share} del temps`,
};
