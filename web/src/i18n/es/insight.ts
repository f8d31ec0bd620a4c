import type { InsightWords } from '../en/insight.ts';
import { counted } from './common.ts';

export const insight: InsightWords = {
  lead: 'Cómo le va a la gente con este asistente. Aquí no hay nombres, y lo que se dice en privado no se muestra.',
  questions: (n, count) => (n === 1 ? 'Se ha mirado una pregunta.' : `Se han mirado ${count} preguntas.`),
  suppressed:
    'Hay más que aquí no se cuenta: de grupos de menos de cinco estudiantes, de visitantes sin cuenta, o que se prometió mantener en privado.',
  feedback: {
    title: 'Qué se piensa de sus respuestas',
    lead: 'Primero, las respuestas que no ayudaron.',
    none: 'Nadie ha valorado una respuesta en este tiempo.',
    ratings: { up: 'Útil', down: 'No útil' },
    comment: 'Comentario',
    question: 'Pregunta',
    answer: 'Respuesta',
    hidden: 'Lo que se preguntó y se respondió se guarda para quien lo preguntó.',
    run: 'Abrir la ejecución',
    correct: 'Corregir esta respuesta',
  },
  frequent: {
    title: 'Preguntas frecuentes',
    lead: 'Preguntas sobre lo mismo, por las palabras que comparten.',
    none: 'Ninguna pregunta se ha hecho lo bastante a menudo como para contarla.',
    times: (n) => counted(n, 'pregunta', 'preguntas'),
    people: (n) => `${String(n)} personas`,
    example: 'Por ejemplo:',
    answerOnce: 'Escribir una respuesta para estas',
  },
  sourceless: {
    title: 'Respondido sin fuente',
    lead: 'Lo que se buscó no dio nada que la respuesta cite. Puede que falte en tu material.',
    count: (n, of) => `${n} de ${of} respuestas.`,
    none: 'Ninguna respuesta de este tiempo está sin fuente.',
    noExamples: 'Ninguna de ellas se puede mostrar.',
  },
  corrected: {
    title: 'Respuestas corregidas',
    lead: 'Cuando una pregunta se parece a una de estas, el asistente ve tu respuesta como ejemplo. Pertenecen al asistente tal como es ahora, no a una de sus versiones.',
    none: 'Todavía no has corregido ninguna respuesta.',
    write: 'Escribir una',
    states: { draft: 'Borrador', active: 'En uso' },
    use: 'Poner en uso',
    stop: 'Dejar de usar',
    more: (question) => `Más sobre «${question}»`,
    edit: 'Editar',
    deleted: 'La respuesta corregida se ha eliminado.',
    kept: 'La respuesta corregida se ha conservado.',
    saved: 'Guardado.',
    gated:
      'El alumnado recibe lo que escriba aquí cuando el asistente haya superado sus pruebas con ello. Lo que elimine desaparece para todos enseguida.',
    toTests: 'Ir a las pruebas',
  },
  form: {
    title: 'Corregir una respuesta',
    question: 'Pregunta',
    questionHint: 'Como la hacen los estudiantes. Sin nombres ni nada personal.',
    answer: 'La respuesta que quieres',
    answerHint: 'El asistente la ve como ejemplo cuando una pregunta se parece a esta.',
    active: 'En uso desde ahora',
  },
};
