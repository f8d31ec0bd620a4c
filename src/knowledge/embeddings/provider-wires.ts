import { z } from 'zod';
import type { EmbeddingSettings } from '../../core/runs/run-context.js';
import { checkedVectors, Vectors } from './vectors.js';

export type RemoteSettings = Exclude<EmbeddingSettings, { readonly provider: 'local' }>;

/** How one kind of provider is spoken to. */
export interface Wire {
  readonly path: string;
  body(model: string, texts: readonly string[]): object;
  /** Throws on what is no answer to so many texts. */
  read(answer: unknown, wanted: number): Float32Array[];
}

const OpenAiAnswer = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: Vectors.element })),
});
const OllamaAnswer = z.object({ embeddings: Vectors });

export const WIRES: Readonly<Record<RemoteSettings['provider'], Wire>> = {
  openai: {
    path: '/embeddings',
    body: (model, input) => ({ model, input, encoding_format: 'float' }),
    read(answer, wanted) {
      const { data } = OpenAiAnswer.parse(answer);
      // Nearly everybody keeps the order; whoever numbers them means the numbers.
      const inOrder = data.map(({ index, embedding }, place) => ({ index: index ?? place, embedding }));
      inOrder.sort((a, b) => a.index - b.index);
      return checkedVectors(
        inOrder.map(({ embedding }) => embedding),
        wanted,
      );
    },
  },
  ollama: {
    path: '/api/embed',
    // It cuts what is longer than the model takes.
    body: (model, input) => ({ model, input, truncate: true }),
    read: (answer, wanted) => checkedVectors(OllamaAnswer.parse(answer).embeddings, wanted),
  },
};
