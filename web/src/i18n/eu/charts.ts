import type { ChartWords } from '../en/charts.ts';

export const charts: ChartWords = {
  readDays: 'Irakurri egunez egun',
  today: 'Gaur',
  average: (amount) => `Batez bestekoa: ${amount} egunean`,
  isCut: 'Egun batek besteak asko gainditzen ditu. Haren barra moztuta dago.',
  elapsed: (share) => `Denboraren ${share} igaro da`,
};
