import { linesInOrder } from '../pdf/columns.js';
import { type Line, rowsOf } from '../pdf/lines.js';

/** A word of a picture, in its dots; the line it stands on reaches from `top` to `bottom`. */
export interface RecognisedWord {
  readonly text: string;
  readonly x: number;
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
  /** In per cent. */
  readonly confidence: number;
}

/** In Tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
const LINE = '4';
const WORD = '5';
/** Below it there is rather a stain than a word. */
const LEAST_CONFIDENCE = 40;

export function wordsIn(tsv: string): readonly RecognisedWord[] {
  const words: RecognisedWord[] = [];
  let line = { top: 0, bottom: 0 };
  for (const row of tsv.split('\n')) {
    const [level, , , , , , left, top, width, height, sure, text = ''] = row.split('\t');
    if (level === LINE) line = { top: Number(top), bottom: Number(top) + Number(height) };
    const confidence = Number(sure);
    if (level !== WORD || confidence < LEAST_CONFIDENCE || text.trim() === '') continue;
    words.push({ text: text.trim(), x: Number(left), width: Number(width), ...line, confidence });
  }
  return words;
}

/** The average of its letters; 0 of no words. */
export function confidenceOf(words: readonly RecognisedWord[]): number {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / (letters || 1);
}

/** Lines without long letters are lower than others of the same size: up to this height they are of one size. */
const SAME_SIZE = 1.45;
const STEPS_OF_SIZE = 4;
/** In points. A picture does not say how large its letters are; small ones are no headings beside text that does. */
const USUAL_SIZE = 8;

/** The words of a picture as lines of a page in reading order, with the height of that page in points. */
export function layOutWords(
  words: readonly RecognisedWord[],
  dots: { readonly height: number },
): { readonly lines: readonly Line[]; readonly height: number } {
  const usual = usualHeight(words);
  const scale = USUAL_SIZE / usual;
  const runs = words.map(({ text, x, width, top, bottom }) => {
    const relative = (bottom - top) / usual;
    const times = relative <= SAME_SIZE ? 1 : Math.round(relative * STEPS_OF_SIZE) / STEPS_OF_SIZE;
    const place = { x: x * scale, y: bottom * scale, width: width * scale, size: times * USUAL_SIZE };
    return { text, ...place, isCode: false, isMirrored: false };
  });
  return { lines: linesInOrder(rowsOf(runs)), height: dots.height * scale };
}

/** Of the line that half the letters stand on or below. */
function usualHeight(words: readonly RecognisedWord[]): number {
  const heights = words
    .flatMap(({ text, top, bottom }) => Array.from(text, () => bottom - top))
    .sort((a, b) => a - b);
  return heights[Math.floor(heights.length / 2)] || 1;
}
