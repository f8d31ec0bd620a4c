import { seededRandom } from '../seeded-random.js';
import { keyWordsOf, numberOf } from './key-words.js';
import { listenWith } from './listen.js';

/**
 * A provider's model for embeddings that was made up. The key words of a text decide where it lies, so what shares some of
 * them is near. As with real models there are far fewer ways to differ than numbers in a vector.
 */

const DIMENSIONS = Number(process.argv[2]);
const LATENT = 48;

const random = seededRandom(LATENT);
const spread = Array.from({ length: DIMENSIONS }, () => anywhere(random));
const directions = new Map<string, Float64Array>();

listenWith((_path, body) => {
  const { input } = body as { readonly input: readonly string[] };
  const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
  return Promise.resolve({ object: 'list', data, usage: { prompt_tokens: 1, total_tokens: 1 } });
});

function vectorOf(text: string): number[] {
  const sum = new Float64Array(DIMENSIONS);
  for (const word of keyWordsOf(text))
    for (const [i, value] of directionOf(word).entries()) sum[i] = (sum[i] ?? 0) + value;
  const length = Math.hypot(...sum) || 1;
  return Array.from(sum, (value) => Number((value / length).toFixed(5)));
}

function directionOf(word: string): Float64Array {
  const known = directions.get(word);
  if (known) return known;
  const latent = anywhere(seededRandom(numberOf(word)));
  const made = Float64Array.from(spread, (row) =>
    row.reduce((sum, value, i) => sum + value * (latent[i] ?? 0), 0),
  );
  directions.set(word, made);
  return made;
}

function anywhere(next: () => number): Float64Array {
  return Float64Array.from({ length: LATENT }, () => next() + next() + next() - 1.5);
}
