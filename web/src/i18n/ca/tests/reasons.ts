import type { ReasonWords } from '../../en/tests/reasons.ts';

export const reasons: ReasonWords = {
  empty: 'és buida.',
  sentences: {
    says: () => 'La resposta diu:',
    does_not_say: (words) => `La resposta no diu «${words}»:`,
    avoids: (words) => `La resposta no diu «${words}».`,
    pattern_too_slow: () =>
      'El patró ha trigat massa, o sigui que no hi ha veredicte. Escriu-ne un de més senzill.',
    nothing_matches: () => 'Res de la resposta no encaixa en el patró:',
    cites: (title) => `Cita «${title}».`,
    cites_nothing: () => 'No cita res.',
    cites_others: (...titles) => `Cita una altra cosa: ${titles.join(', ')}`,
    called: (...calls) => `Ha fet servir ${calls.join('; ')}`,
    called_nothing: () => 'No ha fet servir cap eina.',
    did_not_call: (tool) => `No ha fet servir ${tool}.`,
    declines: () => 'S’hi nega:',
    does_not_decline: () => 'No s’hi nega:',
    in_language: (language) => `La seva llengua és ${language}:`,
    in_no_language: () => 'No es pot saber en quina llengua és:',
    rounds: (rounds) => `Rondes del model: ${rounds}`,
    cost: (cost) => `Ha costat ${cost}.`,
    no_price: () => 'La teva organització no ha posat preu al que s’ha preguntat.',
    no_judge: () => 'La teva organització no té cap model petit que ho pugui jutjar.',
    judge_failed: (fault) => `Ningú no ho ha jutjat: ${fault}`,
    judge_unclear: () => 'El model que jutja no ha donat cap veredicte que es pugui llegir.',
    points: (points, most, each) => `${points} de ${most} punts. ${each}`,
    assistant_gone: () => 'L’assistent ja no hi és.',
    rubric_gone: () => 'La rúbrica no hi és, o el seu propietari no la pot fer servir.',
    no_answer: (fault) => `No hi ha hagut cap resposta per mirar. ${fault}`,
    not_recorded: (version) =>
      `La versió ${version} no té cap enregistrament d’això. Executa abans les proves amb «Pregunta al model i desa un enregistrament».`,
  },
};
