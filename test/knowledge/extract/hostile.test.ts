import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import {
  aPptx,
  aRawPdf,
  aZip,
  claiming,
  docxParts,
  epubParts,
  openDocumentParts,
  pdfStream,
  pptxParts,
  xlsxParts,
} from '../../support/documents.js';
import { extracted, refusalOf } from '../../support/extracting.js';

const TOO_MUCH = 'The file unpacks to far more than a document holds';

describe('an Office file that unpacks to more than it should', () => {
  const large = { ...docxParts('Text.'), 'word/document.xml': ' '.repeat(3_000_000) };

  it('is refused when it says so itself', async () => {
    const blanks = ' '.repeat(3_000_000);
    for (const [name, parts] of [
      ['a.docx', large],
      ['a.xlsx', { ...xlsxParts({ A: '' }), 'xl/worksheets/sheet0.xml': blanks }],
      ['a.xlsx', { ...xlsxParts({ A: '' }), 'xl/sharedStrings.xml': blanks }],
      ['a.ods', { ...openDocumentParts('spreadsheet', ''), 'content.xml': blanks }],
      ['a.epub', { ...epubParts({ one: '' }), 'OEBPS/text/one.xhtml': blanks }],
    ] as const)
      expect(
        await refusalOf(extracted(name, await aZip(parts), { unpackedBytes: 1_000_000 })),
        name,
      ).to.contain(TOO_MUCH);
  });

  it('is refused when it lies about it', async () => {
    const lying = claiming(await aZip(large), 'word/document.xml', 100);

    expect(await refusalOf(extracted('a.docx', lying, { unpackedBytes: 1_000_000 }))).to.contain(TOO_MUCH);
    expect(await refusalOf(extracted('a.docx', lying))).to.contain('The Word document is damaged');
  });

  it('is refused when all its parts together are too large', async () => {
    const parts = pptxParts([{ title: 'a'.repeat(400_000) }, { title: 'b'.repeat(400_000) }]);

    const { pages, faults } = await extracted('a.pptx', await aZip(parts), { unpackedBytes: 600_000 });

    expect(pages.map(({ page }) => page)).to.deep.equal([1]);
    expect(faults).to.deep.equal([
      { page: 2, message: 'Slide 2 could not be read.', code: 'slide_unread', values: ['2'] },
    ]);
  });

  it('is refused when it has more parts than any document', async () => {
    const zip = await aZip(docxParts('Text.'));
    zip.writeUInt16LE(60_000, zip.lastIndexOf('PK\x05\x06') + 10);

    expect(await refusalOf(extracted('a.docx', zip))).to.contain(TOO_MUCH);
  });

  it('is read when only parts that nobody reads are large', async () => {
    const zip = await aZip({ ...docxParts('Text.'), 'word/media/film.bin': Buffer.alloc(3_000_000) });

    const { pages } = await extracted('a.docx', zip, { unpackedBytes: 1_000_000 });

    expect(pages[0]?.markdown).to.equal('Text.');
  });

  it('is read whatever its parts are called', async () => {
    const zip = await aZip({ ...docxParts('Text.'), 'xx/xx/passwd': 'root' });
    const escaping = Buffer.from(zip.toString('latin1').replaceAll('xx/xx/', '../../'), 'latin1');

    expect((await extracted('a.docx', escaping)).pages).to.have.length(1);
  });
});

