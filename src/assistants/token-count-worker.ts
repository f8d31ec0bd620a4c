import { parentPort } from 'node:worker_threads';
import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';

/** The other side of `token-count.ts`, on a thread of its own: building the tables alone takes seconds. */

/** One endless word takes time with the square of its length, so it is cut; a cut may cost a token. */
const ENDLESS = /(\S{51,}|\s{51,})/;
const LONGEST_WORD = 50;
const LONGEST_PIECE = 8_000;
/** What is not counted by then is taken to be like what was. */
const MOST_MS = 1_000;

const encoder = new Tiktoken(ranks);

parentPort?.on('message', ({ id, text }: { readonly id: number; readonly text: string }) => {
  parentPort?.postMessage({ id, tokens: count(text) });
});

function count(text: string): number {
  const giveUpAt = Date.now() + MOST_MS;
  let tokens = 0;
  let chars = 0;
  for (const piece of piecesOf(text)) {
    // No special words: "<|endoftext|>" is text here like any other.
    tokens += encoder.encode(piece, [], []).length;
    chars += piece.length;
    if (Date.now() > giveUpAt) return Math.ceil((tokens * text.length) / chars);
  }
  return tokens;
}

function piecesOf(text: string): string[] {
  return text.split(ENDLESS).flatMap((part, i) => cut(part, i % 2 === 1 ? LONGEST_WORD : LONGEST_PIECE));
}

function cut(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  );
}
