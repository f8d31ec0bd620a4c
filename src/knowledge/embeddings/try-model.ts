import type { Embedder } from '../../core/knowledge/embedder.js';

/** A question, a sentence that answers it in other words, and one about something else in the words of the question. */
export interface Trial {
  readonly language: string;
  readonly question: string;
  readonly answer: string;
  readonly other: string;
}

export const TRIALS: readonly Trial[] = [
  {
    language: 'en',
    question: 'How do plants make their food?',
    answer: 'Leaves turn sunlight, water and air into sugar.',
    other: 'How do I make my plans for the weekend?',
  },
  {
    language: 'es',
    question: '¿Cómo fabrican las plantas su alimento?',
    answer: 'Las hojas convierten la luz del sol, el agua y el aire en azúcar.',
    other: '¿Cómo se fabrican las suelas del calzado?',
  },
  {
    language: 'ca',
    question: 'Com fabriquen les plantes el seu aliment?',
    answer: "Les fulles converteixen la llum del sol, l'aigua i l'aire en sucre.",
    other: 'Com es fabriquen les plantilles de les sabates?',
  },
  {
    language: 'eu',
    question: 'Nola egiten dute landareek beren elikagaia?',
    answer: 'Hostoek eguzkiaren argia, ura eta airea azukre bihurtzen dituzte.',
    other: 'Nola egiten dute zapatariek beren lana?',
  },
];

export interface TriedEmbedder {
  readonly dimensions: number;
  readonly languages: readonly {
    readonly language: string;
    readonly similar: number;
    readonly different: number;
  }[];
}

/** Whether what means the same lies nearer than what only sounds alike, in each language by itself. */
export async function tryEmbedder(embedder: Embedder, signal: AbortSignal): Promise<TriedEmbedder> {
  const questions = await embedder.embed(
    TRIALS.map(({ question }) => question),
    { kind: 'query', signal },
  );
  const passages = await embedder.embed(
    TRIALS.flatMap(({ answer, other }) => [answer, other]),
    { kind: 'passage', signal },
  );
  return {
    dimensions: questions[0]?.length ?? 0,
    languages: TRIALS.map(({ language }, i) => ({
      language,
      similar: cosine(questions[i], passages[2 * i]),
      different: cosine(questions[i], passages[2 * i + 1]),
    })),
  };
}

/** Of vectors of length one. */
function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a?.reduce((sum, value, i) => sum + value * (b?.[i] ?? 0), 0) ?? 0;
}
