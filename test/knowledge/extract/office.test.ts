import { expect } from 'chai';
import { aDocx, aPptx } from '../../support/documents.js';
import { extracted, markdownOf } from '../../support/extracting.js';

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

  it('leaves out empty slides, but counts them', async () => {
    const { pages, pageCount } = await extracted('a.pptx', await aPptx([{ title: 'Only this' }, {}]));

    expect([pages.length, pageCount]).to.deep.equal([1, 2]);
  });
});
