/**
 * A cosine on the scale of similarities: 0 for what is no nearer than any two passages are by that model, 1 for the same
 * text. What `baseline` is for a model differs widely: near 0 for some, above 0.7 for others.
 */
export function similarityOf(cosine: number, baseline: number): number {
  if (baseline >= 1) return cosine >= 1 ? 1 : 0;
  return Math.min(1, Math.max(0, (cosine - baseline) / (1 - baseline)));
}
