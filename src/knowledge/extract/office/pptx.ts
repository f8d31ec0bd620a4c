import type { Cheerio, CheerioAPI } from 'cheerio';
import type { PartFault } from '../../../core/knowledge/document.js';
import type { ExtractedPage } from '../../../core/knowledge/extracted.js';
import type { ReadFormat } from '../format.js';
import { writeFormulas } from '../formulas.js';
import { markdownTable } from '../html-to-markdown.js';
import { openZip, readXml, relationsOf, type SafeZip, titleOf } from './office-zip.js';
import { slideUnread } from '../part-faults.js';
import { hasTooManyPages, isDamaged } from '../refusals.js';
import { cleanLine, escapeBlocks, raised } from '../text.js';

const WHAT = 'PowerPoint presentation';

/** One page for each slide, in the order in which they are shown. */
export const readPptx: ReadFormat = async ({ file, limits, onProgress }) => {
  const zip = await openZip(file.path, { most: limits.unpackedBytes, what: WHAT });
  try {
    const slides = await slidesOf(zip);
    if (slides.length > limits.pages) throw hasTooManyPages(slides.length, limits.pages, 'slides');
    const pages: ExtractedPage[] = [];
    const faults: PartFault[] = [];
    let broken: unknown;
    for (const [at, part] of slides.entries()) {
      const page = at + 1;
      try {
        pages.push({ page, markdown: await readSlide(zip, part) });
      } catch (fault) {
        broken ??= fault;
        faults.push(slideUnread(page));
      }
      onProgress((100 * page) / slides.length);
    }
    if (pages.length === 0 && broken !== undefined) throw broken as Error;
    const heading = /^# (.+)$/m.exec(pages[0]?.markdown ?? '')?.[1];
    const title = (await titleOf(zip)) ?? heading;
    return { format: 'pptx', title, pages, pageCount: slides.length, faults };
  } finally {
    zip.close();
  }
};

async function slidesOf(zip: SafeZip): Promise<readonly string[]> {
  const main = (await relationsOf(zip, '')).find(({ kind }) => kind === 'officeDocument')?.target;
  if (main === undefined || !zip.has(main)) throw isDamaged(WHAT);
  const targets = new Map((await relationsOf(zip, main)).map(({ id, target }) => [id, target]));
  const $ = await readXml(zip, main);
  return $('p\\:sldIdLst > p\\:sldId')
    .toArray()
    .map((each) => targets.get($(each).attr('r:id') ?? '') ?? '');
}

async function readSlide(zip: SafeZip, part: string): Promise<string> {
  const relations = await relationsOf(zip, part);
  const drawings = await Promise.all(
    relations
      .filter(({ kind, target }) => kind === 'diagramData' && zip.has(target))
      .map(async ({ id, target }) => [id, await drawingTexts(zip, target)] as const),
  );
  const slide = slideToMarkdown(await readXml(zip, part), new Map(drawings));
  const notes = relations.find(({ kind, target }) => kind === 'notesSlide' && zip.has(target));
  const said = notes ? notesToMarkdown(await readXml(zip, notes.target)) : '';
  return [slide, said].filter((text) => text !== '').join('\n\n');
}

/** The texts in the shapes of a drawing, which lies in a file of its own. */
async function drawingTexts(zip: SafeZip, part: string): Promise<readonly string[]> {
  const $ = await readXml(zip, part);
  return $('dgm\\:t')
    .toArray()
    .map((each) => cleanLine($(each).text()))
    .filter((text) => text !== '');
}

type Shape = Cheerio<NonNullable<ReturnType<CheerioAPI>[0]>>;

const NOT_OF_THE_SLIDE = ['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'];

