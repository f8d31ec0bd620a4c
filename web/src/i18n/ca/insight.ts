import type { InsightWords } from '../en/insight.ts';
import { counted } from './common.ts';

export const insight: InsightWords = {
  lead: 'Com li va a la gent amb aquest assistent. Aquí no hi ha noms, i el que es diu en privat no es mostra.',
  questions: (n, count) => (n === 1 ? 'S’ha mirat una pregunta.' : `S’han mirat ${count} preguntes.`),
  suppressed:
    'N’hi ha més que aquí no es compta: de grups de menys de cinc estudiants, de visitants sense compte, o que es va prometre mantenir en privat.',
  feedback: {
    title: 'Què es pensa de les seves respostes',
    lead: 'Primer, les respostes que no van ajudar.',
    none: 'Ningú no ha valorat cap resposta en aquest temps.',
    ratings: { up: 'Útil', down: 'No útil' },
    comment: 'Comentari',
    question: 'Pregunta',
    answer: 'Resposta',
    hidden: 'El que es va preguntar i respondre es desa per a qui ho va preguntar.',
    run: 'Obre l’execució',
    correct: 'Corregeix aquesta resposta',
  },
  frequent: {
    title: 'Preguntes freqüents',
    lead: 'Preguntes sobre el mateix, per les paraules que comparteixen.',
    none: 'Cap pregunta no s’ha fet prou sovint per mostrar-la.',
    times: (n) => counted(n, 'pregunta', 'preguntes'),
    people: (n) => `${String(n)} persones`,
    example: 'Per exemple:',
    answerOnce: 'Escriu una resposta per a aquestes',
  },
  sourceless: {
    title: 'Respost sense font',
    lead: 'El que es va cercar no va donar res que la resposta citi. Potser falta al teu material.',
    count: (n, of) => `${n} de ${of} respostes.`,
    none: 'Cap resposta d’aquest temps no està sense font.',
    noExamples: 'Cap d’elles no es pot mostrar.',
  },
  corrected: {
    title: 'Respostes corregides',
    lead: 'Quan una pregunta s’assembla a una d’aquestes, l’assistent veu la teva resposta com a exemple. Pertanyen a l’assistent tal com és ara, no a una de les seves versions.',
    none: 'Encara no has corregit cap resposta.',
    write: 'Escriu-ne una',
    states: { draft: 'Esborrany', active: 'En ús' },
    use: 'Posa en ús',
    stop: 'Deixa d’usar',
    more: (question) => `Més sobre «${question}»`,
    edit: 'Edita',
    deleted: 'La resposta corregida s’ha eliminat.',
    kept: 'La resposta corregida s’ha conservat.',
    saved: 'Desat.',
    gated:
      'L’alumnat rep el que escriviu aquí quan l’assistent n’hagi superat les proves. El que suprimiu desapareix per a tothom de seguida.',
    toTests: 'Ves a les proves',
  },
  form: {
    title: 'Corregeix una resposta',
    question: 'Pregunta',
    questionHint: 'Com la fan els estudiants. Sense noms ni res de personal.',
    answer: 'La resposta que vols',
    answerHint: 'L’assistent la veu com a exemple quan una pregunta s’assembla a aquesta.',
    active: 'En ús des d’ara',
  },
};
