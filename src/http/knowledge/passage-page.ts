import type { KnowledgeDocument } from '../../core/knowledge/document.js';
import type { StoredPassage, StoredSection } from '../../core/knowledge/passage.js';
import { BRAND } from '../resources/page-style.js';
import { escapeHtml } from './escape-html.js';
import { sectionHtml, type Span } from './passage-page-html.js';
import type { Reader, Words } from './passage-page-texts.js';
import { STYLE, STYLE_HASH } from './style.js';

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
  const where = [passage.section, pages === undefined ? '' : words.page(pages)].filter((part) => part !== '');
  const links = linksOf(shown, words).map((link) => `<li>${link}</li>`);
  const lang = /^[a-z]{2,3}$/.test(document.language ?? '') && document.language !== 'und';
  return page(document.filename, reader, [
    `<a class="skip" href="#passage">${escapeHtml(words.toPassage)}</a>`,
    `<header>\n${BRAND}\n<h1 dir="auto">${escapeHtml(document.filename)}</h1>`,
    ...(where.length > 0 ? [`<p class="where" dir="auto">${where.map(escapeHtml).join(' · ')}</p>`] : []),
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
  const quoted = section && {
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
