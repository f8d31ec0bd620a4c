import { type Span, trimmed } from './spans.js';

// What is better to cut after, first; each is looked for in the second half of what fits.
const BORDERS = [/\n/g, /[;:,、，；：]\s?/g, /[\s|]/g];
const CLUSTER = 64;
const LOW = /[\uDC00-\uDFFF]/;

/** What has no better border, in parts of at most `most`: between lines, clauses, words, and else between characters. */
export function* fragmentsIn(text: string, span: Span, most: number): Generator<Span> {
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let rest = trimmed(text, span);
  while (rest) {
    const end = rest.end - rest.start <= most ? rest.end : cutIn(text, rest, most, graphemes);
    const part = trimmed(text, { start: rest.start, end });
    if (part) yield part;
    rest = trimmed(text, { start: end, end: span.end });
  }
}

function cutIn(text: string, { start }: Span, most: number, graphemes: Intl.Segmenter): number {
  const half = start + Math.floor(most / 2);
  const window = text.slice(half, start + most);
  for (const border of BORDERS) {
    const last = [...window.matchAll(border)].at(-1);
    if (last) return half + last.index + last[0].length;
  }
  return betweenCharacters(text, start + most, graphemes);
}

/** The last border between characters as people see them, up to `at`. */
function betweenCharacters(text: string, at: number, graphemes: Intl.Segmenter): number {
  const from = at - CLUSTER;
  const borders = [...graphemes.segment(text.slice(from, at + CLUSTER))]
    .map(({ index }) => from + index)
    .filter((border) => border > from && border <= at);
  const last = borders.at(-1) ?? at;
  return LOW.test(text.charAt(last)) ? last - 1 : last;
}
