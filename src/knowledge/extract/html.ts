import { type CheerioAPI, load } from 'cheerio';
import type { ReadFormat } from './format.js';
import { htmlToMarkdown } from './html-to-markdown.js';
import { charsetIn, cleanLine, decodeText } from './text.js';

const NEVER_TEXT =
  'script, style, noscript, template, iframe, object, embed, svg, canvas, audio, video, button, input, select, ' +
  'textarea, dialog, [hidden], [aria-hidden="true"], [style*="display:none"], [style*="display: none"]';
const AROUND_THE_TEXT =
  'nav, aside, [role="navigation"], [role="banner"], [role="contentinfo"], [role="complementary"], [role="search"]';
/** A form with more of the text than this is the page itself, as some servers write it. */
const MOST_OF_THE_TEXT = 0.5;

export const readHtml: ReadFormat = ({ file }) => {
  const { title, markdown } = readPage(decodeText(file.bytes, charsetOf(file.bytes, file.mediaType)));
  const pages = [{ page: undefined, markdown }];
  return Promise.resolve({ format: 'html', title, pages, pageCount: undefined, faults: [] });
};

interface PageText {
  readonly title: string | undefined;
  readonly markdown: string;
}

/** The text of a web page without what surrounds it. Nothing in it is run or fetched. */
function readPage(html: string): PageText {
  const $ = load(html);
  const title = cleanLine($('title').first().text()) || cleanLine($('h1').first().text()) || undefined;
  $(NEVER_TEXT).remove();
  $(AROUND_THE_TEXT).remove();
  $('header, footer')
    .filter((_, each) => $(each).closest('article, main, section').length === 0)
    .remove();
  removeForms($);
  keepMainPart($);
  return { title, markdown: htmlToMarkdown($) };
}

/** All the text of a chapter: nothing surrounds it, and its notes and boxes stand aside. */
export function readChapter(html: string): string {
  const $ = load(html);
  $(NEVER_TEXT).remove();
  $('nav').remove();
  return htmlToMarkdown($);
}

function removeForms($: CheerioAPI): void {
  const all = $('body').text().trim().length;
  $('form')
    .filter((_, form) => $(form).text().trim().length < all * MOST_OF_THE_TEXT)
    .remove();
}

function keepMainPart($: CheerioAPI): void {
  const main = ['main, [role="main"]', 'article']
    .map((part) => $(part))
    .find((part) => part.text().trim() !== '');
  if (!main) return;
  const outermost = main.filter((_, each) => !$(each).parents().is(main));
  $('body').empty().append(outermost);
}

export function charsetOf(bytes: Buffer, mediaType?: string): string | undefined {
  const head = bytes.subarray(0, 2_048).toString('latin1');
  const asXml = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1];
  return charsetIn(mediaType) ?? charsetIn(head) ?? asXml;
}
