import type { TokenizerAndRendererExtension } from 'marked';
import { escapeHtml } from './escape-html.ts';

const NUMBER = '[1-9]\\d{0,3}';
const ITEM = `${NUMBER}(?:\\s*[-–—]\\s*${NUMBER})?`;
const MARK = new RegExp(`^[[【]\\s?${ITEM}(?:\\s*[,;]\\s*${ITEM})*\\s?[\\]】](?!\\()`);

/** Marks such as [1], [1, 3], [1–3] or 【1】: before links, so that no definition further down takes them over. */
export const citationMarks: TokenizerAndRendererExtension = {
  name: 'citation',
  level: 'inline',
  start: (text) => text.match(/[[【]\s?[1-9]/)?.index,
  tokenizer(text) {
    const raw = MARK.exec(text)?.[0];
    return raw === undefined ? undefined : { type: 'citation', raw };
  },
  renderer: ({ raw }) => `<span data-cite>${escapeHtml(raw)}</span>`,
};