/** A slide: its title as a heading, then its shapes in their order. `drawings` are texts of drawings by relation. */
function slideToMarkdown($: CheerioAPI, drawings: ReadonlyMap<string, readonly string[]>): string {
  $('mc\\:Fallback').remove();
  writeFormulas($, 'm\\:oMath', (text) => $('<a:t/>').text(text));
  const blocks: string[] = [];
  for (const element of $('p\\:sp, p\\:graphicFrame').toArray()) {
    const shape = $(element);
    const kind = placeholderOf(shape);
    if (kind !== undefined && NOT_OF_THE_SLIDE.includes(kind)) continue;
    if (kind === 'title' || kind === 'ctrTitle') {
      const title = cleanLine(
        paragraphsOf($, shape)
          .map(({ text }) => text)
          .join(' '),
      );
      if (title !== '') blocks.unshift(`# ${title}`);
      continue;
    }
    blocks.push(tableOf($, shape) ?? drawingOf(shape, drawings) ?? textOf($, shape, kind));
  }
  return blocks.filter((block) => block !== '').join('\n\n');
}

/** What the speaker noted for a slide. */
function notesToMarkdown($: CheerioAPI): string {
  const noted = $('p\\:sp')
    .toArray()
    .filter((each) => placeholderOf($(each)) === 'body')
    .flatMap((each) => paragraphsOf($, $(each)))
    .map(({ text }) => escapeBlocks(text));
  return noted.length === 0 ? '' : ['Notes:', ...noted].join('\n\n');
}

/** Undefined for a shape that is none; a placeholder without a type is one for content. */
function placeholderOf(shape: Shape): string | undefined {
  const placeholder = shape.find('p\\:nvPr > p\\:ph').first();
  return placeholder.length === 0 ? undefined : (placeholder.attr('type') ?? 'obj');
}

interface Paragraph {
  readonly text: string;
  readonly level: number;
  readonly bullet: 'yes' | 'no' | 'as its shape has it';
}

function paragraphsOf($: CheerioAPI, shape: Shape): Paragraph[] {
  return shape
    .find('a\\:p')
    .toArray()
    .map((each) => {
      const paragraph = $(each);
      paragraph.find('a\\:br').replaceWith(' ');
      paragraph.find('a\\:r').each((_, run) => {
        const words = $(run).children('a\\:t');
        if (Number($(run).children('a\\:rPr').attr('baseline')) > 0) words.text(raised(words.text()));
      });
      const style = paragraph.children('a\\:pPr');
      const bullet = style.children('a\\:buNone').length > 0 ? 'no' : 'as its shape has it';
      return {
        text: cleanLine(paragraph.text()),
        level: Math.min(8, Number(style.attr('lvl') ?? 0) || 0),
        bullet: style.children('a\\:buChar, a\\:buAutoNum').length > 0 ? 'yes' : bullet,
      } as const;
    })
    .filter(({ text }) => text !== '');
}

function textOf($: CheerioAPI, shape: Shape, kind: string | undefined): string {
  const isList = kind === 'body' || kind === 'obj';
  const lines = paragraphsOf($, shape).map(({ text, level, bullet }) => {
    const isItem = bullet === 'yes' || (isList && bullet !== 'no');
    return { isItem, line: isItem ? `${'  '.repeat(level)}- ${text}` : escapeBlocks(text) };
  });
  return lines.reduce((text, { isItem, line }, at) => {
    if (at === 0) return line;
    return `${text}${isItem && lines[at - 1]?.isItem === true ? '\n' : '\n\n'}${line}`;
  }, '');
}

function tableOf($: CheerioAPI, shape: Shape): string | undefined {
  const rows = shape.find('a\\:tbl > a\\:tr').toArray();
  if (rows.length === 0) return undefined;
  const textIn = (cell: Shape) =>
    paragraphsOf($, cell)
      .map(({ text }) => text)
      .join(' ');
  return markdownTable(
    rows.map((row) =>
      $(row)
        .children('a\\:tc')
        .toArray()
        .map((cell) => textIn($(cell))),
    ),
  );
}

function drawingOf(shape: Shape, drawings: ReadonlyMap<string, readonly string[]>): string | undefined {
  const texts = drawings.get(shape.find('dgm\\:relIds').attr('r:dm') ?? '');
  return texts?.map((text) => `- ${text}`).join('\n');
}
