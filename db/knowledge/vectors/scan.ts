import { setImmediate } from 'node:timers/promises';
import { dotProduct, signBytes, type VectorPage } from './pages.js';

export interface Nomination {
  readonly passageId: number;
  /** What its cosine probably is. */
  readonly guess: number;
}

/** For so long the event loop belongs to one question; then whatever else waits has its turn. */
const SLICE_MS = 3;

/** The passages whose outlines promise most, in no order. Page by page, so that what is in memory is bounded. */
export async function nominate(
  pages: AsyncIterable<VectorPage>,
  question: Float32Array,
  most: number,
): Promise<readonly Nomination[]> {
  const glance = prepareGlance(question);
  const best = createBest(most);
  let sliceEnd = performance.now() + SLICE_MS;
  for await (const page of pages) {
    if (page.dimensions !== question.length) continue;
    look(page, glance, best);
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    sliceEnd = performance.now() + SLICE_MS;
  }
  return best.all();
}

/** Of every outline only the first part is looked at; the rest as well where that part leaves hope. */
interface Glance {
  readonly question: Float32Array;
  readonly sums: Float32Array;
  readonly firstPart: number;
  /** What the first part has of the whole, on average, and how far it commonly strays from that. */
  readonly share: number;
  readonly stray: number;
}

const FIRST_PART = 3 / 8;
/** In standard deviations. Only those that are barely among the best are ever lost by it. */
const HOPE = 2;

function prepareGlance(question: Float32Array): Glance {
  const firstPart = Math.ceil(signBytes(question.length) * FIRST_PART);
  const first = question.subarray(0, firstPart * 8);
  const whole = dotProduct(question, question);
  const share = whole === 0 ? 1 : dotProduct(first, first) / whole;
  const stray = HOPE * Math.sqrt(whole * share * (1 - share));
  return { question, sums: signSums(question), firstPart, share, stray };
}

function look(page: VectorPage, { question, sums, firstPart, share, stray }: Glance, best: Best): void {
  const { passageIds, guides, middle, signs } = page;
  const fromMiddle = dotProduct(middle, question);
  const stride = signBytes(page.dimensions);
  for (let row = 0; row < passageIds.length; row += 1) {
    const start = row * stride;
    const without = fromMiddle + (guides[row * 2] as number);
    const factor = guides[row * 2 + 1] as number;
    let sum = 0;
    for (let i = 0; i < firstPart; i += 1) sum += sums[(i << 8) | (signs[start + i] as number)] as number;
    if (sum < (share * (best.least() - without)) / factor - stray) continue;
    for (let i = firstPart; i < stride; i += 1)
      sum += sums[(i << 8) | (signs[start + i] as number)] as number;
    best.offer(passageIds[row] as number, without + factor * sum);
  }
}

/** For each byte of signs, at each place, what the question's eight numbers there add up to under those signs. */
function signSums(question: Float32Array): Float32Array {
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
    /** What is worse than this is not taken any more. */
    least: () => least,
    offer(passageId: number, guess: number): void {
      if (guess <= least) return;
      kept.push({ passageId, guess });
      if (kept.length >= most * 2) thinOut();
    },
    all(): readonly Nomination[] {
      thinOut();
      return kept;
    },
  };
}
