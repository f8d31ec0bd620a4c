/** Answers read out, and questions said instead of typed. */
export const voice = {
  read: 'Irakurri ozen',
  stopReading: 'Utzi irakurtzeari',
  dictate: 'Diktatu',
  dictateHint:
    'Diktatu: nabigatzaileak ahotsa testu bihurtzen du, eta horretarako bere egileari bidal diezaioke',
  stopListening: 'Utzi entzuteari',
  listening: 'Entzuten …',
  failed: 'Ezin izan da ezer entzun. Baimendu mikrofonoa nabigatzailean, edo idatzi.',
};
