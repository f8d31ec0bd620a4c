import { expect } from 'chai';
import { acceptsName } from '../../../src/knowledge/extract/format.js';
import {
  aDocx,
  anEncryptedOfficeFile,
  anEncryptedPdf,
  aPdf,
  aPptx,
  aRawPdf,
  aZip,
  epubParts,
  openDocumentParts,
  pdfStream,
  xlsxParts,
} from '../../support/documents.js';
import { extracted, refusalOf } from '../../support/extracting.js';

const refused = (filename: string, bytes: string | Uint8Array, limits = {}) =>
  refusalOf(extracted(filename, bytes, limits));

describe('a file that is not what its name says', () => {
  it('is refused with what it seems to be', async () => {
    const zip = await aZip({ 'a.txt': 'text' });
    const pptx = await aPptx([{ title: 'A slide' }]);

    expect(await refused('notes.pdf', 'just text')).to.equal(
      'The file is called .pdf, but it seems to be text. Upload it under its right name.',
    );
    expect(await refused('notes.pdf', '<html><p>Text.</p>')).to.contain('seems to be a web page');
    expect(await refused('notes.pdf', zip)).to.contain(
      'seems to be a ZIP archive, although it is called .pdf',
    );
    expect(await refused('notes.docx', pptx)).to.contain('seems to be a PowerPoint presentation (.pptx)');
    expect(await refused('notes.pptx', await aDocx('Text.'))).to.contain(
      'seems to be a Word document (.docx)',
    );
    expect(await refused('notes.docx', await aZip(openDocumentParts('text', '')))).to.contain(
      'called .docx, but it seems to be an OpenDocument text (.odt)',
    );
    expect(await refused('marks.csv', await aZip(xlsxParts({})))).to.contain('seems to be an Excel workbook');
    expect(await refused('book.pdf', await aZip(epubParts({})))).to.contain('seems to be an e-book (.epub)');
    expect(await refused('notes.doc.txt', '{\\rtf1 Text.}')).to.contain('seems to be an RTF document (.rtf)');
    expect(await refused('marks.xlsx', 'a,b\n1,2')).to.contain('called .xlsx, but it seems to be text');
    expect(await refused('notes.txt', await aPdf(['Text.']))).to.contain(
      'called .txt, but it seems to be a PDF',
    );
  });

  it('is read as what it is when its name says nothing', async () => {
    const { format } = await extracted('download', await aPdf(['Text.']), { mediaType: 'text/html' });

    expect(format).to.equal('pdf');
  });

  it('can be told by its name alone where that is plain', () => {
    const names = [
      'a.pdf',
      'B.DOCX',
      'c.pptx',
      'd.htm',
      'e.md',
      'f.txt',
      'g.tsv',
      'h.xlsx',
      'i.odt',
      'j.vtt',
    ];

    expect(names.filter((name) => !acceptsName(name))).to.deep.equal([]);
    expect(['a.doc', 'b.exe', 'c', 'd.pdf.zip', '.pdf/x'].filter(acceptsName)).to.deep.equal([]);
  });
});

describe('a file of a kind that cannot be read', () => {
  const ole = (stream: string) =>
    Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(600),
      Buffer.from(stream, 'utf16le'),
    ]);
  const FILES: readonly (readonly [string, () => Promise<Uint8Array> | Uint8Array, string])[] = [
    [
      'old Word',
      () => ole('WordDocument'),
      'an old Word document (.doc), which cannot be read. Save it as .docx.',
    ],
    ['old PowerPoint', () => ole('PowerPoint Document'), 'Save it as .pptx.'],
    ['old Excel', () => ole('Workbook'), 'Save it as .xlsx.'],
    [
      'OpenDocument drawing',
      () => aZip({ mimetype: 'application/vnd.oasis.opendocument.graphics' }),
      'an OpenDocument drawing or formula',
    ],
    [
      'binary workbook',
      () => aZip({ '[Content_Types].xml': 'ms-excel.sheet.binary.macroEnabled.main' }),
      'a binary Excel workbook (.xlsb), which cannot be read. Save it as .xlsx.',
    ],
    ['picture', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'switch on text recognition'],
    [
      'picture of another kind',
      () => Buffer.from('II*\x00', 'latin1'),
      'a picture, which cannot be read. Save it as PNG or JPEG.',
    ],
    ['program', () => Buffer.from('MZ\x90\0\x03\0', 'latin1'), 'a program'],
    [
      'other bytes',
      () => Buffer.from(Array.from({ length: 500 }, (_, at) => (at * 7) % 32)),
      'neither text nor',
    ],
  ];

  for (const [kind, bytes, words] of FILES) {
    it(`is refused with advice: ${kind}`, async () => {
      expect(await refused('something', await bytes())).to.contain(words);
    });
  }
});

