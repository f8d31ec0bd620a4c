import { buffer } from 'node:stream/consumers';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import yazl from 'yazl';

type Bytes = Uint8Array<ArrayBuffer>;

/** One page for each text. */
export async function aPdf(pages: readonly string[]): Promise<Bytes> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of pages) pdf.addPage().drawText(text, { x: 50, y: 700, size: 12, font });
  return Uint8Array.from(await pdf.save());
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const OFFICE = 'http://schemas.openxmlformats.org';
const RELATIONS = `${OFFICE}/officeDocument/2006/relationships`;

export const aDocx = (text: string): Promise<Bytes> =>
  zipped({
    '[Content_Types].xml': types({
      '/word/document.xml': 'wordprocessingml.document.main',
    }),
    '_rels/.rels': relations({ rId1: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': `${XML}<w:document xmlns:w="${OFFICE}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
  });

/** One slide for each text. */
export function aPptx(slides: readonly string[]): Promise<Bytes> {
  const name = (i: number) => `slides/slide${String(i + 1)}.xml`;
  const ids = slides.map((_, i) => `<p:sldId id="${String(256 + i)}" r:id="rId${String(i + 1)}"/>`);
  const spaces = `xmlns:p="${OFFICE}/presentationml/2006/main" xmlns:a="${OFFICE}/drawingml/2006/main" xmlns:r="${RELATIONS}"`;
  return zipped({
    '[Content_Types].xml': types({
      '/ppt/presentation.xml': 'presentationml.presentation.main',
      ...Object.fromEntries(slides.map((_, i) => [`/ppt/${name(i)}`, 'presentationml.slide'])),
    }),
    '_rels/.rels': relations({ rId1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `${XML}<p:presentation ${spaces}><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      Object.fromEntries(slides.map((_, i) => [`rId${String(i + 1)}`, ['slide', name(i)]])),
    ),
    ...Object.fromEntries(
      slides.map((text, i) => [
        `ppt/${name(i)}`,
        `${XML}<p:sld ${spaces}><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
      ]),
    ),
  });
}

function types(parts: Readonly<Record<string, string>>): string {
  const overrides = Object.entries(parts).map(
    ([part, type]) =>
      `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
  );
  return `${XML}<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`;
}

function relations(all: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const lines = Object.entries(all).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${OFFICE}/package/2006/relationships">${lines.join('')}</Relationships>`;
}

async function zipped(entries: Readonly<Record<string, string>>): Promise<Bytes> {
  const zip = new yazl.ZipFile();
  for (const [path, text] of Object.entries(entries)) zip.addBuffer(Buffer.from(text), path);
  zip.end();
  return Uint8Array.from(await buffer(zip.outputStream));
}
