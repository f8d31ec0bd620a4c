import { sanitisedText } from './sanitise.ts';

export interface Citation {
  readonly n: number;
  /** Where in the page its source is listed. */
  readonly href: string;
  readonly title: string;
}

export interface Decoration {
  readonly words: {
    readonly copy: string;
    readonly code: string;
    readonly table: string;
    readonly source: (n: number, title: string) => string;
  };
  readonly citations: readonly Citation[];
  readonly copy: (text: string) => void;
  /** Undefined until formulas can be drawn; they are shown as they are written until then. */
  readonly formulaOf: ((tex: string, isDisplayed: boolean) => DocumentFragment | undefined) | undefined;
  /** Undefined while more is to come: what has colours changes them with every word. */
  readonly coloured: ((code: string, language: string) => Promise<DocumentFragment | undefined>) | undefined;
}

/** A block of markup as elements: sanitised first, and only then given what makes them useful. */
export function decorate(html: string, decoration: Decoration): DocumentFragment {
  const block = sanitisedText(html);
  for (const link of block.querySelectorAll('a[href]')) {
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer');
  }
  for (const image of block.querySelectorAll('img')) image.loading = 'lazy';
  for (const code of block.querySelectorAll('pre > code')) decorateCode(code, decoration);
  for (const table of block.querySelectorAll('table')) decorateTable(table, decoration);
  for (const span of block.querySelectorAll<HTMLElement>('[data-math]')) drawFormula(span, decoration);
  for (const mark of block.querySelectorAll('[data-cite]')) linkSources(mark, decoration);
  return block;
}

function decorateCode(code: Element, { words, copy, coloured }: Decoration): void {
  const pre = code.parentElement;
  if (!pre) return;
  const language = code.getAttribute('data-lang') ?? '';
  const head = element('figcaption', {}, [
    element('span', {}, [language]),
    element('button', { type: 'button' }, [words.copy]),
  ]);
  head.lastElementChild?.addEventListener('click', () => {
    copy(code.textContent);
  });
  const figure = element('figure', { class: 'code', 'aria-label': language || words.code });
  pre.replaceWith(figure);
  // What scrolls can be scrolled by keys.
  pre.setAttribute('tabindex', '0');
  figure.append(head, pre);
  if (language === '') return;
  void coloured?.(code.textContent, language).then(
    (marked) => {
      if (marked) code.replaceChildren(marked);
    },
    // Without colours it can be read as well.
    () => undefined,
  );
}

function decorateTable(table: Element, { words }: Decoration): void {
  const frame = element('div', {
    ...{ class: 'table', tabindex: '0', role: 'group', 'aria-label': words.table },
  });
  table.replaceWith(frame);
  frame.append(table);
}

function drawFormula(span: HTMLElement, { formulaOf }: Decoration): void {
  const { math } = span.dataset;
  const drawn = math === 'open' ? undefined : formulaOf?.(span.textContent, math === 'display');
  if (drawn) span.replaceChildren(drawn);
  else span.replaceChildren(element('code', {}, [span.textContent]));
}

const NUMBERS = /[1-9]\d{0,3}/g;

function linkSources(mark: Element, { citations, words }: Decoration): void {
  const text = mark.textContent;
  const linkOf = (n: number, shown: string): Element | undefined => {
    const source = citations.find((each) => each.n === n);
    if (!source) return undefined;
    const label = words.source(n, source.title);
    const attributes = { class: 'cite', href: source.href, title: label, 'aria-label': label };
    const link = element('a', attributes, [shown]);
    link.addEventListener('click', leadTo);
    return link;
  };
  const numbers = [...text.matchAll(NUMBERS)];
  const [only] = numbers;
  if (only && numbers.length === 1) {
    mark.replaceWith(linkOf(Number(only[0]), text) ?? text);
    return;
  }
  const pieces: (string | Node)[] = [];
  let at = 0;
  for (const { 0: number, index } of numbers) {
    pieces.push(text.slice(at, index), linkOf(Number(number), number) ?? number);
    at = index + number.length;
  }
  mark.replaceWith(...pieces, text.slice(at));
}

/** To the source without a step in the browser's history; what it is folded into is unfolded. */
function leadTo(event: MouseEvent): void {
  const { hash } = event.currentTarget as HTMLAnchorElement;
  const target = document.getElementById(hash.slice(1));
  if (!target) return;
  event.preventDefault();
  const folded = target.closest('details');
  if (folded) folded.open = true;
  target.focus();
}

function element(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly (string | Node)[] = [],
): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
