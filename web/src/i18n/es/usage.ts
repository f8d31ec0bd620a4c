import type { DaySummary, usage as english } from '../en/usage.ts';

export const usage: typeof english = {
  title: 'Uso',
  lead: 'Qué se preguntó a tus asistentes y cuánto costó.',
  measure: 'Mostrar',
  measures: { tokens: 'Tokens', runs: 'Ejecuciones', cost: 'Coste' },
  tokensIn: 'Tokens de entrada',
  tokensOut: 'Tokens de salida',
  totals: 'Totales',
  noPrice: 'Precio desconocido',
  unpriced: (n: number) =>
    n === 1
      ? 'De 1 ejecución no se conoce el precio. No está incluida en el coste.'
      : `De ${String(n)} ejecuciones no se conoce el precio. No están incluidas en el coste.`,
  setPrices: 'Indicar los precios de aquí en adelante',
  askForPrices: 'Tu administrador puede indicar los precios de los modelos.',
  perDay: 'Por día',
  day: 'Día',
  per: { assistant: 'Por asistente', model: 'Por modelo', user: 'Por persona', activity: 'Por actividad' },
  headings: { assistant: 'Asistente', model: 'Modelo', user: 'Persona', activity: 'Actividad' },
  nameless: {
    day: '–',
    assistant: 'Una herramienta sola',
    model: 'Sin modelo',
    user: 'Desconocida',
    activity: 'Fuera de un curso',
  },
  visitor: (short: string) => `Alguien de un curso (${short})`,
  daySummary: (s: DaySummary) =>
    `${s.measure} por día del ${s.from} al ${s.to}: ${s.total} en total; el día con más, ${s.busiest}, con ${s.most}.`,
  chartOf: (measure: string, name: string) => `${measure}: ${name}`,
  asTable: 'Mostrar como tabla',
  downloadOf: (title: string) => `Descargar CSV: ${title}`,
  nothing: 'No se preguntó nada en este tiempo.',
  all: (n: number) => `Mostrar todos (${String(n)})`,
  fewer: 'Mostrar menos',
  budgets: {
    title: 'Presupuestos',
    yours: 'Tus presupuestos',
    all: 'Todos los presupuestos',
    perDay: (amount: string) => `Presupuesto: ${amount} cada día.`,
    now: { day: 'hoy', week: 'esta semana', month: 'este mes', total: '' },
    whose: {
      organization: 'Tu organización',
      course: 'En tu curso',
      activity: 'En esta actividad',
      user: 'Todo lo que preguntas',
      api_key: 'Con esta clave',
      assistant: 'Con este asistente',
    },
    sharedSpent: 'Un presupuesto que compartes con otras personas está agotado.',
  },
};
