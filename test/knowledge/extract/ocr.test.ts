import { setFlagsFromString } from 'node:v8';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { aPdf, aRawPdf, pdfStream } from '../../support/documents.js';
import { extracted, refusalOf } from '../../support/extracting.js';
import { pngOf } from '../../support/pictures.js';
import { createRecogniser, read, readHere, refused } from '../../support/reader-process.js';
import { aPictureOf, aScan } from '../../support/scans.js';

const ENGLISH = ['The mitochondria of a cell', 'turn sugar into energy.'];
const CATALAN = ['La fotosíntesi és el procés', 'pel qual les plantes creixen', 'amb la llum i l’aigua.'];
const ALL = ['en', 'es', 'ca', 'eu'] as const;

describe('recognising text in pictures', function () {
  this.timeout(150_000);
  const { execArgv } = process;
  before(() => {
    // What was built needs nothing of what runs the sources.
    process.execArgv = [];
    // Making the machine code fast takes longer than to read a few words without: the service reads whole pages.
    setFlagsFromString('--liftoff-only');
  });
  after(() => {
    setFlagsFromString('--no-liftoff-only');
    process.execArgv = execArgv;
  });

  it('reads English in a PNG and marks what it read', async () => {
    const { format, pages } = await readHere('notes.png', aPictureOf(ENGLISH), { ocr: ALL });

    expect(format).to.equal('picture');
    expect(pages).to.deep.equal([{ page: undefined, markdown: ENGLISH.join(' '), origin: 'recognised' }]);
  });

  it('reads Catalan with its accents, without being told that it is Catalan', async () => {
    const { pages } = await readHere('apunts.jpg', aPictureOf(CATALAN, { kind: 'image/jpeg' }), { ocr: ALL });

    expect(pages[0]?.markdown).to.include('La fotosíntesi és el procés pel qual les plantes');
  });

  it('reads the pages of a PDF that have no text, keeps the text of the others, and says which is which', async () => {
    const pdf = await PDFDocument.load(await aScan([ENGLISH, undefined]));
    const page = pdf.addPage([595, 240]);
    page.drawText('This page has text of its own, in letters that nobody needs to recognise.', {
      size: 10,
      x: 40,
      y: 90,
    });

    const { pages, faults, needsOcr } = await readHere('mixed.pdf', await pdf.save(), { ocr: ['en'] });

    expect(pages.map((each) => [each.page, each.origin])).to.deep.equal([
      [1, 'recognised'],
      [3, undefined],
    ]);
    expect(pages[0]?.markdown).to.equal(ENGLISH.join(' '));
    expect(faults).to.deep.equal([
      {
        ...{ page: 2, code: 'pages_nothing_recognised', values: ['2'] },
        message: 'Page 2 has no text: empty, or a picture in which no text was recognised.',
      },
    ]);
    expect(needsOcr).to.equal(undefined);
  });

  it('keeps what it has when the time is up, and names the pages that were not read', async () => {
    const scan = await withText(await aScan([ENGLISH, ENGLISH]));

    const { pages, faults } = await read('scan.pdf', scan, { ocr: ['en'], ocrSeconds: 0 });

    expect(pages.map(({ page }) => page)).to.deep.equal([3]);
    expect(faults).to.have.length(1);
    expect(faults[0]?.message).to.include('Pages 1–2 could not be recognised');
  });

  it('leaves pages alone that have few words and no picture', async () => {
    const { pages, faults } = await readHere('slides.pdf', await aPdf(['One.', 'Two.']), {
      ...{ ocr: ['en'], ocrSeconds: 0 },
    });

    expect(pages.map(({ origin }) => origin)).to.deep.equal([undefined, undefined]);
    expect(faults).to.deep.equal([]);
  });

  it('reads a scan that has a stamp as text on every page', async () => {
    const pdf = await PDFDocument.load(await aScan([ENGLISH]));
    pdf.getPage(0).drawText('Scanned with a telephone', { size: 8, x: 150, y: 5 });

    const { pages } = await readHere('stamped.pdf', await pdf.save(), { ocr: ['en'] });

    expect(pages[0]?.markdown).to.include(ENGLISH[0]);
    expect(pages[0]?.origin).to.equal('recognised');
  });

  it('gives up on a picture that takes too long, and reads the next', async () => {
    const recogniser = createRecogniser(['en']);

    expect(await recogniser.read(aPictureOf(ENGLISH), 1)).to.equal(undefined);
    const words = await recogniser.read(aPictureOf(ENGLISH), 25_000);

    recogniser.close();
    expect(words?.map(({ text }) => text).join(' ')).to.equal(ENGLISH.join(' '));
  });

  it('says so when there was no time for any page', async () => {
    const none = readHere('scan.pdf', await aScan([ENGLISH]), { ocr: ['en'], ocrSeconds: 0 });

    expect(await refused(none)).to.include('it took too long');
  });

  it('is named as what would help where it is off', async () => {
    expect(await refusalOf(extracted('scan.pdf', await aScan([ENGLISH])))).to.include(
      "switch on text recognition in the collection's settings",
    );
    expect(await refusalOf(extracted('notes.png', aPictureOf(ENGLISH)))).to.include(
      'switch on text recognition',
    );
    const { needsOcr } = await extracted('mixed.pdf', await withText(await aScan([ENGLISH])));
    expect(needsOcr).to.equal(true);
  });

  it('gives the picture itself, small, to whoever has it described', async () => {
    const large = aPictureOf(ENGLISH, { width: 3_000, height: 1_000 });

    const { pages, picture } = await extracted('photo.png', large, { describe: true });

    expect(pages).to.deep.equal([]);
    expect(
      Buffer.from(picture?.bytes ?? [])
        .subarray(0, 3)
        .toString('latin1'),
    ).to.equal('\xff\xd8\xff');
    expect(picture?.bytes.length).to.be.below(large.length * 2);
  });
});

describe('pictures that cannot be read', () => {
  const whole = aPictureOf(ENGLISH, { width: 400, height: 200 });
  const refusal = (filename: string, bytes: Buffer) => refusalOf(extracted(filename, bytes, { ocr: ['en'] }));

  it('are told to be too large before anything is unpacked', async () => {
    expect(await refusal('bomb.png', pngOf(60_000, 60_000))).to.include('60,000 × 60,000 dots');
  });

  for (const kind of ['png', 'jpeg', 'webp'] as const) {
    it(`are told to be damaged when half of a ${kind} is missing`, async () => {
      const bytes = aPictureOf(ENGLISH, { width: 400, height: 200, kind: `image/${kind}` });
      expect(await refusal(`half.${kind}`, bytes.subarray(0, bytes.length / 2))).to.include('damaged');
      expect(await refusal(`head.${kind}`, bytes.subarray(0, 60))).to.include('damaged');
    });
  }

  it('are told by their name when they are something else', async () => {
    expect(await refusal('picture.png', Buffer.from('only text'))).to.include('called .png');
    expect(await refusal('text.pdf', whole)).to.include('a picture');
  });

  it('are pages however large they say they are', async () => {
    const endless = aRawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [ 3 0 R ] /MediaBox [ 0 0 900000000 2 ] >>',
      '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
      pdfStream('0 0 50 50 re f'),
    ]);

    expect(await refusal('wide.pdf', endless)).to.include('No text');
  });
});

async function withText(pdf: Buffer): Promise<Buffer> {
  const loaded = await PDFDocument.load(pdf);
  loaded
    .addPage([595, 240])
    .drawText('Text that stands on a page of its own, and is more than the stamp of a scanner.', {
      size: 10,
      x: 40,
      y: 90,
    });
  return Buffer.from(await loaded.save());
}
