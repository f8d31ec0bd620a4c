import { unusableAnswer } from '../../core/errors.js';
import type { Embedder } from '../../core/knowledge/embedder.js';
import type { VectorStore } from '../../core/knowledge/stores.js';

const BATCH = 64;

/** Gives every passage of an edition a vector of the model; those that have one keep it. */
export async function embedEdition(
  edition: number,
  { vectors, embedder }: { readonly vectors: VectorStore; readonly embedder: Embedder },
  { signal, onMade }: { readonly signal: AbortSignal; readonly onMade: (made: number) => void },
): Promise<void> {
  const { model } = embedder;
  let made = 0;
  for (;;) {
    const missing = await vectors.missing(edition, model, BATCH);
    if (missing.length === 0) return;
    const texts = missing.map(({ text }) => text);
    const answer = await embedder.embed(texts, { kind: 'passage', signal });
    signal.throwIfAborted();
    await vectors.write(
      model,
      missing.map(({ passageId }, i) => ({ passageId, vector: vectorOf(answer[i]) })),
    );
    made += missing.length;
    onMade(made);
  }
}

function vectorOf(vector: Float32Array | undefined): Float32Array {
  if (vector) return vector;
  throw unusableAnswer('The embedding model sent fewer vectors than it was sent texts.');
}
