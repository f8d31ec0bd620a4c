import { load } from 'cheerio';
import type { ExtractedPage, ExtractLimits } from '../../../core/knowledge/extracted.js';
import type { ReadFormat } from '../format.js';
import { htmlToMarkdown } from '../html-to-markdown.js';
import { hasTooManyPages, isDamaged, needsPassword } from '../refusals.js';
import { cleanLine } from '../text.js';
import { openZip, readXml, type SafeZip, walkXml, xmlText } from './office-zip.js';

const TEXT = 'OpenDocument text';
const SLIDES = 'OpenDocument presentation';

export const readOdt: ReadFormat = async ({ file, limits, onProgress }) => {
  const { content, title } = await openOpenDocument(file.path, { limits, what: TEXT });
  onProgress(30);
  const bodies = bodiesIn(content, 'office:text');
  const markdown = htmlToMarkdown(load(bodies.map(({ html }) => html).join('')));
  const heading = /^# (.+)$/m.exec(markdown)?.[1];
  const pages = [{ page: undefined, markdown }];
  return { format: 'odt', title: title ?? heading, pages, pageCount: undefined, faults: [] };
};

/** One page for each slide, with what the speaker noted. */
export const readOdp: ReadFormat = async ({ file, limits, onProgress }) => {
  const { content, title } = await openOpenDocument(file.path, { limits, what: SLIDES });
  const slides = bodiesIn(content, 'draw:page');
  if (slides.length > limits.pages) throw hasTooManyPages(slides.length, limits.pages, 'slides');
  const pages = slides.map(({ html, notes }, at): ExtractedPage => {
    onProgress((100 * (at + 1)) / slides.length);
    const noted = htmlToMarkdown(load(notes));
    const parts = [htmlToMarkdown(load(html)), noted === '' ? '' : `Notes:\n\n${noted}`];
    return { page: at + 1, markdown: parts.filter((part) => part !== '').join('\n\n') };
  });
  const heading = /^# (.+)$/m.exec(pages[0]?.markdown ?? '')?.[1];
  return { format: 'odp', title: title ?? heading, pages, pageCount: slides.length, faults: [] };
};

/** The part of an OpenDocument file that holds its text, and its title. */
export async function openOpenDocument(
  path: string,
  { limits, what }: { readonly limits: ExtractLimits; readonly what: string },
): Promise<{ readonly content: string; readonly title: string | undefined }> {
  const zip = await openZip(path, { most: limits.unpackedBytes, what });
  try {
    if (await isEncrypted(zip)) throw needsPassword(what);
    if (!zip.has('content.xml')) throw isDamaged(what);
    return { content: xmlText(await zip.read('content.xml')), title: await titleIn(zip) };
  } finally {
    zip.close();
  }
}

async function isEncrypted(zip: SafeZip): Promise<boolean> {
  if (!zip.has('META-INF/manifest.xml')) return false;
  return (await zip.read('META-INF/manifest.xml')).includes('encryption-data');
}

async function titleIn(zip: SafeZip): Promise<string | undefined> {
  if (!zip.has('meta.xml')) return undefined;
  const $ = await readXml(zip, 'meta.xml');
  return cleanLine($('dc\\:title').first().text()) || undefined;
}

/** What is told apart as HTML has it too; what is in neither list is only gone through. */
const TAGS: Readonly<Record<string, string>> = {
  'text:p': 'p',
  'text:list': 'ul',
  'text:list-item': 'li',
  'text:list-header': 'li',
  'table:table': 'table',
  'table:table-row': 'tr',
  'table:table-cell': 'td',
  'table:covered-table-cell': 'td',
};
/** No text of the document's own: what was deleted, comments, tables of contents, and what stands on every slide. */
const LEFT_OUT = new Set([
  'text:tracked-changes',
  'office:annotation',
  'text:table-of-content',
  'text:alphabetical-index',
  'text:illustration-index',
  'text:table-index',
  'text:sequence-decls',
  'text:variable-decls',
  'office:forms',
  'office:binary-data',
  'text:note-citation',
  'text:page-number',
  'text:ruby-text',
  'presentation:footer',
  'presentation:date-time',
  'presentation:header',
]);
const NOT_OF_THE_SLIDE = /^(?:page|page-number|date-time|footer|header)$/;
const MOST_BLANKS = 100;

interface Body {
  readonly html: string;
  readonly notes: string;
}

interface OpenBody {
  readonly html: string[];
  readonly notes: string[];
  isNotes: boolean;
  /** Within the frame that holds the title of a slide. */
  isTitleFrame: boolean;
  isHeading: boolean;
  /** How many paragraphs of a footnote are open, which stand within one of the text. */
  notesDepth: number;
  /** Styles of what stands above the line, and whether each of the spans that are open has one. */
  readonly raisedStyles: ReadonlySet<string>;
  readonly spans: boolean[];
}

