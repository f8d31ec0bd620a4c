import type { submissions as english } from '../en/submissions.ts';
import { counted } from './common.ts';

export const submissions: typeof english = {
  title: 'Lliura un text',
  lead: 'Un assistent el llegeix amb una rúbrica i proposa una nota. Decideix el teu docent.',
  notice:
    'El teu docent veu el teu nom al costat d’aquest text i decideix la nota. Res no es qualifica automàticament.',
  text: 'El teu text',
  length: (words, characters) =>
    `${counted(words, 'paraula', 'paraules')}, ${counted(characters, 'caràcter', 'caràcters')}`,
  left: (n) => `${n === 1 ? 'queda' : 'queden'} ${counted(n, 'caràcter', 'caràcters')}`,
  tooLong: (n) => `Sobren ${counted(n, 'caràcter', 'caràcters')}.`,
  missing: 'Escriu o enganxa primer el teu text.',
  submit: 'Lliura',
  submitTitle: 'Vols lliurar aquest text?',
  submitMeans: 'El pots retirar fins que el teu docent hagi decidit.',
  submitted: 'Lliurat.',
  oneAtATime:
    'Has lliurat un text i el teu docent encara no ha decidit. Retira’l més avall si en vols lliurar un altre.',
  notAvailable: 'Aquí no es pot lliurar res: el teu docent no ho ha preparat.',
  own: 'El que has lliurat',
  none: 'Encara no has lliurat res.',
  states: {
    open: 'En mans del teu docent',
    approved: 'Qualificat, de camí al curs',
    posted: 'Qualificat',
    rejected: 'Retornat',
  },
  handedIn: (when) => `Lliurat el ${when}`,
  hints: {
    open: 'El teu docent encara no ha decidit.',
    approved: 'La teva nota apareixerà aquí tan bon punt sigui al curs.',
    byHand: 'El teu docent anota la nota al curs: mira-la allà.',
    posted: '',
    rejected: 'No té nota. Pots tornar a lliurar.',
  },
  grade: 'Nota',
  of: (score, maximum) => `${score} de ${maximum}`,
  comment: 'Comentari del teu docent',
  showText: 'Mostra el text',
  withdraw: 'Retira',
  withdrawTitle: 'Vols retirar aquest text?',
  withdrawMeans: 'S’esborra i el teu docent deixa de veure’l. En pots lliurar un altre.',
  withdrawn: 'Retirat.',
};
