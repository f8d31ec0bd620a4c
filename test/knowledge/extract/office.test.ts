import { expect } from 'chai';
import { aDocx, aPptx, aZip, docxParts, pptxParts } from '../../support/documents.js';
import { extracted, markdownOf } from '../../support/extracting.js';

const letters = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const FORMULA =
  `<m:sSup><m:e>${letters('r')}</m:e><m:sup>${letters('2')}</m:sup></m:sSup>${letters('=')}` +
  `<m:f><m:fPr/><m:num>${letters('a+b')}</m:num><m:den>${letters('c')}</m:den></m:f>${letters('+')}` +
  `<m:rad><m:deg/><m:e>${letters('x')}</m:e></m:rad>${letters('+')}` +
  `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${letters('i=1')}</m:sub><m:sup>${letters('n')}</m:sup><m:e><m:d><m:e>${letters('i')}</m:e></m:d></m:e></m:nary>`;
const IN_A_LINE = 'r^2=(a+b)/c+√x+∑_(i=1)^n (i)';

describe('a Word document', () => {
  it('keeps headings, paragraphs, lists and tables', async () => {
    const text =
      '# Cells\nAll that lives has cells.\n## Parts\n- nucleus\n- membrane\n| Part | Task |\n| nucleus | keeps | DNA |';

    const { format, title, pages, pageCount } = await extracted('a.docx', await aDocx(text, 'Biology 1'));

    expect({ format, title, pageCount }).to.deep.equal({
      format: 'docx',
      title: 'Biology 1',
      pageCount: undefined,
    });
    expect(pages).to.deep.equal([
      {
        page: undefined,
        markdown:
          '# Cells\n\nAll that lives has cells.\n\n## Parts\n\n- nucleus\n- membrane\n\n' +
          '| Part | Task |  |\n| --- | --- | --- |\n| nucleus | keeps | DNA |',
      },
    ]);
  });

  it('takes its title from its first heading when its properties have none', async () => {
    const { title } = await extracted('a.docx', await aDocx('# Cells\nText.'));

    expect(title).to.equal('Cells');
  });

  it('takes no heading from text that only looks like Markdown', async () => {
    expect(await markdownOf('a.docx', await aDocx('#1 is not a heading\n\\# nor this'))).not.to.match(/^# /m);
  });

  const word = async (body: string) => {
    const parts = docxParts('x');
    const xml = parts['word/document.xml'] ?? '';
    return await markdownOf(
      'a.docx',
      await aZip({ ...parts, 'word/document.xml': xml.replace(/<w:p>.*<\/w:p>/, body) }),
    );
  };
  const run = (text: string, facts = '') =>
    `<w:r><w:rPr>${facts}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;

  it('says its formulas in a line', async () => {
    expect(await word(`<w:p>${run('Then ')}<m:oMath>${FORMULA}</m:oMath>${run(' holds.')}</w:p>`)).to.equal(
      `Then ${IN_A_LINE} holds.`,
    );
    expect(await word(`<w:p><m:oMathPara><m:oMath>${FORMULA}</m:oMath></m:oMathPara></w:p>`)).to.equal(
      IN_A_LINE,
    );
  });

  it('keeps the words of simple fields, of other directions and under ruby, and what parts words', async () => {
    const field = `<w:fldSimple w:instr=" SEQ Table ">${run('3')}</w:fldSimple>`;
    const turned = `<w:dir w:val="rtl">${run('שלום')}</w:dir> <w:bdo w:val="ltr">${run(' abc')}</w:bdo>`;
    const ruby =
      '<w:r><w:ruby><w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r>';
    const parted = '<w:r><w:t>one</w:t><w:cr/><w:t>two</w:t><w:ptab/><w:t>three</w:t></w:r>';

    expect(await word(`<w:p>${run('Table ')}${field}${run(': marks')}</w:p>`)).to.equal('Table 3: marks');
    expect(await word(`<w:p>${turned}</w:p>`)).to.equal('שלום abc');
    expect(await word(`<w:p>${ruby}</w:p>`)).to.equal('漢');
    expect((await word(`<w:p>${parted}</w:p>`)).split(/\s+/)).to.deep.equal(['one', 'two', 'three']);
  });

  it('keeps powers above the line, and each cell in the column it is seen in', async () => {
    const up = (text: string) => run(text, '<w:vertAlign w:val="superscript"/>');
    const cell = (text: string, facts = '') =>
      `<w:tc><w:tcPr>${facts}</w:tcPr><w:p>${run(text)}</w:p></w:tc>`;
    const rows = [
      cell('Day') + cell('Time') + cell('Subject'),
      cell('Monday', '<w:vMerge w:val="restart"/>') + cell('9:00') + cell('Maths'),
      cell('', '<w:vMerge/>') + cell('10:00') + cell('Physics'),
    ];

    expect(await word(`<w:p>${run('10')}${up('-3')}${run(' of the 1')}${up('st')}</w:p>`)).to.equal(
      '10⁻³ of the 1st',
    );
    expect(await word(`<w:tbl>${rows.map((row) => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`)).to.equal(
      '| Day | Time | Subject |\n| --- | --- | --- |\n| Monday | 9:00 | Maths |\n| Monday | 10:00 | Physics |',
    );
  });
});

describe('a presentation', () => {
  it('gives a page for each slide in the order in which they are shown', async () => {
    const slides = [{ title: 'First' }, { title: 'Second' }, { title: 'Third' }];

    const { format, title, pages, pageCount } = await extracted('a.pptx', await aPptx(slides));

    expect({ format, title, pageCount }).to.deep.equal({ format: 'pptx', title: 'First', pageCount: 3 });
    expect(pages).to.deep.equal([
      { page: 1, markdown: '# First' },
      { page: 2, markdown: '# Second' },
      { page: 3, markdown: '# Third' },
    ]);
  });

  it('keeps bullets, tables and what the speaker noted, and leaves out slide numbers', async () => {
    const slide = {
      title: 'Cells',
      bullets: ['nucleus', 'membrane'],
      table: [
        ['a', 'b'],
        ['1', '2'],
      ],
      notes: 'Ask who knows one.',
    };

    expect(await markdownOf('a.pptx', await aPptx([slide]))).to.equal(
      '# Cells\n\n- nucleus\n- membrane\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nNotes:\n\nAsk who knows one.',
    );
  });

  it('says its formulas in a line and keeps powers above it', async () => {
    const parts = pptxParts([{ bullets: ['x'] }]);
    const slide = parts['ppt/slides/slide1.xml'] ?? '';
    const paragraph =
      '<a:r><a:t>10</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>23</a:t></a:r><a:r><a:t> and </a:t></a:r>' +
      `<mc:AlternateContent><mc:Choice><a14:m><m:oMath>${FORMULA}</m:oMath></a14:m></mc:Choice></mc:AlternateContent>`;
    const written = slide.replace('<a:r><a:t>x</a:t></a:r>', paragraph);

    expect(await markdownOf('a.pptx', await aZip({ ...parts, 'ppt/slides/slide1.xml': written }))).to.equal(
      `- 10²³ and ${IN_A_LINE}`,
    );
  });

  it('leaves out empty slides, but counts them', async () => {
    const { pages, pageCount } = await extracted('a.pptx', await aPptx([{ title: 'Only this' }, {}]));

    expect([pages.length, pageCount]).to.deep.equal([1, 2]);
  });
});
