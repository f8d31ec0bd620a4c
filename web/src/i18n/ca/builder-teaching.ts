import type { teaching as english } from '../en/builder-teaching.ts';

export const teaching: typeof english = {
  title: 'Com ensenya',
  lead: 'Regles que Bellwether afegeix al que llegeix el model, diguin el que diguin les instruccions de dalt.',
  attempt: 'Primer un intent propi',
  attemptHint: 'A qui demana ajuda amb una tasca se li pregunta abans què ha provat.',
  hints: 'Pistes per passos',
  hintsHint: 'L’ajuda és més clara amb cada resposta d’una conversa. Les compta Bellwether, no el model.',
  levels: 'Quants passos',
  levelsHint: 'D’1 a 5.',
  noSolutions: 'Sense solucions',
  noSolutionsHint: 'Guia cap a la solució i no la dona mai.',
  topic: 'Cenyir-se al tema',
  topicHint: (left) =>
    `Quin és el tema, en poques paraules; si queda buit, parla de qualsevol cosa. Queden ${left} caràcters.`,
  topicExample: 'Biologia cel·lular, primer curs',
};
