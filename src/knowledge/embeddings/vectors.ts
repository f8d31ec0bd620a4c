import { z } from 'zod';
import { unusableAnswer } from '../../core/errors.js';

/** More than embedding models have: a longer answer is a fault of the server. */
const MOST_DIMENSIONS = 16_384;

const Vector = z.array(z.number()).min(1).max(MOST_DIMENSIONS);

export const Vectors = z.array(Vector);

/** The vectors of an answer, of length one: as many as were asked for, all with the same number of dimensions. */
export function checkedVectors(vectors: readonly (readonly number[])[], wanted: number): Float32Array[] {
  if (vectors.length !== wanted)
    throw unusableAnswer(
      `The embeddings provider answered with ${String(vectors.length)} vectors for ${String(wanted)} texts.`,
    );
  const dimensions = vectors[0]?.length;
  if (vectors.some(({ length }) => length !== dimensions))
    throw unusableAnswer('The embeddings provider answered with vectors of different lengths.');
  return vectors.map(normalised);
}

/** Of length one. What has no direction can be near nothing. */
export function normalised(vector: ArrayLike<number>): Float32Array {
  const floats = Float32Array.from(vector);
  let squared = 0;
  for (const value of floats) squared += value * value;
  const length = Math.sqrt(squared);
  if (!Number.isFinite(length) || length === 0)
    throw unusableAnswer('The embeddings provider answered with a vector that has no direction.');
  return floats.map((value) => value / length);
}

/**
 * A cosine on the scale of similarities: 0 for what is no nearer than any two passages are by that model, 1 for the same
 * text. What `baseline` is for a model differs widely: near 0 for some, above 0.7 for others.
 */
export function similarityOf(cosine: number, baseline: number): number {
  if (baseline >= 1) return cosine >= 1 ? 1 : 0;
  return Math.min(1, Math.max(0, (cosine - baseline) / (1 - baseline)));
}
