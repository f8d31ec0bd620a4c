import { type Span, trimmed } from './spans.js';

// Looks behind so that a long row of dots is read once and not again from each dot.
const ENDING = /(?<![.!?…])[.!?…]+["'”’»)\]*_]*\s+|[。！？｡]+["'”’」』）]*\s*/gu;
const ABBREVIATED =
  /(?:^|[\s([])(?:\p{L}|dr|dra|prof|mr|mrs|ms|st|sr|sra|vs|no|núm|num|art|fig|figs|eq|sec|ch|cap|p|pp|pàg|pág|vol|ed|eds|al|ca|cf|etc|e\.g|i\.e|z\.b|bzw|ej|ex|aprox|approx)\.\s+$/iu;
const GOES_ON = /^[\p{Ll},;:]/u;
const CONTEXT = 12;

/** The sentences of a span, one after the other, without the white space between them. */
export function* sentencesIn(text: string, span: Span): Generator<Span> {
  const own = text.slice(span.start, span.end);
  let from = 0;
  for (const { 0: ending, index } of own.matchAll(ENDING)) {
    const to = index + ending.length;
    if (to < own.length && isEnd(own, index, to)) {
      const sentence = trimmed(text, { start: span.start + from, end: span.start + to });
      if (sentence) yield sentence;
      from = to;
    }
  }
  const rest = trimmed(text, { start: span.start + from, end: span.end });
  if (rest) yield rest;
}

function isEnd(text: string, ending: number, to: number): boolean {
  if (GOES_ON.test(text.slice(to, to + 2))) return false;
  const before = text.slice(Math.max(0, ending - CONTEXT), to);
  return text.charAt(ending) !== '.' || !ABBREVIATED.test(before);
}