describe('a document of which nothing can be taken in', () => {
  it('is refused when it is empty, or has nothing but blanks', async () => {
    expect(await refused('a.pdf', '')).to.equal('The file is empty.');
    expect(await refused('a.txt', ' \n\t\n')).to.equal('The file contains no text.');
    expect(await refused('a.html', '<html><body><script>1</script></body></html>')).to.equal(
      'The file contains no text.',
    );
    expect(await refused('a.docx', await aDocx(''))).to.equal('The file contains no text.');
  });

  it('is refused when it is encrypted', async () => {
    const words = (what: string) =>
      `The ${what} is protected with a password. Save it without a password, then upload it again.`;

    expect(await refused('a.pdf', anEncryptedPdf())).to.equal(words('PDF'));
    expect(await refused('a.docx', anEncryptedOfficeFile())).to.equal(words('Office file'));
    const locked = { 'META-INF/manifest.xml': '<manifest:encryption-data/>', 'content.xml': 'unreadable' };
    for (const [name, kind, what] of [
      ['a.odt', 'text', 'OpenDocument text'],
      ['a.ods', 'spreadsheet', 'OpenDocument spreadsheet'],
      ['a.odp', 'presentation', 'OpenDocument presentation'],
    ] as const)
      expect(await refused(name, await aZip({ ...openDocumentParts(kind, ''), ...locked }))).to.equal(
        words(what),
      );
  });

  it('is refused when it is damaged', async () => {
    const pdf = await aPdf(['Text.']);
    const docx = await aDocx('Text.');
    const noDocument = await aZip({ '[Content_Types].xml': 'wordprocessingml.document.main+xml' });

    expect(await refused('a.pdf', pdf.subarray(0, 60))).to.contain('The PDF is damaged or incomplete.');
    expect(await refused('a.pdf', '%PDF-1.7\nnothing of it')).to.contain('The PDF is damaged or incomplete.');
    expect(await refused('a.docx', docx.subarray(0, 300))).to.contain('is damaged or incomplete.');
    expect(await refused('a.docx', noDocument)).to.contain('The Word document is damaged or incomplete.');
    for (const [name, parts, what] of [
      ['a.xlsx', { '[Content_Types].xml': 'spreadsheetml.sheet.main+xml' }, 'Excel workbook'],
      ['a.odt', { mimetype: 'application/vnd.oasis.opendocument.text' }, 'OpenDocument text'],
      ['a.epub', { mimetype: 'application/epub+zip' }, 'e-book'],
    ] as const)
      expect(await refused(name, await aZip(parts))).to.contain(`The ${what} is damaged or incomplete.`);
    expect(
      await refused('a.pptx', await aZip({ '[Content_Types].xml': 'presentationml.presentation.main+xml' })),
    ).to.contain('The PowerPoint presentation is damaged or incomplete.');
  });

  it('is refused when it has more pages than are allowed, with both numbers', async () => {
    const slides = [{ title: 'a' }, { title: 'b' }, { title: 'c' }];

    expect(await refused('a.pdf', await aPdf(['a', 'b', 'c']), { pages: 2 })).to.equal(
      'The document has 3 pages; at most 2 are allowed. Split it into several files.',
    );
    expect(await refused('a.pptx', await aPptx(slides), { pages: 2 })).to.contain('has 3 slides; at most 2');
  });

  it('is refused when it has more text than is allowed', async () => {
    const words = 'The document has more than 1,000 characters of text. Split it into several files.';

    expect(await refused('a.txt', 'text '.repeat(500), { characters: 1_000 })).to.equal(words);
    expect(await refused('a.csv', 'a,b\n' + '1,2\n'.repeat(500), { characters: 1_000 })).to.equal(words);
  });
});

describe('a PDF without text', () => {
  it('is said to be scanned when no page has any', async () => {
    expect(await refused('a.pdf', await aPdf(['', '']))).to.equal(
      "No text was found on any of the 2 pages of this PDF. It is probably scanned: switch on text recognition in the collection's settings, and it is read again.",
    );
  });

  it('on some pages is taken in, with those pages named', async () => {
    const { pages, pageCount, faults } = await extracted(
      'a.pdf',
      await aPdf(['Text.', '', '', '', 'More.', '', 'End.']),
    );

    expect(pages.map(({ page }) => page)).to.deep.equal([1, 5, 7]);
    expect(pageCount).to.equal(7);
    expect(faults).to.deep.equal([
      {
        page: 2,
        message:
          "Pages 2–4 and 6 have no text: empty, or a picture: text recognition can be switched on in the collection's settings.",
        ...{ code: 'pages_without_text', values: ['2–4', '6'] },
      },
    ]);
  });

  it('on a page that is broken is taken in without that page', async () => {
    const branch = (page: string) => `<< /Type /Pages /Parent 2 0 R /Count 1 /Kids [ ${page} ] >>`;
    const broken = aRawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 3 /Kids [ 3 0 R 4 0 R 5 0 R ] /MediaBox [ 0 0 600 800 ] >>',
      branch('6 0 R'),
      branch('(not a page)'),
      branch('6 0 R'),
      '<< /Type /Page /Parent 3 0 R /Contents 7 0 R /Resources << /Font << /F 8 0 R >> >> >>',
      pdfStream('BT /F 12 Tf 50 700 Td (Text.) Tj ET'),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ]);

    const { pages, faults } = await extracted('a.pdf', broken);

    expect(pages.map(({ page }) => page)).to.deep.equal([1, 3]);
    expect(faults).to.deep.equal([
      { page: 2, message: 'Page 2 could not be read.', code: 'page_unread', values: ['2'] },
    ]);
  });
});