describe('XML that defines entities', () => {
  const BOMB = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>';
  const FILE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>';

  for (const definition of [BOMB, FILE]) {
    it(`is refused in an Office file: ${definition}`, async () => {
      const word = docxParts('&a;');
      const slides = pptxParts([{ title: '&a;' }]);
      const add = (xml: string) => xml.replace('?>', `?>${definition}`).replace('&amp;a;', '&a;');
      const docx = await aZip({ ...word, 'word/document.xml': add(word['word/document.xml'] ?? '') });
      const pptx = await aZip({
        ...slides,
        'ppt/slides/slide1.xml': add(slides['ppt/slides/slide1.xml'] ?? ''),
      });

      expect(await refusalOf(extracted('a.docx', docx))).to.contain('defines XML entities of its own');
      expect(await refusalOf(extracted('a.pptx', pptx))).to.contain('defines XML entities of its own');
      for (const [name, parts, part] of [
        ['a.xlsx', xlsxParts({ A: '<row><c><v>&a;</v></c></row>' }), 'xl/worksheets/sheet0.xml'],
        ['a.odt', openDocumentParts('text', '<text:p>&a;</text:p>'), 'content.xml'],
      ] as const) {
        const zip = await aZip({ ...parts, [part]: add(parts[part] ?? '') });
        expect(await refusalOf(extracted(name, zip))).to.contain('defines XML entities of its own');
      }
    });
  }

  it('is refused in other encodings too', async () => {
    const word = docxParts('Text.');
    const hidden = Buffer.from(
      `\uFEFF${(word['word/document.xml'] ?? '').replace('?>', `?>${BOMB}`)}`,
      'utf16le',
    );

    const reading = extracted('a.docx', await aZip({ ...word, 'word/document.xml': hidden }));

    expect(await refusalOf(reading)).to.contain('defines XML entities of its own');
  });

  it('adds nothing to a web page', async () => {
    const page = `${BOMB.replace(' x ', ' html ')}<html><body><p>&b; text</p></body></html>`;

    expect((await extracted('a.html', page)).pages[0]?.markdown).not.to.contain('haha');
  });
});

describe('a document that points elsewhere', () => {
  it('has nothing fetched and nothing run', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('fetched');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    try {
      const read = await Promise.all([
        extracted('a.html', pageThatAsks(url)),
        extracted('a.docx', await docxThatAsks(url)),
        extracted('a.pdf', pdfThatAsks(url)),
        extracted('a.pptx', await aPptx([{ title: url }])),
      ]);

      expect(read.map(({ pages }) => pages[0]?.markdown)).to.deep.equal([
        'Text.',
        'Text.',
        'Text.',
        `# ${url}`,
      ]);
      expect(asked).to.deep.equal([]);
      expect(globalThis).not.to.have.property('wasRun');
    } finally {
      server.close();
    }
  });
});

function pageThatAsks(url: string): string {
  return `<!doctype html><html><head><link rel="stylesheet" href="${url}/css"><script src="${url}/js"></script></head>
    <body onload="globalThis.wasRun = 1"><p>Text.</p><img src="${url}/img"><iframe src="${url}/frame"></iframe>
    <script>globalThis.wasRun = 1; fetch('${url}/fetch')</script></body></html>`;
}

async function docxThatAsks(url: string): Promise<Buffer> {
  const parts = docxParts('Text.');
  const rels = parts['word/_rels/document.xml.rels'] ?? '';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const link = (id: string, kind: string) =>
    `<Relationship Id="${id}" Type="${office}/${kind}" Target="${url}/${kind}" TargetMode="External"/>`;
  const outside = rels.replace('</Rel', `${link('rId8', 'image')}${link('rId9', 'attachedTemplate')}</Rel`);
  const picture = `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip xmlns:r="${office}" r:link="rId8"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
  const body = (parts['word/document.xml'] ?? '').replace('</w:body>', `${picture}</w:body>`);
  return await aZip({ ...parts, 'word/document.xml': body, 'word/_rels/document.xml.rels': outside });
}

function pdfThatAsks(url: string): Buffer {
  const run = `<< /S /JavaScript /JS (globalThis.wasRun = 1; app.launchURL\\('${url}/js'\\)) >>`;
  return aRawPdf([
    `<< /Type /Catalog /Pages 2 0 R /OpenAction ${run} /Names << /JavaScript << /Names [ (a) ${run} ] >> >> >>`,
    '<< /Type /Pages /Count 1 /Kids [ 3 0 R ] /MediaBox [ 0 0 600 800 ] >>',
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /AA << /O ${run} >> /Annots [ << /Type /Annot /Subtype /Link /Rect [ 0 0 600 800 ] /A << /S /URI /URI (${url}/uri) >> >> ] >>`,
    pdfStream('BT /F 12 Tf 50 700 Td (Text.) Tj ET'),
    `<< /Type /Font /Subtype /TrueType /BaseFont /Outside /FontDescriptor << /Type /FontDescriptor /FontName /Outside /Flags 32 /FontFile2 6 0 R >> >>`,
    `<< /F << /FS /URL /F (${url}/font) >> /Length 0 >>\nstream\n\nendstream`,
  ]);
}
