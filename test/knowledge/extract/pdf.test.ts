import { expect } from 'chai';
import { degrees, PDFDocument, StandardFonts, type PDFFont, type PDFPage } from 'pdf-lib';
import { aPdf, aRawPdf, pdfStream } from '../../support/documents.js';
import { extracted, markdownOf, refusalOf } from '../../support/extracting.js';

type Draw = (page: PDFPage, font: PDFFont) => void;

async function drawn(...pages: readonly Draw[]): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const draw of pages) draw(pdf.addPage([595, 842]), font);
  return Buffer.from(await pdf.save());
}

/** Lines from this place downwards. */
function lines(texts: readonly string[], { x = 50, y = 700, size = 10 } = {}): Draw {
  return (page, font) => {
    texts.forEach((text, at) => {
      page.drawText(text, { x, y: y - at * size * 1.2, size, font });
    });
  };
}

function all(...draws: readonly Draw[]): Draw {
  return (page, font) => {
    for (const draw of draws) draw(page, font);
  };
}

/** A text in lines of full width, word by word, as LaTeX sets it; the last line as it comes. */
function justified(text: string, { x = 50, y = 700, size = 10, width = 180 } = {}): Draw {
  return (page, font) => {
    const widthOf = (words: readonly string[]) => font.widthOfTextAtSize(words.join(' '), size);
    const wrapped: string[][] = [[]];
    for (const word of text.split(' ')) {
      if (widthOf([...(wrapped.at(-1) ?? []), word]) > width) wrapped.push([]);
      wrapped.at(-1)?.push(word);
    }
    wrapped.forEach((words, line) => {
      const isLast = line === wrapped.length - 1;
      const stretch = isLast ? 0 : (width - widthOf(words)) / (words.length - 1);
      let at = x;
      for (const word of words) {
        page.drawText(word, { x: at, y: y - line * size * 1.2, size, font });
        at += widthOf([word, '']) + stretch;
      }
    });
  };
}

const HEBREW = Array.from('אבגדהוזחטיךכלםמןנסעףפץצקרשת');

/** Words at their places, each letter after the other from left to right, as programs write what is read from the right. */
function visualOrder(
  words: readonly { readonly x: number; readonly y: number; readonly text: string }[],
): Buffer {
  const code = (letter: string) => {
    const at = HEBREW.indexOf(letter);
    return (at < 0 ? letter.charCodeAt(0) : 0xc0 + at).toString(16).padStart(2, '0');
  };
  const drawing = words.map(({ x, y, text }) => {
    const seen = /[א-ת]/.test(text) ? Array.from(text).reverse() : Array.from(text);
    return `BT /F1 10 Tf 1 0 0 1 ${String(x)} ${String(y)} Tm <${seen.map(code).join('')}> Tj ET`;
  });
  const toUnicode = HEBREW.map(
    (letter, at) => `<${(0xc0 + at).toString(16)}> <${letter.charCodeAt(0).toString(16).padStart(4, '0')}>`,
  );
  const ascii = Array.from({ length: 94 }, (_, i) => (i + 33).toString(16)).map(
    (hex) => `<${hex}> <00${hex}>`,
  );
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff> endcodespacerange
    ${String(ascii.length)} beginbfchar ${ascii.join(' ')} endbfchar ${String(toUnicode.length)} beginbfchar ${toUnicode.join(' ')} endbfchar endcmap end end`;
  const widths = Array<number>(256).fill(600).join(' ');
  return aRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    pdfStream(drawing.join('\n')),
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /FirstChar 0 /LastChar 255 /Widths [${widths}] /ToUnicode 6 0 R >>`,
    pdfStream(map),
  ]);
}

const LEFT = [
  'The first column begins here and',
  'runs over several lines of text',
  'that belong together because',
  'nobody wrote them otherwise and',
  'it ends with this last line.',
];
const RIGHT = [
  'The second column is read after',
  'the first one has come to its',
  'end although both stand side by',
  'side on the same lines of the',
  'page as everybody can see.',
];

const FIRST =
  'Every cell of a plant that is green holds small bodies in which light is caught and kept for later use. What is made there from water and air feeds the whole plant, and in the end nearly everything else that lives on land or in the sea.';
const SECOND =
  'In the other direction sugar is burnt in bodies of another kind, which are found in nearly all cells of plants and of animals alike. They give back what the light had put in, a little at a time, wherever work has to be done by a cell.';

