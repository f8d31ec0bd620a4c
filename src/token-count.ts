import { setImmediate as turn } from 'node:timers/promises';
import type { Tiktoken } from 'js-tiktoken/lite';

export type CountTokens = (text: string) => Promise<number>;

/** Between two pieces of a long text others get their turn. A cut may cost a token, so short texts are not cut. */
const PIECE = 8_000;
/** One endless word takes time with the square of its length: such texts are cut finer. */
const ENDLESS_WORD = /\S{400}|\s{400}/;
const FINE_PIECE = 400;

/** Counts as OpenAI's newer models do; others differ a little. The tables are large, so they are read when first asked. */
export function createTokenCounter(): CountTokens {
  let loaded: Promise<Tiktoken> | undefined;

  return async (text) => {
    if (text === '') return 0;
    const encoder = await (loaded ??= loadEncoder());
    let count = 0;
    for (const piece of pieces(text)) {
      if (count > 0) await turn();
      // No special words: "<|endoftext|>" is text here like any other.
      count += encoder.encode(piece, [], []).length;
    }
    return count;
  };
}

async function loadEncoder(): Promise<Tiktoken> {
  const [{ Tiktoken }, { default: ranks }] = await Promise.all([
    import('js-tiktoken/lite'),
    import('js-tiktoken/ranks/o200k_base'),
  ]);
  return new Tiktoken(ranks);
}

function pieces(text: string): readonly string[] {
  const size = ENDLESS_WORD.test(text) ? FINE_PIECE : PIECE;
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  );
}
