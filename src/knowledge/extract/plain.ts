import type { ReadFormat } from './format.js';
import { charsetIn, cleanLine, cleanText, decodeText, escapeBlocks, tidyLines } from './text.js';

/** As it is, but for what stands before the text for programs, and pictures that are written out in it. */
export const readMarkdown: ReadFormat = ({ file }) => {
  const text = cleanText(decodeText(file.bytes, charsetIn(file.mediaType)));
  const front = /^(---|\+\+\+)[ \t]*\n([^]*?)\n\1[ \t]*(?:\n|$)/.exec(text);
  const markdown = text
    .slice(front?.[0].length ?? 0)
    .replace(/data:[a-z0-9.+/-]*;base64,[a-z0-9+/=%]*/gi, '')
    .replace(/^\n+/, '')
    .trimEnd();
  const named = /^title\s*[:=]\s*(["']?)(.{1,300})\1\s*$/im.exec(front?.[2] ?? '')?.[2];
  // Of several headings of the first level none is the title of the whole.
  const [first, ...others] = markdown.matchAll(/^# +(.{1,300}?)[ #]*$/gm);
  const title = cleanLine(named ?? (others.length === 0 ? first?.[1] : undefined) ?? '') || undefined;
  const pages = [{ page: undefined, markdown }];
  return Promise.resolve({ format: 'markdown', title, pages, pageCount: undefined, faults: [] });
};

export const readText: ReadFormat = ({ file }) => {
  const text = tidyLines(cleanText(decodeText(file.bytes, charsetIn(file.mediaType))));
  const pages = [{ page: undefined, markdown: escapeBlocks(text) }];
  return Promise.resolve({ format: 'text', title: undefined, pages, pageCount: undefined, faults: [] });
};
