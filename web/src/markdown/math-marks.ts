import type { TokenizerAndRendererExtension } from 'marked';
import { escapeHtml } from './escape-html.ts';

/** A longer one is not a formula that somebody reads. */
const MOST = 4_000;
const PARAGRAPH = `(?:(?!\\n[ \\t]*\\n)[^]){1,${String(MOST)}}?`;

const BLOCK = [
  new RegExp(`^ {0,3}\\$\\$(${PARAGRAPH})\\$\\$[ \\t]*(?:\\n|$)`),
  new RegExp(`^ {0,3}\\\\\\[(${PARAGRAPH})\\\\\\][ \\t]*(?:\\n|$)`),
];
/** A formula that is still being written. */
const OPEN_BLOCK = /^ {0,3}(?:\$\$|\\\[)([^]*)$/;
const DISPLAY = [new RegExp(`^\\$\\$(${PARAGRAPH})\\$\\$`), new RegExp(`^\\\\\\[(${PARAGRAPH})\\\\\\]`)];
const INLINE = [
  // Prices have no dollar right after a word, and a digit after the second one.
  new RegExp(`^\\$(?![\\s$])((?:\\\\.|[^$\\\\\\n]){1,${String(MOST)}}?)(?<!\\s)\\$(?!\\d)`),
  new RegExp(`^\\\\\\((${PARAGRAPH})\\\\\\)`),
];

type How = 'inline' | 'display' | 'open';

/** Formulas between `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, kept as they are written until they are drawn. */
export function mathMarks({ isGrowing }: { readonly isGrowing: boolean }): TokenizerAndRendererExtension[] {
  return [
    {
      name: 'blockMath',
      level: 'block',
      start: (text) => text.match(/\n {0,3}(?:\$\$|\\\[)/)?.index,
      tokenizer(text) {
        const closed = tokenOf('blockMath', 'display', first(BLOCK, text));
        return closed ?? (isGrowing ? tokenOf('blockMath', 'open', OPEN_BLOCK.exec(text)) : undefined);
      },
      renderer: (token) => `<p>${spanOf(token as unknown as MathToken)}</p>`,
    },
    {
      name: 'inlineMath',
      level: 'inline',
      start: (text) => text.match(/\$|\\[([]/)?.index,
      tokenizer: (text) =>
        tokenOf('inlineMath', 'display', first(DISPLAY, text)) ??
        tokenOf('inlineMath', 'inline', first(INLINE, text)),
      renderer: (token) => spanOf(token as unknown as MathToken),
    },
  ];
}

interface MathToken {
  readonly type: string;
  readonly raw: string;
  readonly tex: string;
  readonly how: How;
}

function first(patterns: readonly RegExp[], text: string): RegExpExecArray | null {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found) return found;
  }
  return null;
}

function tokenOf(type: string, how: How, found: RegExpExecArray | null): MathToken | undefined {
  const tex = found?.[1]?.trim();
  return found && (tex || how === 'open') ? { type, raw: found[0], tex: tex ?? '', how } : undefined;
}

const spanOf = ({ how, tex }: MathToken): string => `<span data-math="${how}">${escapeHtml(tex)}</span>`;
