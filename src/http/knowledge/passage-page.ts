import { createHash } from 'node:crypto';
import type { KnowledgeDocument } from '../../core/knowledge/document.js';
import type { StoredPassage, StoredSection } from '../../core/knowledge/passage.js';
import { BRAND, LOOK } from '../resources/page-style.js';
import { escapeHtml, sectionHtml, type Span } from './passage-page-html.js';
import type { Reader, Words } from './passage-page-texts.js';

/** All that the page looks like. It stands in the page itself, and its hash in the policy: nothing else may style it. */
const STYLE = `${LOOK}
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
header, main, footer { max-width: 46rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: grid; gap: 0.5rem; padding-top: 1.5rem; padding-bottom: 1rem; }
.brand { margin-bottom: 1rem; }
.where { margin: 0; color: var(--text-soft); overflow-wrap: anywhere; }
nav ul { list-style: none; margin: 0.5rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.5rem; }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { color: var(--accent-strong); }
nav a { display: inline-flex; align-items: center; min-height: var(--touch); padding: 0.25rem 1rem;
  border: 1px solid var(--line); border-radius: var(--round); background: var(--surface); font-weight: 550;
  text-decoration: none; }
.skip { position: absolute; left: 0.5rem; top: -4rem; padding: 0.5rem 1rem; border-radius: var(--round);
  background: var(--accent); color: var(--on-accent); }
.skip:focus { top: 0.5rem; color: var(--on-accent); }
main { padding: 0.5rem 1.5rem; border: 1px solid var(--line); border-radius: var(--round-large);
  background: var(--surface); font-size: var(--text-large); line-height: 1.65; }
main p, main pre { margin: 1em 0; }
main p { white-space: pre-line; overflow-wrap: anywhere; hyphens: auto; }
main .heading { font-weight: 600; line-height: 1.35; margin-top: 1.6em; hyphens: manual; }
pre { overflow-x: auto; padding: 0.75rem 1rem; background: var(--sunken); border-radius: var(--round);
  font: 0.875rem/1.55 var(--font-mono); tab-size: 4; }
mark { background: var(--mark); color: inherit; padding: 0.2em 0.12em; border-radius: 0.2em;
  -webkit-box-decoration-break: clone; box-decoration-break: clone; }
#passage { scroll-margin-top: 30vh; }
mark[data-begins]::before { content: "[" attr(data-begins) "] "; }
mark[data-ends]::after { content: " [" attr(data-ends) "]"; }
mark::before, mark::after { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
footer { padding-top: 1rem; padding-bottom: 3rem; color: var(--text-soft); }
footer p { margin: 0; }
@media (max-width: 48rem) { main { margin-inline: 0.75rem; padding-inline: 1rem; } }
@media print { nav, footer, .skip { display: none; } main { border: 0; } mark { outline: 1px solid; } }
`;

const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

export interface ShownPassage {
  readonly passage: StoredPassage;
  readonly section: StoredSection | undefined;
  readonly document: Pick<KnowledgeDocument, 'filename' | 'format' | 'language' | 'sourceUrl'>;
  /** Where the original is served. */
  readonly file: string;
}

/** Nothing is loaded and nothing runs; what is shown came from documents, and stays text. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src '${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

export function passagePage(shown: ShownPassage, reader: Reader): string {
  const { words } = reader;
  const { passage, document } = shown;
  const { text, quoted } = whatToShow(shown);
  const pages =
    passage.page === undefined
      ? undefined
      : passage.pageEnd === undefined || passage.pageEnd === passage.page
        ? String(passage.page)
        : `${String(passage.page)}–${String(passage.pageEnd)}`;
  const origin = passage.origin === undefined ? '' : words[passage.origin];
  const where = [passage.section, pages === undefined ? '' : words.page(pages), origin].filter(
    (part) => part !== '',
  );
  const links = linksOf(shown, words).map((link) => `<li>${link}</li>`);
  const lang = /^[a-z]{2,3}$/.test(document.language ?? '') && document.language !== 'und';
  return page(document.filename, reader, [
    `<a class="skip" href="#passage">${escapeHtml(words.toPassage)}</a>`,
    `<header>\n${BRAND}\n<h1 dir="auto">${escapeHtml(document.filename)}</h1>`,
    ...(where.length > 0 ? [`<p class="where" dir="auto">${where.map(escapeHtml).join(' · ')}</p>`] : []),
    ...(passage.original === undefined ? [] : [`<p class="where">${escapeHtml(words.corrected)}</p>`]),
    `<nav><ul>${links.join('')}</ul></nav>\n</header>`,
    `<main${lang ? ` lang="${String(document.language)}"` : ''}>\n${sectionHtml(text, quoted, words)}\n</main>`,
    `<footer><p>${escapeHtml(words.why)}</p></footer>`,
  ]);
}

export function gonePage(reader: Reader): string {
  const { words } = reader;
  return page(words.goneTitle, reader, [
    `<header>\n${BRAND}\n<h1>${escapeHtml(words.goneTitle)}</h1>\n</header>`,
    `<main><p>${escapeHtml(words.gone)}</p></main>`,
  ]);
}

/** Offsets are of the whole document, and so are those of the section. */
function whatToShow({ passage, section }: ShownPassage): { readonly text: string; readonly quoted: Span } {
  // What was decided about it or its neighbours is not in the section's own text.
  const quoted = section?.edited === undefined &&
    section && {
      start: passage.start - section.start,
      end: passage.end - section.start,
    };
  if (section && quoted && quoted.start >= 0 && quoted.end <= section.text.length)
    return { text: section.text, quoted };
  return { text: passage.text, quoted: { start: 0, end: passage.text.length } };
}

function linksOf({ passage, document, file }: ShownPassage, words: Words): string[] {
  const { format, sourceUrl } = document;
  const isPdf = format === 'pdf';
  const { page } = passage;
  const link = (href: string, text: string, more = '') =>
    `<a href="${escapeHtml(href)}"${more}>${escapeHtml(text)}</a>`;
  const toSource =
    sourceUrl !== undefined && /^https?:\/\//i.test(sourceUrl)
      ? [link(sourceUrl, words.source, ' rel="noopener noreferrer nofollow"')]
      : [];
  if (isPdf && page !== undefined)
    return [link(`${file}#page=${String(page)}`, words.openAt(page)), ...toSource];
  if (isPdf) return [link(file, words.open), ...toSource];
  return toSource.length > 0 ? toSource : [link(file, words.download, ' download')];
}

function page(title: string, { words, theme }: Reader, body: readonly string[]): string {
  return [
    `<!doctype html>\n<html lang="${words.lang}"${theme === undefined ? '' : ` data-theme="${theme}"`}>\n<head>`,
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex, nofollow">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(title)} · Bellwether</title>`,
    `<style>${STYLE}</style>`,
    '</head>\n<body>',
    ...body,
    '</body>\n</html>\n',
  ].join('\n');
}