describe('a PDF', () => {
  it('gives its pages with their numbers, its title and how many pages it has', async () => {
    const { format, title, pages, pageCount, faults } = await extracted(
      'a.pdf',
      await aPdf(['One page.', 'Another page.'], { title: 'Of pages' }),
    );

    expect({ format, title, pageCount, faults }).to.deep.equal({
      format: 'pdf',
      title: 'Of pages',
      pageCount: 2,
      faults: [],
    });
    expect(pages).to.deep.equal([
      { page: 1, markdown: 'One page.' },
      { page: 2, markdown: 'Another page.' },
    ]);
  });

  it('joins lines to paragraphs and keeps paragraphs apart', async () => {
    const text = await markdownOf(
      'a.pdf',
      await aPdf(['A paragraph that goes\non in the next line.\n\nAnother one.']),
    );

    expect(text).to.equal('A paragraph that goes on in the next line.\n\nAnother one.');
  });

  it('undoes hyphenation at line ends, but keeps the hyphens that belong to words', async () => {
    const page = [
      'Photosyn-',
      'thesis is a well-known process, and it is well-',
      'known for its use of light in Moodle-',
      'Kurse, for Haupt-',
      'und Nebenfach.',
    ].join('\n');

    expect(await markdownOf('a.pdf', await aPdf([page]))).to.equal(
      'Photosynthesis is a well-known process, and it is well-known for its use of light in Moodle-Kurse, for Haupt- und Nebenfach.',
    );
  });

  it('keeps what is above and below a line in its place, and powers above it', async () => {
    const line: Draw = (page, font) => {
      let x = 50;
      const put = (text: string, size = 11, up = 0) => {
        page.drawText(text, { x, y: 700 + up, size, font });
        x += font.widthOfTextAtSize(text, size);
      };
      put('There are 6 x 10');
      put('23', 7, 4);
      put(' of H');
      put('2', 7, -2);
      put('O here.');
    };

    expect(await markdownOf('a.pdf', await drawn(line))).to.equal('There are 6 x 10²³ of H2O here.');
  });

  it('says what was filled into its fields where it is seen, and no password', async () => {
    const pdf = await PDFDocument.create();
    const page = pdf.addPage([595, 842]);
    const font = await pdf.embedFont(StandardFonts.Helvetica);
    lines(['Course:'], { y: 700 })(page, font);
    lines(['What is expected of everybody who takes it:'], { y: 600 })(page, font);
    const form = pdf.getForm();
    const course = form.createTextField('course');
    course.setText('Cell biology');
    course.addToPage(page, { x: 100, y: 692, width: 200, height: 26 });
    const more = form.createTextField('more');
    more.enableMultiline();
    more.setText('To come\nTo ask');
    more.addToPage(page, { x: 50, y: 400, width: 400, height: 180 });
    const secret = form.createTextField('secret');
    secret.setText('hush-hush');
    secret.enablePassword();
    secret.addToPage(page, { x: 50, y: 300, width: 200, height: 20 });

    expect(await markdownOf('a.pdf', Buffer.from(await pdf.save()))).to.equal(
      'Course: Cell biology\n\nWhat is expected of everybody who takes it:\n\nTo come To ask',
    );
  });

  it('makes headings of lines in clearly larger letters, the largest of the first level', async () => {
    const body =
      'Words of the usual size, as most words of a document are, so that it is known what is usual.';
    const text = await markdownOf('a.pdf', await aPdf([`# Cells\n${body}\n## The nucleus\n${body}`]));

    expect(text).to.equal(`# Cells\n\n${body}\n\n## The nucleus\n\n${body}`);
  });

  it('reads two columns one after the other, and what stands over both before them', async () => {
    const bytes = await drawn(
      all(
        lines(['A title that spans both of the columns of this page from left to right, and on'], { y: 760 }),
        lines(LEFT, { x: 50 }),
        lines(RIGHT, { x: 320, y: 698 }),
      ),
    );

    const text = await markdownOf('a.pdf', bytes);

    expect(text.indexOf('A title')).to.equal(0);
    expect(text).to.contain('runs over several lines of text that belong together');
    expect(text.indexOf('this last line.')).to.be.lessThan(text.indexOf('The second column'));
  });

  it('reads columns as near to each other as LaTeX sets them one after the other', async () => {
    const bytes = await drawn(
      all(
        lines(['A title that spans both of the columns of this page from left to right'], { y: 760 }),
        justified(FIRST, { x: 50 }),
        justified(SECOND, { x: 240 }),
      ),
    );

    const text = await markdownOf('a.pdf', bytes);

    expect(text.split('\n\n').slice(1)).to.deep.equal([FIRST, SECOND]);
  });

  it('reads one column of justified words as one', async () => {
    expect(await markdownOf('a.pdf', await drawn(justified(`${FIRST} ${SECOND}`, { width: 400 })))).to.equal(
      `${FIRST} ${SECOND}`,
    );
  });

  it('reads from right to left what is written so, with words and numbers of other scripts in their order', async () => {
    const row = (y: number, ...texts: string[]) => {
      let right = 500;
      return texts.map((text) => {
        right -= text.length * 6 + 6;
        return { x: right, y, text };
      });
    };
    const bytes = visualOrder([
      ...row(700, 'המיטוכונדריה', 'היא', 'תחנת', 'הכוח', 'של', 'התא', 'הגדול'),
      ...row(688, 'ומייצרת', 'ATP', 'מסוכר', 'בשנת', '.1783'),
    ]);

    expect(await markdownOf('a.pdf', bytes)).to.equal(
      'המיטוכונדריה היא תחנת הכוח של התא הגדול ומייצרת ATP מסוכר בשנת 1783.',
    );
  });

  it('reads a table row by row, as a table', async () => {
    const row = (y: number, ...cells: readonly string[]) =>
      all(...cells.map((cell, at) => lines([cell], { x: 50 + at * 150, y })));
    const bytes = await drawn(
      all(
        row(700, 'Name', 'Town', 'Age'),
        row(686, 'Ada', 'London', '36'),
        row(672, 'Emmy', 'Erlangen', '53'),
      ),
    );

    expect(await markdownOf('a.pdf', bytes)).to.equal(
      '| Name | Town | Age |\n| --- | --- | --- |\n| Ada | London | 36 |\n| Emmy | Erlangen | 53 |',
    );
  });

  it('leaves out headers, footers and page numbers that recur, and nothing else', async () => {
    const page = (at: number) =>
      all(
        lines(['School of Biology'], { y: 810, size: 9 }),
        lines([`Chapter about topic ${'abcdef'.charAt(at)}`], { y: 700 }),
        lines([`Only page ${'uvwxyz'.charAt(at)} says this.`], { y: 600 }),
        lines([`Page ${String(at + 1)} of 6`], { y: 30, size: 9 }),
      );
    const text = await markdownOf('a.pdf', await drawn(...[0, 1, 2, 3, 4, 5].map(page)));

    expect(text).not.to.match(/School|Page \d/);
    expect(text.match(/Only page/g)).to.have.length(6);
    expect(text.match(/Chapter about/g)).to.have.length(6);
  });

  it('reads pages that are turned, and text that is turned on its page', async () => {
    const bytes = await drawn(
      (page, font) => {
        page.setRotation(degrees(90));
        ['Upright for', 'the reader.'].forEach((text, at) => {
          page.drawText(text, { x: 100 + at * 14, y: 100, size: 11, font, rotate: degrees(90) });
        });
      },
      (page, font) => {
        page.drawText('Along the margin.', { x: 40, y: 300, size: 8, font, rotate: degrees(90) });
        page.drawText('In the middle of the page.', { x: 100, y: 400, size: 11, font });
      },
    );

    const { pages } = await extracted('a.pdf', bytes);

    expect(pages[0]?.markdown).to.equal('Upright for the reader.');
    expect(pages[1]?.markdown).to.equal('In the middle of the page.\n\nAlong the margin.');
  });

  it('makes lists of bullets and fenced code of typewriter letters', async () => {
    const pdf = await PDFDocument.create();
    const font = await pdf.embedFont(StandardFonts.Helvetica);
    const code = await pdf.embedFont(StandardFonts.Courier);
    const page = pdf.addPage();
    lines(['• one thing', '• another'], { y: 700 })(page, font);
    lines(['for x in y:'], { y: 600 })(page, code);
    lines(['print(x)'], { x: 74, y: 588 })(page, code);

    expect(await markdownOf('a.pdf', Buffer.from(await pdf.save()))).to.equal(
      '- one thing\n- another\n\n```\nfor x in y:\n    print(x)\n```',
    );
  });

  it('takes no heading from text that only looks like Markdown', async () => {
    expect(await markdownOf('a.pdf', await aPdf(['### not a heading']))).to.match(/^\\#/);
  });
});

describe('a PDF whose fonts are not embedded', () => {
  /** Its font is only named, and so is the table that makes characters of its bytes. */
  const named = (font: string, encoding: string, ordering: string, hex: string) =>
    aRawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [ 3 0 R ] /MediaBox [ 0 0 600 800 ] >>',
      '<< /Type /Page /Parent 2 0 R /Contents 6 0 R /Resources << /Font << /F 4 0 R >> >> >>',
      `<< /Type /Font /Subtype /Type0 /BaseFont /${font} /Encoding /${encoding} /DescendantFonts [ 5 0 R ] >>`,
      `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${font} /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /DW 1000 /FontDescriptor 7 0 R >>`,
      pdfStream(`BT /F 20 Tf 50 700 Td <${hex}> Tj ET`),
      `<< /Type /FontDescriptor /FontName /${font} /Flags 6 /FontBBox [ 0 -200 1000 900 ] /ItalicAngle 0 /Ascent 880 /Descent -120 /StemV 93 >>`,
    ]);
  const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex');

  it('is read in Chinese, Japanese and Korean', async () => {
    const chinese = named('STSong-Light', 'UniGB-UCS2-H', 'GB1', utf16('光合作用'));
    // "光合成" in Shift JIS.
    const japanese = named('HeiseiMin-W3', '90ms-RKSJ-H', 'Japan1', '8cf58d8790ac');
    const korean = named('HYSMyeongJo-Medium', 'UniKS-UCS2-H', 'Korea1', utf16('광합성'));

    expect(await markdownOf('a.pdf', chinese)).to.equal('光合作用');
    expect(await markdownOf('b.pdf', japanese)).to.equal('光合成');
    expect(await markdownOf('c.pdf', korean)).to.equal('광합성');
  });

  it('is not read by a table of its own choosing', async () => {
    const outside = named('STSong-Light', '../../../package', 'GB1', utf16('光'));

    expect(await refusalOf(extracted('a.pdf', outside))).to.include('No text');
  });
});
