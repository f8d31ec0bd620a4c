import type { Stores } from '../../../src/core/stores.js';
import { aDocument, claimed, FACTS, passage, section } from './library.js';

export const MODEL = 'fake:one';

/** Of length one, the same for the same seed, and like nothing else. */
export function aVector(seed: number, dimensions = 64): Float32Array {
  let state = (seed * 2_654_435_761 + 12_345) % 2_147_483_647;
  const next = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647 - 0.5;
  return unit(new Float32Array(dimensions).map(next));
}

/** `share` of it is the one, the rest the other. */
export function between(one: Float32Array, other: Float32Array, share: number): Float32Array {
  return unit(one.map((value, i) => value * share + (other[i] ?? 0) * (1 - share)));
}

function unit(vector: Float32Array): Float32Array {
  let squared = 0;
  for (const value of vector) squared += value * value;
  const length = Math.sqrt(squared);
  return vector.map((value) => value / length);
}

/** A document that can be found, whose passages have these vectors. */
export async function anEmbeddedDocument(
  stores: Stores,
  collectionId: string,
  vectors: readonly Float32Array[],
  model = MODEL,
): Promise<{ readonly id: string; readonly passageIds: readonly number[] }> {
  const { id } = await aDocument(stores, collectionId);
  const work = await claimed(stores);
  const edition = (await stores.documents.beginEdition(work)) ?? 0;
  const passages = vectors.map((_, i) => passage(`passage ${String(i)}`));
  await stores.documents.write(edition, { sections: [section()], passages });
  const missing = await stores.vectors.missing(edition, model, vectors.length);
  await stores.vectors.write(
    model,
    missing.map(({ passageId }, i) => ({ passageId, vector: vectors[i] as Float32Array })),
  );
  await stores.documents.publish(work, edition, { ...FACTS, embeddedWith: model });
  return { id, passageIds: missing.map(({ passageId }) => passageId) };
}
