import type { ReasonWords } from '../../en/tests/reasons.ts';

export const reasons: ReasonWords = {
  empty: 'está vacía.',
  sentences: {
    says: () => 'La respuesta dice:',
    does_not_say: (words) => `La respuesta no dice «${words}»:`,
    avoids: (words) => `La respuesta no dice «${words}».`,
    pattern_too_slow: () =>
      'El patrón ha tardado demasiado, así que no hay veredicto. Escribe uno más sencillo.',
    nothing_matches: () => 'Nada en la respuesta encaja en el patrón:',
    cites: (title) => `Cita «${title}».`,
    cites_nothing: () => 'No cita nada.',
    cites_others: (...titles) => `Cita otra cosa: ${titles.join(', ')}`,
    called: (...calls) => `Ha usado ${calls.join('; ')}`,
    called_nothing: () => 'No ha usado ninguna herramienta.',
    did_not_call: (tool) => `No ha usado ${tool}.`,
    declines: () => 'Se niega:',
    does_not_decline: () => 'No se niega:',
    in_language: (language) => `Su idioma es ${language}:`,
    in_no_language: () => 'No se puede saber en qué idioma está:',
    rounds: (rounds) => `Rondas del modelo: ${rounds}`,
    cost: (cost) => `Ha costado ${cost}.`,
    no_price: () => 'Tu organización no ha puesto precio a lo que se ha preguntado.',
    no_judge: () => 'Tu organización no tiene un modelo pequeño que pueda juzgarlo.',
    judge_failed: (fault) => `Nadie lo ha juzgado: ${fault}`,
    judge_unclear: () => 'El modelo que juzga no ha dado un veredicto que se pueda leer.',
    points: (points, most, each) => `${points} de ${most} puntos. ${each}`,
    assistant_gone: () => 'El asistente ya no está.',
    rubric_gone: () => 'La rúbrica no está, o su propietario no puede usarla.',
    no_answer: (fault) => `No ha habido respuesta que mirar. ${fault}`,
    not_recorded: (version) =>
      `La versión ${version} no tiene grabación de esto. Ejecuta antes las pruebas con «Preguntar al modelo y guardar una grabación».`,
  },
};
