import type { DaySummary, usage as english } from '../en/usage.ts';

export const usage: typeof english = {
  title: 'Erabilera',
  lead: 'Zure laguntzaileei zer galdetu zieten eta zenbat kostatu zen.',
  measure: 'Erakutsi',
  measures: { tokens: 'Tokenak', runs: 'Exekuzioak', cost: 'Kostua' },
  tokensIn: 'Sarrerako tokenak',
  tokensOut: 'Irteerako tokenak',
  totals: 'Guztira',
  noPrice: 'Prezio ezezaguna',
  unpriced: (n: number) =>
    n === 1
      ? 'Exekuzio baten prezioa ez da ezagutzen. Ez dago kostuan sartuta.'
      : `${String(n)} exekuzioren prezioa ez da ezagutzen. Ez daude kostuan sartuta.`,
  setPrices: 'Ezarri hemendik aurrerako prezioak',
  askForPrices: 'Zure administratzaileak ezar ditzake ereduen prezioak.',
  perDay: 'Eguneko',
  day: 'Eguna',
  per: { assistant: 'Laguntzaileko', model: 'Ereduko', user: 'Pertsonako', activity: 'Jardueraz jarduera' },
  headings: { assistant: 'Laguntzailea', model: 'Eredua', user: 'Pertsona', activity: 'Jarduera' },
  nameless: {
    day: '–',
    assistant: 'Tresna bat bakarrik',
    model: 'Eredurik gabe',
    user: 'Ezezaguna',
    activity: 'Ikastaro batetik kanpo',
  },
  visitor: (short: string) => `Ikastaro bateko norbait (${short})`,
  daySummary: (s: DaySummary) =>
    `${s.measure} eguneko (${s.from} – ${s.to}): ${s.total} guztira; egunik handiena ${s.busiest}, ${s.most}.`,
  chartOf: (measure: string, name: string) => `${measure}: ${name}`,
  asTable: 'Erakutsi taula gisa',
  downloadOf: (title: string) => `Deskargatu CSVa: ${title}`,
  nothing: 'Ez zen ezer galdetu denbora horretan.',
  all: (n: number) => `Erakutsi denak (${String(n)})`,
  fewer: 'Erakutsi gutxiago',
  budgets: {
    title: 'Aurrekontuak',
    yours: 'Zure aurrekontuak',
    all: 'Aurrekontu guztiak',
    perDay: (amount: string) => `Aurrekontua: ${amount} egunero.`,
    now: { day: 'gaur', week: 'aste honetan', month: 'hilabete honetan', total: '' },
    whose: {
      organization: 'Zure erakundea',
      course: 'Zure ikastaroan',
      activity: 'Jarduera honetan',
      user: 'Galdetzen duzun guztia',
      api_key: 'Gako honekin',
      assistant: 'Laguntzaile honekin',
    },
    sharedSpent: 'Besteekin partekatzen duzun aurrekontu bat agortu da.',
  },
};
