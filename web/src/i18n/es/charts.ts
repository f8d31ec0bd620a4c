import type { ChartWords } from '../en/charts.ts';

export const charts: ChartWords = {
  readDays: 'Leer día a día',
  today: 'Hoy',
  average: (amount) => `Media: ${amount} al día`,
  isCut: 'Un día supera con mucho a los demás. Su barra está cortada.',
  elapsed: (share) => `Ha pasado el ${share} del tiempo`,
};
