/** The chat beside the form. */
export const trialWords = {
  trial: {
    title: 'Chat de prueba',
    lead: 'Responde tal como está escrito ahora, guardado o no. Este chat no se guarda.',
    nameless: 'Su asistente',
    before: 'De antes de su cambio',
    changed: 'Lo ha cambiado desde esta respuesta.',
    again: 'Preguntar de nuevo',
    clear: 'Vaciar',
    cleared: 'El chat de prueba está vacío.',
    missing: 'Antes de poder preguntarle, complete:',
    show: 'Mostrar',
  },
};
