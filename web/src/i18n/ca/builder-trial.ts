/** The chat beside the form. */
export const trialWords = {
  trial: {
    title: 'Xat de prova',
    lead: 'Respon tal com està escrit ara, desat o no. Aquest xat no es desa.',
    nameless: 'El teu assistent',
    before: 'D’abans del teu canvi',
    changed: 'L’has canviat des d’aquesta resposta.',
    again: 'Torna a preguntar',
    clear: 'Buida',
    cleared: 'El xat de prova és buit.',
    missing: 'Abans de poder-li preguntar, omple:',
    show: 'Mostra-m’ho',
  },
};
