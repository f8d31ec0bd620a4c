import type { teaching as english } from '../en/builder-teaching.ts';

export const teaching: typeof english = {
  title: 'Cómo enseña',
  lead: 'Reglas que Bellwether añade a lo que lee el modelo, digan lo que digan las instrucciones de arriba.',
  attempt: 'Primero un intento propio',
  attemptHint: 'A quien pide ayuda con una tarea se le pregunta antes qué ha intentado.',
  hints: 'Pistas por pasos',
  hintsHint:
    'La ayuda es más clara con cada respuesta de una conversación. Las cuenta Bellwether, no el modelo.',
  levels: 'Cuántos pasos',
  levelsHint: 'De 1 a 5.',
  noSolutions: 'Sin soluciones',
  noSolutionsHint: 'Guía hacia la solución y nunca la da.',
  topic: 'Ceñirse al tema',
  topicHint: (left) =>
    `Cuál es el tema, en pocas palabras; si queda vacío, habla de cualquier cosa. Quedan ${left} caracteres.`,
  topicExample: 'Biología celular, primer curso',
};
