import { Marked, type Token, type Tokens } from 'marked';
import { isOwnPicture } from './addresses.ts';
import { citationMarks } from './citation-marks.ts';
import { escapeHtml } from './escape-html.ts';
import { mathMarks } from './math-marks.ts';
import { exceedsSizeLimit } from './size-limit.ts';

const LONGEST_LANGUAGE = 30;
/** How many blocks at the end the next words may still change. */
const UNSETTLED = 2;

export interface Growth {
  /** More is to come: what is not closed yet waits, instead of being taken for something else. */
  readonly isGrowing: boolean;
}

/**
 * Gives the markup of each block of a text, as it grows. What can no longer change is not read again.
 * A text that cannot be read comes as it is.
 */
export function createBlockReader(headingLevel: number): (text: string, growth: Growth) => readonly string[] {
  let settled: Settled = NOTHING;

  return (text, { isGrowing }) => {
    if (exceedsSizeLimit(text)) return asItIs(text);
    if (!isGrowing || !text.startsWith(settled.text)) settled = NOTHING;
    try {
      const marked = isGrowing ? GROWING : SETTLED;
      const rest = text.slice(settled.text.length);
      const tokens = marked.lexer(isGrowing ? withoutDashes(rest) : rest);
      const above = [...settled.above];
      const fresh = tokens.map((token) => {
        setLevels(marked, token, { above, headingLevel });
        return { token, above: [...above], html: marked.parser([token]) };
      });
      const blocks = [...settled.blocks, ...fresh.map(({ html }) => html)];
      if (isGrowing) settled = settle(settled, fresh);
      return blocks.filter((html) => html !== '');
    } catch {
      return asItIs(text);
    }
  };
}

interface Settled {
  readonly text: string;
  readonly blocks: readonly string[];
  /** The headings that stand above what follows. */
  readonly above: readonly number[];
}

const NOTHING: Settled = { text: '', blocks: [], above: [] };

interface Read {
  readonly token: Token;
  readonly above: readonly number[];
  readonly html: string;
}

function settle(before: Settled, fresh: readonly Read[]): Settled {
  const cut = fresh.findLastIndex(
    ({ token }, i) => token.type !== 'space' && fresh.slice(i + 1).filter(isBlock).length >= UNSETTLED,
  );
  const sure = fresh.slice(0, cut + 1);
  return {
    text: before.text + sure.map(({ token }) => token.raw).join(''),
    blocks: [...before.blocks, ...sure.map(({ html }) => html)],
    above: sure.at(-1)?.above ?? before.above,
  };
}

const isBlock = ({ token }: Read): boolean => token.type !== 'space';

const asItIs = (text: string): readonly string[] => [`<pre><code>${escapeHtml(text)}</code></pre>`];

/** A line of dashes makes a heading of the line above, or is the beginning of a list: the next character tells. */
const withoutDashes = (text: string): string => text.replace(/\n[ \t]*(?:-+|=+)[ \t]*$/, '');

/** Each heading one level below the one it stands under, whatever the writer has left out. */
function setLevels(
  marked: Marked,
  block: Token,
  { above, headingLevel }: { readonly above: number[]; readonly headingLevel: number },
): void {
  void marked.walkTokens([block], (token) => {
    if (token.type !== 'heading') return;
    const heading = token as Tokens.Heading;
    while ((above.at(-1) ?? 0) >= heading.depth) above.pop();
    above.push(heading.depth);
    heading.depth = Math.min(headingLevel + above.length - 1, 6);
  });
}

function marking(isGrowing: boolean): Marked {
  return new Marked({
    gfm: true,
    extensions: [...mathMarks({ isGrowing }), citationMarks],
    tokenizer: {
      // Tags are words like any other.
      html: () => undefined,
      tag: () => undefined,
    },
    renderer: {
      html: ({ text }) => escapeHtml(text),
      code: ({ text, lang = '' }) =>
        `<pre><code data-lang="${escapeHtml(languageIn(lang))}">${escapeHtml(text)}</code></pre>`,
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
      image: ({ href, title, text }) => pictureOf({ href, title, text }),
    },
  });
}

const languageIn = (info: string): string => (/^\S*/.exec(info)?.[0] ?? '').slice(0, LONGEST_LANGUAGE);

function pictureOf({ href, title, text }: Pick<Tokens.Image, 'href' | 'title' | 'text'>): string {
  const more = title ? ` title="${escapeHtml(title)}"` : '';
  return isOwnPicture(href)
    ? `<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}"${more}>`
    : `<a href="${escapeHtml(href)}"${more}>${escapeHtml(text || href)}</a>`;
}

const SETTLED = marking(false);
const GROWING = marking(true);
