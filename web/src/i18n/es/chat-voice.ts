/** Answers read out, and questions said instead of typed. */
export const voice = {
  read: 'Leer en voz alta',
  stopReading: 'Dejar de leer',
  dictate: 'Dictar',
  dictateHint: 'Dictar: el navegador convierte la voz en texto y puede enviarla a su fabricante para ello',
  stopListening: 'Dejar de escuchar',
  listening: 'Escuchando …',
  failed: 'No se ha podido oír nada. Permite el micrófono en el navegador o escribe.',
};
