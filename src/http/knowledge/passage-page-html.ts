import type { Words } from './passage-page-texts.js';

/** A piece of a text, from its first character to before its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text of a section, paragraph by paragraph, with one part of it marked. */
export function sectionHtml(text: string, quoted: Span, words: Words): string {
  const blocks = blocksIn(text);
  const marked = blocks.filter((block) => overlap(block, quoted) !== undefined);
  return blocks
    .map((block) => {
      const part = overlap(block, quoted);
      if (!part) return element(block, escapeHtml(text.slice(block.start, block.end)), words);
      const notes = [
        ...(block === marked[0] ? [` id="passage" data-begins="${escapeHtml(words.begins)}"`] : []),
        ...(block === marked.at(-1) ? [` data-ends="${escapeHtml(words.ends)}"`] : []),
      ];
      const inner = [
        escapeHtml(text.slice(block.start, part.start)),
        `<mark${notes.join('')}>${escapeHtml(text.slice(part.start, part.end))}</mark>`,
        escapeHtml(text.slice(part.end, block.end)),
      ];
      return element(block, inner.join(''), words);
    })
    .join('\n');
}

interface Block extends Span {
  readonly kind: 'paragraph' | 'heading' | 'preformatted';
}

const FENCE = /^\s*(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}[ \t]+(?=\S)/;

/** Parted at blank lines; code is one block whatever is in it. The signs that make a line a heading are not shown. */
function blocksIn(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { start: number; end: number; kind: Block['kind']; fence: string } | undefined;
  let at = 0;
  const close = () => {
    if (open) blocks.push({ start: open.start, end: open.end, kind: open.kind });
    open = undefined;
  };
  for (const line of text.split('\n')) {
    const [start, end] = [at, at + line.length];
    at = end + 1;
    const fence = FENCE.exec(line)?.[1] ?? '';
    if (open?.fence) {
      open.end = end;
      if (fence.startsWith(open.fence)) close();
      continue;
    }
    const kind = kindOf(line, fence);
    if (line.trim() === '' || kind !== open?.kind || kind === 'heading') close();
    if (line.trim() === '') continue;
    if (open) open.end = end;
    else open = { start: start + (HEADING.exec(line)?.[0].length ?? 0), end, kind, fence };
  }
  close();
  return blocks;
}

function kindOf(line: string, fence: string): Block['kind'] {
  if (fence !== '' || line.trimStart().startsWith('|')) return 'preformatted';
  return HEADING.test(line) ? 'heading' : 'paragraph';
}

function element({ kind }: Block, inner: string, { preformatted }: Words): string {
  if (kind === 'heading') return `<p class="heading" dir="auto">${inner}</p>`;
  if (kind === 'paragraph') return `<p dir="auto">${inner}</p>`;
  // Too wide for a narrow screen, it is scrolled sideways: also by those who use the keyboard alone.
  return `<pre role="region" tabindex="0" aria-label="${escapeHtml(preformatted)}">${inner}</pre>`;
}

function overlap(one: Span, other: Span): Span | undefined {
  const start = Math.max(one.start, other.start);
  const end = Math.min(one.end, other.end);
  return start < end ? { start, end } : undefined;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text of any origin as text on a page or in a quoted attribute. What a page may not hold is left out. */
export function escapeHtml(text: string): string {
  return text
    .replace(/\p{Cs}/gu, '\uFFFD')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replace(/[^\P{Cc}\t\n]/gu, '');
}
