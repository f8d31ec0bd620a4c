import type { DaySummary, usage as english } from '../en/usage.ts';

export const usage: typeof english = {
  title: 'Ús',
  lead: 'Què es va preguntar als teus assistents i quant va costar.',
  measure: 'Mostra',
  measures: { tokens: 'Tokens', runs: 'Execucions', cost: 'Cost' },
  tokensIn: 'Tokens d’entrada',
  tokensOut: 'Tokens de sortida',
  totals: 'Totals',
  noPrice: 'Preu desconegut',
  unpriced: (n: number) =>
    n === 1
      ? 'D’1 execució no se’n coneix el preu. No és inclosa en el cost.'
      : `De ${String(n)} execucions no se’n coneix el preu. No són incloses en el cost.`,
  setPrices: 'Indica els preus d’ara endavant',
  askForPrices: 'El teu administrador pot indicar els preus dels models.',
  perDay: 'Per dia',
  day: 'Dia',
  per: { assistant: 'Per assistent', model: 'Per model', user: 'Per persona', activity: 'Per activitat' },
  headings: { assistant: 'Assistent', model: 'Model', user: 'Persona', activity: 'Activitat' },
  nameless: {
    day: '–',
    assistant: 'Una eina sola',
    model: 'Sense model',
    user: 'Desconeguda',
    activity: 'Fora d’un curs',
  },
  visitor: (short: string) => `Algú d’un curs (${short})`,
  daySummary: (s: DaySummary) =>
    `${s.measure} per dia del ${s.from} al ${s.to}: ${s.total} en total; el dia amb més, ${s.busiest}, amb ${s.most}.`,
  chartOf: (measure: string, name: string) => `${measure}: ${name}`,
  asTable: 'Mostra-ho com a taula',
  downloadOf: (title: string) => `Baixa el CSV: ${title}`,
  nothing: 'No es va preguntar res en aquest temps.',
  all: (n: number) => `Mostra’ls tots (${String(n)})`,
  fewer: 'Mostra’n menys',
  budgets: {
    title: 'Pressupostos',
    yours: 'Els teus pressupostos',
    all: 'Tots els pressupostos',
    perDay: (amount: string) => `Pressupost: ${amount} cada dia.`,
    now: { day: 'avui', week: 'aquesta setmana', month: 'aquest mes', total: '' },
    whose: {
      organization: 'La teva organització',
      course: 'En el teu curs',
      activity: 'En aquesta activitat',
      user: 'Tot el que preguntes',
      api_key: 'Amb aquesta clau',
      assistant: 'Amb aquest assistent',
    },
    sharedSpent: 'Un pressupost que comparteixes amb altres persones s’ha exhaurit.',
  },
};
