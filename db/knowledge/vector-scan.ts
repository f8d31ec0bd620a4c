import { setImmediate } from 'node:timers/promises';
import { dotProduct } from './vector-bytes.js';
import { signBytes, type VectorPage } from './vector-page.js';

export interface Nomination {
  readonly passageId: number;
  /** What its cosine probably is. */
  readonly guess: number;
}

/** For so long the event loop belongs to one question; then whatever else waits has its turn. */
const SLICE_MS = 2;

/** The passages whose outlines promise most, in no order. Page by page, so that what is in memory is bounded. */
export async function nominate(
  pages: AsyncIterable<VectorPage>,
  question: Float32Array,
  most: number,
): Promise<readonly Nomination[]> {
  const sums = signSums(question);
  const best = createBest(most);
  let sliceEnd = performance.now() + SLICE_MS;
  for await (const page of pages) {
    if (page.dimensions !== question.length) continue;
    look(page, question, { sums, best });
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    sliceEnd = performance.now() + SLICE_MS;
  }
  return best.all();
}

function look(
  { dimensions, passageIds, guides, middle, signs }: VectorPage,
  question: Float32Array,
  { sums, best }: { readonly sums: Float32Array; readonly best: Best },
): void {
  const fromMiddle = dotProduct(middle, question);
  const stride = signBytes(dimensions);
  for (let row = 0; row < passageIds.length; row += 1) {
    let sum = 0;
    const start = row * stride;
    for (let i = 0; i < stride; i += 1) sum += sums[(i << 8) | (signs[start + i] as number)] as number;
    const offset = guides[row * 2] as number;
    const factor = guides[row * 2 + 1] as number;
    best.offer(passageIds[row] as number, fromMiddle + offset + factor * sum);
  }
}

/** For each byte of signs, at each place, what the question's eight numbers there add up to under those signs. */
export function signSums(question: Float32Array): Float32Array {
  const places = signBytes(question.length);
  const sums = new Float32Array(places * 256);
  for (let place = 0; place < places; place += 1) {
    for (let byte = 0; byte < 256; byte += 1) {
      let sum = 0;
      for (let bit = 0; bit < 8; bit += 1) {
        const number = question[place * 8 + bit] ?? 0;
        sum += (byte >> bit) & 1 ? number : -number;
      }
      sums[(place << 8) | byte] = sum;
    }
  }
  return sums;
}

type Best = ReturnType<typeof createBest>;

/** Keeps the best so many: gathers a few times as many, and then lets the worse go. */
function createBest(most: number) {
  let kept: Nomination[] = [];
  let least = -Infinity;
  const thinOut = () => {
    kept = kept.sort((a, b) => b.guess - a.guess).slice(0, most);
    if (kept.length === most) least = kept[most - 1]?.guess ?? least;
  };
  return {
    offer(passageId: number, guess: number): void {
      if (guess <= least) return;
      kept.push({ passageId, guess });
      if (kept.length >= most * 4) thinOut();
    },
    all(): readonly Nomination[] {
      thinOut();
      return kept;
    },
  };
}
