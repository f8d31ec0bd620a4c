/** The chat beside the form. */
export const trialWords = {
  trial: {
    title: 'Probako txata',
    lead: 'Orain idatzita dagoen bezala erantzuten du, gordeta egon ala ez. Txat hau ez da gordetzen.',
    nameless: 'Zure laguntzailea',
    before: 'Zure aldaketaren aurrekoa',
    changed: 'Erantzun honen ondoren aldatu duzu.',
    again: 'Galdetu berriro',
    clear: 'Hustu',
    cleared: 'Probako txata hutsik dago.',
    missing: 'Galdetu ahal izateko, bete hau:',
    show: 'Erakutsi',
  },
};
