import { HEADING_MAX, type Span } from './spans.js';

/** What a page of Markdown is made of, as far as it matters where it may be cut. */
export type Block = Span &
  (
    | { readonly kind: 'heading'; readonly level: number; readonly title: string }
    | { readonly kind: 'code'; readonly language: string }
    /** The head is the row of names and the line below it. */
    | { readonly kind: 'table'; readonly headEnd: number }
    | { readonly kind: 'text' }
  );

interface Line extends Span {
  readonly next: number;
  /** Enough of it to tell what it is, however long it is. */
  readonly opening: string;
}

const OPENING = HEADING_MAX + 60;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(\S.*))?$/;
const UNDERLINE = /^ {0,3}(?:(={2,})|-{2,})[ \t]*$/;
const FENCE = /^\s*(`{3,}(?!.*`)|~{3,})[ \t]*([\w+#.-]*)/;
const ITEM = /^\s*(?:[-*+•◦▪‣]|\d{1,9}[.)])\s/;
const TABLE_RULE = /^[|:\- \t]+$/;

export function* blocksIn(text: string, page: Span): Generator<Block> {
  let line = lineAt(text, page.start, page.end);
  while (line) {
    const block = blockAt(text, line, page.end);
    if (block) yield block;
    line = lineAt(text, block?.next ?? line.next, page.end);
  }
}

function blockAt(text: string, line: Line, limit: number): (Block & { readonly next: number }) | undefined {
  if (isBlank(line)) return undefined;
  const fence = FENCE.exec(line.opening);
  if (fence) return codeAt(text, { line, mark: fence[1] ?? '', language: fence[2] ?? '' }, limit);
  const heading = headingOf(line);
  if (heading) return { kind: 'heading', start: line.start, end: line.end, next: line.next, ...heading };
  const below = lineAt(text, line.next, limit);
  if (below && isTableHead(text, line, below)) return tableAt(text, line, below, limit);
  const underline = below && line.end - line.start <= HEADING_MAX ? UNDERLINE.exec(below.opening) : null;
  if (below && underline && below.end - below.start < OPENING && !ITEM.test(line.opening)) {
    const level = underline[1] === undefined ? 2 : 1;
    return {
      kind: 'heading',
      level,
      title: line.opening,
      start: line.start,
      end: below.end,
      next: below.next,
    };
  }
  return textAt(text, line, limit);
}

/** Up to a blank line or to where something else begins; every item of a list is one. */
function textAt(text: string, first: Line, limit: number): Block & { readonly next: number } {
  let last = first;
  for (;;) {
    const line = lineAt(text, last.next, limit);
    if (!line || isBlank(line) || ITEM.test(line.opening) || FENCE.test(line.opening) || headingOf(line))
      break;
    const below = lineAt(text, line.next, limit);
    if (below && isTableHead(text, line, below)) break;
    last = line;
  }
  return { kind: 'text', start: first.start, end: last.end, next: last.next };
}

/** A fence that is never closed ends with its page. */
function codeAt(
  text: string,
  { line, mark, language }: { readonly line: Line; readonly mark: string; readonly language: string },
  limit: number,
): Block & { readonly next: number } {
  let last = line;
  for (let next = lineAt(text, line.next, limit); next; next = lineAt(text, next.next, limit)) {
    last = next;
    const closing = next.opening.trim();
    if (closing.startsWith(mark) && closing === mark.charAt(0).repeat(closing.length)) break;
  }
  return {
    kind: 'code',
    language: language.toLowerCase(),
    start: line.start,
    end: last.end,
    next: last.next,
  };
}

function tableAt(text: string, head: Line, rule: Line, limit: number): Block & { readonly next: number } {
  let last = rule;
  for (let row = lineAt(text, rule.next, limit); row && isRow(text, row); row = lineAt(text, row.next, limit))
    last = row;
  return { kind: 'table', start: head.start, headEnd: rule.end, end: last.end, next: last.next };
}

function isTableHead(text: string, line: Line, below: Line): boolean {
  const rule = text.slice(below.start, below.end);
  return rule.includes('|') && rule.includes('-') && TABLE_RULE.test(rule) && isRow(text, line);
}

function isRow(text: string, line: Line): boolean {
  const bar = text.indexOf('|', line.start);
  return bar >= 0 && bar < line.end;
}

function headingOf(line: Line): { readonly level: number; readonly title: string } | undefined {
  if (line.end - line.start > HEADING_MAX) return undefined;
  const found = HEADING.exec(line.opening);
  return found ? { level: found[1]?.length ?? 1, title: found[2] ?? '' } : undefined;
}

function isBlank({ opening, start, end }: Line): boolean {
  return opening.trim() === '' && end - start <= OPENING;
}

function lineAt(text: string, start: number, limit: number): Line | undefined {
  if (start >= limit) return undefined;
  const feed = text.indexOf('\n', start);
  const next = feed < 0 || feed >= limit ? limit : feed + 1;
  const end = next === feed + 1 ? feed - (text.charAt(feed - 1) === '\r' && feed > start ? 1 : 0) : next;
  return { start, end, next, opening: text.slice(start, Math.min(end, start + OPENING)) };
}
