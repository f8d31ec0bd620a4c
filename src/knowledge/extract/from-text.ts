import { decodeText } from './decode-text.js';
import type { ReadFormat } from './format.js';
import { cleanText, escapeBlocks, tidyLines } from './text.js';

export const readText: ReadFormat = ({ file }) => {
  const text = tidyLines(
    cleanText(decodeText(file.bytes, /charset\s*=\s*"?([\w:.-]+)/i.exec(file.mediaType ?? '')?.[1])),
  );
  const pages = [{ page: undefined, markdown: escapeBlocks(text) }];
  return Promise.resolve({ format: 'text', title: undefined, pages, pageCount: undefined, faults: [] });
};
