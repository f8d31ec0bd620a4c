import type { Block } from './blocks.js';
import {
  lengthOf,
  OVERLAP_MAX,
  PASSAGE_TARGET,
  type Span,
  TABLE_HEAD_MAX,
  trimmed,
  WHOLE_BLOCK,
} from './spans.js';

/** What is never cut any more: passages are made of whole pieces. */
export interface Piece extends Span {
  /** Where a passage begins that begins with this piece: with the sentence before, where a paragraph is cut. */
  readonly repeatFrom?: number;
  /** The head of the table it is a row of. */
  readonly head?: Span;
  readonly isHeading?: true;
}

export function* piecesOf(text: string, block: Block): Generator<Piece> {
  const span = trimmed(text, block);
  if (!span) return;
  if (block.kind === 'heading') yield { ...span, isHeading: true };
  else if (lengthOf(span) <= WHOLE_BLOCK) yield span;
  else if (block.kind === 'code') yield* piecesOfCode(text, span, block.language);
  else if (block.kind === 'table') yield* piecesOfTable(text, span, block.headEnd);
  else yield* piecesOfText(text, span);
}

function* piecesOfText(text: string, span: Span): Generator<Piece> {
  let before: Span | undefined;
  for (const sentence of sentencesIn(text, span)) {
    if (lengthOf(sentence) > WHOLE_BLOCK) yield* fragmentsIn(text, sentence, PASSAGE_TARGET);
    else if (before && lengthOf(before) <= OVERLAP_MAX) yield { ...sentence, repeatFrom: before.start };
    else yield sentence;
    before = sentence;
  }
}

/** The head stays with the first row, and every other row knows it. */
function* piecesOfTable(text: string, span: Span, headEnd: number): Generator<Piece> {
  const own = { start: span.start, end: headEnd };
  const head = lengthOf(own) <= TABLE_HEAD_MAX ? own : undefined;
  const most = PASSAGE_TARGET - (head ? lengthOf(head) : 0);
  let start = span.start;
  for (const row of linesIn(text, { start: headEnd, end: span.end })) {
    const piece = { start, end: row.end };
    const isFirst = start === span.start;
    start = row.end;
    if (lengthOf(piece) > WHOLE_BLOCK - (isFirst ? 0 : lengthOf(own)))
      for (const part of fragmentsIn(text, piece, most)) yield isFirst ? part : withHead(part, head);
    else yield isFirst ? piece : withHead(row, head);
  }
}

function withHead(span: Span, head: Span | undefined): Piece {
  return head ? { ...span, head } : span;
}

/** In groups of lines that begin where a definition does, unless such a group is too long itself. */
function* piecesOfCode(text: string, span: Span, language: string): Generator<Piece> {
  const border = codeBorder(language);
  let group: Span[] = [];
  let gap = span.start;
  for (const line of linesIn(text, span)) {
    const own = text.slice(line.start, Math.min(line.end, line.start + PASSAGE_TARGET));
    const isApart = text.indexOf('\n', text.indexOf('\n', gap) + 1) < line.start;
    const begins = isApart || border?.test(own) === true;
    // The fence goes with what it opens.
    if (begins && group.at(-1)?.start !== span.start) {
      yield* piecesOfGroup(text, group);
      group = [];
    }
    group.push(line);
    gap = line.end;
  }
  yield* piecesOfGroup(text, group);
}

function* piecesOfGroup(text: string, lines: readonly Span[]): Generator<Piece> {
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last) return;
  const whole = { start: first.start, end: last.end };
  if (lengthOf(whole) <= PASSAGE_TARGET) yield whole;
  else for (const line of lines) yield* fragmentsIn(text, line, PASSAGE_TARGET);
}

/** Lines that are not blank, with their indentation. */
function* linesIn(text: string, { start, end }: Span): Generator<Span> {
  let from = start;
  while (from < end) {
    const feed = text.indexOf('\n', from);
    const to = feed < 0 || feed >= end ? end : feed;
    const line = trimmed(text, { start: from, end: to });
    if (line) yield { start: from, end: line.end };
    from = to + 1;
  }
}

/** How lines begin before which code is best cut; as the splitters of LangChain have it. */
const DEFINITION_STARTS = {
  cpp: /^(?:class|void|int|float|double|if|for|while|switch|case) /,
  go: /^(?:func|var|const|type|if|for|switch|case) /,
  java: /^(?:class|public|protected|private|static|if|for|while|switch|case) /,
  js: /^(?:function|const|let|var|class|if|for|while|switch|case|default) /,
  php: /^(?:function|class|if|foreach|while|do|switch|case) /,
  python: /^(?:class|\t?def) /,
  ruby: /^(?:def|class|if|unless|while|for|do|begin|rescue) /,
  rust: /^(?:fn|const|let|if|while|for|loop|match) /,
  scala: /^(?:class|object|def|val|var|if|for|while|match|case) /,
  swift: /^(?:func|class|struct|enum|if|for|while|do|switch|case) /,
} as const;

const NAMES: Readonly<Record<string, keyof typeof DEFINITION_STARTS>> = {
  'c++': 'cpp',
  c: 'cpp',
  cc: 'cpp',
  cpp: 'cpp',
  go: 'go',
  java: 'java',
  javascript: 'js',
  js: 'js',
  php: 'php',
  py: 'python',
  python: 'python',
  rb: 'ruby',
  rs: 'rust',
  ruby: 'ruby',
  rust: 'rust',
  scala: 'scala',
  swift: 'swift',
  ts: 'js',
  tsx: 'js',
  typescript: 'js',
};

/** Undefined for a language that is not known. */
function codeBorder(language: string): RegExp | undefined {
  const name = NAMES[language];
  return name && DEFINITION_STARTS[name];
}

// What is better to cut after, first; each is looked for in the second half of what fits.
const BORDERS = [/\n/g, /[;:,、，；：]\s?/g, /[\s|]/g];
const CLUSTER = 64;
const LOW = /[\uDC00-\uDFFF]/;

/** What has no better border, in parts of at most `most`: between lines, clauses, words, and else between characters. */
function* fragmentsIn(text: string, span: Span, most: number): Generator<Span> {
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

// Looks behind so that a long row of dots is read once and not again from each dot.
const ENDING = /(?<![.!?…])[.!?…]+["'”’»)\]*_]*\s+|[。！？｡]+["'”’」』）]*\s*/gu;
const ABBREVIATED =
  /(?:^|[\s([])(?:\p{L}|dr|dra|prof|mr|mrs|ms|st|sr|sra|vs|no|núm|num|art|fig|figs|eq|sec|ch|cap|p|pp|pàg|pág|vol|ed|eds|al|ca|cf|etc|e\.g|i\.e|z\.b|bzw|ej|ex|aprox|approx)\.\s+$/iu;
const GOES_ON = /^[\p{Ll},;:]/u;
const CONTEXT = 12;

/** The sentences of a span, one after the other, without the white space between them. */
function* sentencesIn(text: string, span: Span): Generator<Span> {
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
