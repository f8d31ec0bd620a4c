import type { Block } from './blocks.js';
import { codeBorders } from './code-borders.js';
import { fragmentsIn } from './fragments.js';
import { sentencesIn } from './sentences.js';
import { OVERLAP_MAX, PASSAGE_TARGET, TABLE_HEAD_MAX, WHOLE_BLOCK } from './sizes.js';
import { lengthOf, type Span, trimmed } from './spans.js';

/** What is never cut any more: passages are made of whole pieces. */
export interface Piece extends Span {
  /** Where a passage begins that begins with this piece: with the sentence before, where a paragraph is cut. */
  readonly repeatFrom?: number;
  /** The head of the table it is a row of. */
  readonly head?: Span;
}

export function* piecesOf(text: string, block: Block): Generator<Piece> {
  const span = trimmed(text, block);
  if (!span) return;
  if (lengthOf(span) <= WHOLE_BLOCK) yield span;
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
  const borders = codeBorders(language);
  let group: Span[] = [];
  let gap = span.start;
  for (const line of linesIn(text, span)) {
    const own = text.slice(line.start, Math.min(line.end, line.start + PASSAGE_TARGET));
    const isApart = text.indexOf('\n', text.indexOf('\n', gap) + 1) < line.start;
    const begins = isApart || borders.some((one) => own.startsWith(one));
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

/** Those with something in them; indentation stays. */
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
