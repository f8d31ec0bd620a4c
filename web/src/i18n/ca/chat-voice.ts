/** Answers read out, and questions said instead of typed. */
export const voice = {
  read: 'Llegeix en veu alta',
  stopReading: 'Deixa de llegir',
  dictate: 'Dicta',
  dictateHint: 'Dicta: el navegador converteix la veu en text i pot enviar-la al seu fabricant per fer-ho',
  stopListening: 'Deixa d’escoltar',
  listening: 'Escoltant …',
  failed: 'No s’ha pogut sentir res. Permet el micròfon al navegador o escriu.',
};