/** The bodies of this name in the order of the file, as web pages. */
function bodiesIn(content: string, name: string): Body[] {
  const bodies: Body[] = [];
  let body: OpenBody | undefined;
  const titleStyles = new Set(['Title']);
  const raisedStyles = new Set<string>();
  let style = '';
  let skipped = 0;
  walkXml(content, {
    open(tag, attributes) {
      if (attributes['style:parent-style-name'] === 'Title') titleStyles.add(attributes['style:name'] ?? '');
      if (tag === 'style:style') style = attributes['style:name'] ?? '';
      if (/^super|^[1-9]/.test(attributes['style:text-position'] ?? '')) raisedStyles.add(style);
      const isLeftOut = LEFT_OUT.has(tag) || NOT_OF_THE_SLIDE.test(attributes['presentation:class'] ?? '');
      if (skipped > 0 || (isLeftOut && body)) skipped += 1;
      else if (tag === name) body = newBody(raisedStyles);
      else if (body) {
        if (tag === 'text:p' && titleStyles.has(attributes['text:style-name'] ?? '')) body.isHeading = true;
        openTag(body, tag, attributes);
      }
    },
    close(tag) {
      if (skipped > 0) skipped -= 1;
      else if (tag === name && body) {
        bodies.push({ html: body.html.join(''), notes: body.notes.join('') });
        body = undefined;
      } else if (body) closeTag(body, tag);
    },
    text(text) {
      if (body && skipped === 0) write(body, escaped(text));
    },
  });
  return bodies;
}

function newBody(raisedStyles: ReadonlySet<string>): OpenBody {
  return {
    ...{ html: [], notes: [], isNotes: false, isTitleFrame: false, isHeading: false, notesDepth: 0 },
    ...{ raisedStyles, spans: [] },
  };
}

function write(body: OpenBody, html: string): void {
  (body.isNotes ? body.notes : body.html).push(html);
}

function openTag(body: OpenBody, tag: string, attributes: Readonly<Record<string, string>>): void {
  const columns = Number(attributes['table:number-columns-repeated'] ?? 1);
  if (tag === 'presentation:notes') body.isNotes = true;
  else if (tag === 'draw:frame') body.isTitleFrame = attributes['presentation:class'] === 'title';
  else if (tag === 'text:note') body.notesDepth += 1;
  else if (tag === 'text:h') write(body, `<h${headingLevel(attributes)}>`);
  else if (tag === 'text:s')
    write(body, ' '.repeat(Math.min(Number(attributes['text:c'] ?? 1) || 1, MOST_BLANKS)));
  else if (tag === 'text:tab') write(body, ' ');
  else if (tag === 'text:line-break') write(body, '<br>');
  else if (tag === 'text:p' && body.notesDepth > 0) write(body, ' (');
  else if (tag === 'text:p' && isHeading(body)) write(body, '<h1>');
  else if (tag === 'svg:title' || tag === 'svg:desc') write(body, ' ');
  else if (tag === 'text:span') {
    body.spans.push(body.raisedStyles.has(attributes['text:style-name'] ?? ''));
    if (body.spans.at(-1) === true) write(body, '<sup>');
  } else if (TAGS[tag] === 'td' && columns > 1 && columns < MOST_BLANKS)
    write(body, `${'<td></td>'.repeat(columns - 1)}<td>`);
  else if (TAGS[tag] !== undefined) write(body, `<${TAGS[tag]}>`);
}

function closeTag(body: OpenBody, tag: string): void {
  if (tag === 'presentation:notes') body.isNotes = false;
  else if (tag === 'draw:frame') body.isTitleFrame = false;
  else if (tag === 'text:note') body.notesDepth -= 1;
  // Of whatever level: HTML closes the heading that is open.
  else if (tag === 'text:h') write(body, '</h1>');
  else if (tag === 'svg:title' || tag === 'svg:desc') write(body, ' ');
  else if (tag === 'text:span') {
    if (body.spans.pop() === true) write(body, '</sup>');
  } else if (tag === 'text:p' && body.notesDepth > 0) write(body, ')');
  else if (tag === 'text:p' && isHeading(body)) {
    write(body, '</h1>');
    body.isHeading = false;
  } else if (TAGS[tag] !== undefined) write(body, `</${TAGS[tag]}>`);
}

function isHeading({ isHeading: isMarked, isTitleFrame, isNotes }: OpenBody): boolean {
  return isMarked || (isTitleFrame && !isNotes);
}

function headingLevel(attributes: Readonly<Record<string, string>>): string {
  const level = Number(attributes['text:outline-level'] ?? 1);
  return String(Math.min(Math.max(Number.isInteger(level) ? level : 1, 1), 6));
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
