/** The chat beside the form. */
export const trialWords = {
  trial: {
    title: 'Xat de prova',
    lead: 'Respon tal com està escrit ara, desat o no. Aquest xat no es desa.',
    nameless: 'El vostre assistent',
    before: 'D’abans del vostre canvi',
    changed: 'L’heu canviat des d’aquesta resposta.',
    again: 'Torna a preguntar',
    clear: 'Buida',
    cleared: 'El xat de prova és buit.',
    missing: 'Abans de poder-li preguntar, ompliu:',
    show: 'Mostra-m’ho',
  },
};
