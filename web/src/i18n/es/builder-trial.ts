/** The chat beside the form. */
export const trialWords = {
  trial: {
    title: 'Chat de prueba',
    lead: 'Responde tal como está escrito ahora, guardado o no. Este chat no se guarda.',
    nameless: 'Tu asistente',
    before: 'De antes de tu cambio',
    changed: 'Lo has cambiado desde esta respuesta.',
    again: 'Preguntar de nuevo',
    clear: 'Vaciar',
    cleared: 'El chat de prueba está vacío.',
    missing: 'Antes de poder preguntarle, completa:',
    show: 'Mostrar',
  },
};
