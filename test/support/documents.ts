import { buffer } from 'node:stream/consumers';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import yazl from 'yazl';

/** Documents made for tests, as their programs would write them: small, but whole. */

const MARGIN = 50;
const SIZES: Readonly<Record<string, number>> = { '# ': 24, '## ': 18 };

/** Each page of lines; "# " and "## " make a line large. A page of no lines is empty. */
export async function aPdf(
  pages: readonly string[],
  facts: { readonly title?: string } = {},
): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  if (facts.title !== undefined) pdf.setTitle(facts.title);
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of pages) {
    const page = pdf.addPage([595, 842]);
    let y = 842 - MARGIN;
    for (const line of text === '' ? [] : text.split('\n')) {
      const marker = Object.keys(SIZES).find((each) => line.startsWith(each));
      const size = SIZES[marker ?? ''] ?? 11;
      y -= marker === undefined ? size * 1.3 : size * 1.8;
      if (line !== '') page.drawText(line.slice(marker?.length ?? 0), { x: MARGIN, y, size, font });
    }
  }
  return Buffer.from(await pdf.save());
}

/** Numbered from 1; the first is the catalogue. For what no program writes. */
export function aRawPdf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets = objects.map((object, at) => {
    const offset = parts.reduce((sum, part) => sum + part.length, 0);
    parts.push(Buffer.from(`${String(at + 1)} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'));
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = parts.reduce((sum, part) => sum + part.length, 0);
  const size = String(objects.length + 1);
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${String(start)}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + end)]);
}

/** With a password that nobody has. */
export function anEncryptedPdf(): Buffer {
  const key = 'ab'.repeat(32);
  return aRawPdf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [ 3 0 R ] /MediaBox [ 0 0 600 800 ] >>',
      '<< /Type /Page /Parent 2 0 R >>',
      `<< /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >>`,
    ],
    '/Encrypt 4 0 R /ID [ <00> <00> ]',
  );
}

/** An Office file with a password that nobody has. */
export const anEncryptedOfficeFile = (): Buffer =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(600),
    Buffer.from('EncryptedPackage', 'utf16le'),
  ]);

export function pdfStream(content: string | Buffer, facts = ''): Buffer {
  const bytes = Buffer.from(content);
  const head = `<< /Length ${String(bytes.length)} ${facts} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')]);
}

/** Files packed as they are given. */
export async function aZip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return await buffer(zip.outputStream);
}

/** A packed file that says of this part that it is so large. */
export function claiming(zip: Buffer, name: string, size: number): Buffer {
  const claimed = Buffer.from(zip);
  const at = claimed.lastIndexOf(name) - 46;
  if (!claimed.subarray(at).toString('latin1').startsWith('PK\x01\x02'))
    throw new Error(`There is no ${name}.`);
  claimed.writeUInt32LE(size, at + 24);
  return claimed;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const SLIDE = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';

/** Headings ("# " to "### "), items ("- "), tables ("| a | b |" on lines in a row) and paragraphs, each on its line. */
export async function aDocx(markdownish: string, title = ''): Promise<Buffer> {
  return await aZip(docxParts(markdownish, title));
}

/** What is packed in a Word document. */
export function docxParts(markdownish: string, title = ''): Record<string, string> {
  const body = markdownish
    .split(/\n(?!\|)|(?<!\|)\n/)
    .map((part) => (part.startsWith('|') ? wordTable(part.split('\n')) : wordParagraph(part)))
    .join('');
  return {
    '[Content_Types].xml': contentTypes({
      '/word/document.xml': 'wordprocessingml.document.main',
      '/word/styles.xml': 'wordprocessingml.styles',
      '/word/numbering.xml': 'wordprocessingml.numbering',
    }),
    '_rels/.rels': relations([['rId1', 'officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': relations([
      ['rId1', 'styles', 'styles.xml'],
      ['rId2', 'numbering', 'numbering.xml'],
    ]),
    'word/document.xml': `${XML}<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `${XML}<w:styles xmlns:w="${WORD}">${[1, 2, 3].map(wordHeading).join('')}</w:styles>`,
    'word/numbering.xml': `${XML}<w:numbering xmlns:w="${WORD}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    'docProps/core.xml': coreProperties(title),
  };
}

function wordHeading(level: number): string {
  const name = `<w:name w:val="heading ${String(level)}"/>`;
  return `<w:style w:type="paragraph" w:styleId="Heading${String(level)}">${name}</w:style>`;
}

function wordParagraph(line: string): string {
  const [, marker = '', text = ''] = /^(#{1,3} |- )?(.*)$/.exec(line) ?? [];
  const style = marker.startsWith('#') ? `<w:pStyle w:val="Heading${String(marker.length - 1)}"/>` : '';
  const item = marker === '- ' ? '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>' : '';
  return `<w:p><w:pPr>${style}${item}</w:pPr><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`;
}

function wordTable(rows: readonly string[]): string {
  const row = (line: string) =>
    cellsOf(line)
      .map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`)
      .join('');
  return `<w:tbl>${rows.map((line) => `<w:tr>${row(line)}</w:tr>`).join('')}</w:tbl>`;
}

export interface Slide {
  readonly title?: string;
  readonly bullets?: readonly string[];
  /** Rows of cells. */
  readonly table?: readonly (readonly string[])[];
  readonly notes?: string;
}

export async function aPptx(slides: readonly Slide[], title = ''): Promise<Buffer> {
  return await aZip(pptxParts(slides, title));
}

/** What is packed in a presentation. The files of the slides are numbered against their order. */
export function pptxParts(slides: readonly Slide[], title = ''): Record<string, string> {
  const numbered = slides.map((slide, at) => ({ slide, at, file: slides.length - at }));
  const ids = numbered
    .map(({ at }) => `<p:sldId id="${String(256 + at)}" r:id="rId${String(at)}"/>`)
    .join('');
  const parts = numbered.flatMap(({ slide, file }) => slideParts(slide, String(file)));
  return {
    '[Content_Types].xml': contentTypes({ '/ppt/presentation.xml': 'presentationml.presentation.main' }),
    '_rels/.rels': relations([['rId1', 'officeDocument', 'ppt/presentation.xml']]),
    'ppt/presentation.xml': `${XML}<p:presentation xmlns:p="${SLIDE}" xmlns:r="${OFFICE}"><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      numbered.map(({ at, file }) => [`rId${String(at)}`, 'slide', `slides/slide${String(file)}.xml`]),
    ),
    ...Object.fromEntries(parts),
    'docProps/core.xml': coreProperties(title),
  };
}

function slideParts({ title, bullets, table, notes }: Slide, file: string): [string, string][] {
  const shapes =
    slideShape('title', title === undefined ? [] : [title]) +
    slideShape('body', bullets ?? []) +
    slideShape('sldNum', [file]) +
    (table ? slideTable(table) : '');
  const noted = `${slideShape('sldImg', [])}${slideShape('body', (notes ?? '').split('\n'))}`;
  const rels: [string, string, string][] =
    notes === undefined ? [] : [['rId1', 'notesSlide', `../notesSlides/notesSlide${file}.xml`]];
  return [
    [`ppt/slides/slide${file}.xml`, shapeTree('sld', shapes)],
    [`ppt/slides/_rels/slide${file}.xml.rels`, relations(rels)],
    [`ppt/notesSlides/notesSlide${file}.xml`, shapeTree('notes', noted)],
  ];
}

function shapeTree(kind: string, shapes: string): string {
  const spaces = `xmlns:p="${SLIDE}" xmlns:a="${DRAWING}"`;
  return `${XML}<p:${kind} ${spaces}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${kind}>`;
}

function slideShape(kind: string, lines: readonly string[]): string {
  const text = lines.map((line) => `<a:p><a:r><a:t>${escaped(line)}</a:t></a:r></a:p>`).join('');
  return `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${kind}"/></p:nvPr></p:nvSpPr><p:txBody>${text}</p:txBody></p:sp>`;
}

function slideTable(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) =>
    `<a:tc><a:txBody><a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p></a:txBody></a:tc>`;
  const body = rows.map((row) => `<a:tr>${row.map(cell).join('')}</a:tr>`).join('');
  return `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${body}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
}

function contentTypes(parts: Readonly<Record<string, string>>): string {
  const overrides = Object.entries(parts).map(([name, type]) => {
    const full = `application/vnd.openxmlformats-officedocument.${type}+xml`;
    return `<Override PartName="${name}" ContentType="${full}"/>`;
  });
  const usual = '<Default Extension="xml" ContentType="application/xml"/>';
  return `${XML}<Types xmlns="${PACKAGE}/content-types">${usual}${overrides.join('')}</Types>`;
}

function relations(all: readonly (readonly [id: string, kind: string, target: string])[]): string {
  const each = all.map(
    ([id, kind, to]) => `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${to}"/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`;
}

function coreProperties(title: string): string {
  const spaces = `xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"`;
  return `${XML}<cp:coreProperties ${spaces}><dc:title>${escaped(title)}</dc:title></cp:coreProperties>`;
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** What is packed in a workbook: sheets of XML rows, texts that cells share, and the formats of their styles. */
export function xlsxParts(
  sheets: Readonly<Record<string, string>>,
  {
    strings = [],
    formats = [],
    hidden = [],
  }: { strings?: readonly string[]; formats?: readonly string[]; hidden?: readonly string[] } = {},
): Record<string, string> {
  const names = Object.keys(sheets);
  const listed = names.map(
    (name, at) =>
      `<sheet name="${name}" ${hidden.includes(name) ? 'state="hidden" ' : ''}sheetId="${String(at + 1)}" r:id="rId${String(at)}"/>`,
  );
  const codes = formats.map((code, at) => `<numFmt numFmtId="${String(164 + at)}" formatCode="${code}"/>`);
  const styles = formats.map((_, at) => `<xf numFmtId="${String(164 + at)}"/>`);
  const shared = strings.map((text) => `<si><t>${escaped(text)}</t></si>`);
  const sheet = (rows: string) => `${XML}<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  return {
    '[Content_Types].xml': contentTypes({ '/xl/workbook.xml': 'spreadsheetml.sheet.main' }),
    '_rels/.rels': relations([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `${XML}<workbook><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...names.map(
        (_, at) => [`rId${String(at)}`, 'worksheet', `worksheets/sheet${String(at)}.xml`] as const,
      ),
      ['rIdS', 'sharedStrings', 'sharedStrings.xml'],
      ['rIdT', 'styles', '/xl/styles.xml'],
    ]),
    'xl/sharedStrings.xml': `${XML}<sst>${shared.join('')}</sst>`,
    'xl/styles.xml': `${XML}<styleSheet><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, at) => [`xl/worksheets/sheet${String(at)}.xml`, sheet(rows)]),
    ),
  };
}

/** An OpenDocument file with this body; `text`, `spreadsheet` or `presentation`. */
export function openDocumentParts(
  kind: string,
  body: string,
  { title = '', styles = '' } = {},
): Record<string, string> {
  const office = 'urn:oasis:names:tc:opendocument:xmlns';
  return {
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'META-INF/manifest.xml': `${XML}<manifest:manifest xmlns:manifest="${office}:manifest:1.0"/>`,
    'meta.xml': `${XML}<office:document-meta><office:meta><dc:title>${escaped(title)}</dc:title></office:meta></office:document-meta>`,
    'content.xml': `${XML}<office:document-content xmlns:office="${office}:office:1.0"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
  };
}

/** Chapters by the names of their files, in the order they are read. */
export function epubParts(chapters: Readonly<Record<string, string>>, title = ''): Record<string, string> {
  const items = Object.keys(chapters).map(
    (name) => `<item id="${name}" href="text/${name}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const spine = Object.keys(chapters).map((name) => `<itemref idref="${name}"/>`);
  const nav = '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>';
  return {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `${XML}<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    'OEBPS/book.opf': `${XML}<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>${escaped(title)}</dc:title></metadata><manifest>${items.reverse().join('')}${nav}</manifest><spine><itemref idref="nav"/>${spine.join('')}</spine></package>`,
    'OEBPS/nav.xhtml': '<html><body><ol><li>Contents</li></ol></body></html>',
    ...Object.fromEntries(
      Object.entries(chapters).map(([name, body]) => [
        `OEBPS/text/${name}.xhtml`,
        `${XML}<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`,
      ]),
    ),
  };
}
