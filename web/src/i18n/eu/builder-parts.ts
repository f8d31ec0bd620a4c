/** The parts of the form, and what is in those that are folded. */
export const partWords = {
  parts: {
    label: 'Orri honen atalak',
    form: 'Inprimakia',
    nothingYet: 'Oraindik ezer ez',
    asUsual: 'Ohi bezala',
    starters: (n: number) => (n === 1 ? 'Hasierako galdera bat' : `${String(n)} hasierako galdera`),
    tags: (n: number) => (n === 1 ? 'Etiketa bat' : `${String(n)} etiketa`),
  },
};
