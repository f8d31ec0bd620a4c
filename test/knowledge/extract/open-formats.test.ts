import { expect } from 'chai';
import { aZip, epubParts, openDocumentParts } from '../../support/documents.js';
import { extracted, markdownOf, refusalOf } from '../../support/extracting.js';

describe('an OpenDocument text', () => {
  const odt = async (body: string, facts = {}) =>
    await extracted('a.odt', await aZip(openDocumentParts('text', body, facts)));

  it('keeps headings, paragraphs, lists, tables and footnotes', async () => {
    const { format, title, pages, pageCount } = await odt(
      '<text:h text:outline-level="1">Cells</text:h>' +
        '<text:p>All that<text:s text:c="2"/>lives<text:line-break/>has <text:span>cells</text:span>.<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Hooke, 1665</text:p></text:note-body></text:note></text:p>' +
        '<text:h text:outline-level="2">Parts</text:h>' +
        '<text:list><text:list-item><text:p>nucleus</text:p></text:list-item><text:list-item><text:p>membrane</text:p></text:list-item></text:list>' +
        '<table:table><table:table-row><table:table-cell><text:p>Part</text:p></table:table-cell><table:table-cell><text:p>Task</text:p></table:table-cell></table:table-row>' +
        '<table:table-row><table:table-cell><text:p>nucleus</text:p></table:table-cell><table:table-cell><text:p>keeps</text:p></table:table-cell></table:table-row></table:table>',
      { title: 'Biology 1' },
    );

    expect({ format, title, pageCount }).to.deep.equal({
      format: 'odt',
      title: 'Biology 1',
      pageCount: undefined,
    });
    expect(pages[0]?.markdown.replace(/ +$/gm, '')).to.equal(
      '# Cells\n\nAll that lives\nhas cells. (Hooke, 1665)\n\n## Parts\n\n- nucleus\n- membrane\n\n' +
        '| Part | Task |\n| --- | --- |\n| nucleus | keeps |',
    );
  });

  it('takes its title for a heading, and leaves out comments, what was deleted and its list of chapters', async () => {
    const { title, pages } = await odt(
      '<text:tracked-changes><text:deletion><text:p>gone</text:p></text:deletion></text:tracked-changes>' +
        '<text:p text:style-name="P1">Cells</text:p><text:table-of-content><text:p>Contents</text:p></text:table-of-content>' +
        '<text:p>Text &lt;b&gt;<office:annotation><text:p>remark</text:p></office:annotation> # 1</text:p>',
      { styles: '<style:style style:name="P1" style:parent-style-name="Title"/>' },
    );

    expect(title).to.equal('Cells');
    expect(pages[0]?.markdown).to.equal('# Cells\n\nText <b> # 1');
  });
});

describe('the words of an OpenDocument text', () => {
  const odt = async (body: string, styles = '') =>
    await markdownOf('a.odt', await aZip(openDocumentParts('text', body, { styles })));

  it('are not joined with what a picture is called, nor with how they are pronounced', async () => {
    expect(
      await odt(
        '<text:p>Seen<draw:frame><svg:title>Cell</svg:title><svg:desc>A drawing</svg:desc></draw:frame>here: <text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby></text:p>',
      ),
    ).to.equal('Seen Cell A drawing here: 漢');
  });

  it('stay above the line and in their columns where they are seen so', async () => {
    const style =
      '<style:style style:name="T1"><style:text-properties style:text-position="super 58%"/></style:style>';
    const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
    const row = (cells: string) => `<table:table-row>${cells}</table:table-row>`;
    const spanned = `${cell('abc')}<table:covered-table-cell table:number-columns-repeated="2"/>${cell('d')}`;

    expect(
      await odt(
        '<text:p>10<text:span text:style-name="T1">23</text:span> <text:span>x</text:span></text:p>',
        style,
      ),
    ).to.equal('10²³ x');
    expect(
      await odt(
        `<table:table>${row(cell('A') + cell('B') + cell('C') + cell('D'))}${row(spanned)}</table:table>`,
      ),
    ).to.equal('| A | B | C | D |\n| --- | --- | --- | --- |\n| abc |  |  | d |');
  });
});

describe('an OpenDocument presentation', () => {
  const slide = (title: string, rest = '') =>
    `<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>${title}</text:p></draw:text-box></draw:frame>${rest}</draw:page>`;

  it('gives a page for each slide, with what the speaker noted and without its number', async () => {
    const rest =
      '<draw:frame presentation:class="outline"><draw:text-box><text:list><text:list-item><text:p>nucleus</text:p></text:list-item></text:list></draw:text-box></draw:frame>' +
      '<draw:custom-shape><text:p>A shape</text:p></draw:custom-shape>' +
      '<draw:frame presentation:class="page-number"><draw:text-box><text:p>7</text:p></draw:text-box></draw:frame>' +
      '<presentation:notes><draw:page-thumbnail presentation:class="page"/><draw:frame presentation:class="notes"><draw:text-box><text:p>Ask them.</text:p></draw:text-box></draw:frame></presentation:notes>';
    const parts = openDocumentParts('presentation', slide('Cells', rest) + slide('') + slide('Third'));

    const { format, title, pages, pageCount } = await extracted('a.odp', await aZip(parts));

    expect({ format, title, pageCount }).to.deep.equal({ format: 'odp', title: 'Cells', pageCount: 3 });
    expect(pages).to.deep.equal([
      { page: 1, markdown: '# Cells\n\n- nucleus\n\nA shape\n\nNotes:\n\nAsk them.' },
      { page: 3, markdown: '# Third' },
    ]);
  });

  it('is refused when it has more slides than are allowed', async () => {
    const parts = openDocumentParts('presentation', slide('a').repeat(3));

    expect(await refusalOf(extracted('a.odp', await aZip(parts), { pages: 2 }))).to.contain(
      'has 3 slides; at most 2',
    );
  });
});

describe('an e-book', () => {
  it('gives its chapters in the order in which they are read, without its list of them', async () => {
    const chapters = {
      z: '<h1>One</h1><p><a id="p1"/>Leaves&#160;are green.</p>',
      a: '<h1>Two</h1><p>Water &amp; light.</p>',
    };

    const { format, title, pages, pageCount } = await extracted(
      'a.epub',
      await aZip(epubParts(chapters, 'Plants')),
    );

    expect({ format, title, pageCount }).to.deep.equal({
      format: 'epub',
      title: 'Plants',
      pageCount: undefined,
    });
    expect(pages.map(({ markdown }) => markdown.replace(/\u00A0/g, ' '))).to.deep.equal([
      '# One\n\nLeaves are green.',
      '# Two\n\nWater & light.',
    ]);
  });

  it('keeps the heads of its chapters, their notes and their boxes', async () => {
    const chapter =
      '<header><h1>One</h1></header><p>Text.</p><aside epub:type="footnote"><p>A note.</p></aside><form><p>A task.</p></form>';

    expect(await markdownOf('a.epub', await aZip(epubParts({ one: chapter })))).to.equal(
      '# One\n\nText.\n\nA note.\n\nA task.',
    );
  });

  it('is refused when it is protected against copying, which fonts that are hidden are not', async () => {
    const parts = epubParts({ one: '<p>Text.</p>' });
    const withLock = async (algorithm: string, uri: string) =>
      await aZip({
        ...parts,
        'META-INF/encryption.xml': `<encryption xmlns:enc="x"><enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/><enc:CipherData><enc:CipherReference URI="${uri}"/></enc:CipherData></enc:EncryptedData></encryption>`,
      });
    const locked = await withLock('http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'OEBPS/text/one.xhtml');
    const font = await withLock('http://www.idpf.org/2008/embedding', 'OEBPS/font.otf');

    expect(await refusalOf(extracted('a.epub', locked))).to.contain('protected against copying (DRM)');
    expect(await markdownOf('a.epub', font)).to.equal('Text.');
  });

  it('tells of a chapter that is missing, and reads the others', async () => {
    const { 'OEBPS/text/one.xhtml': _, ...parts } = epubParts({ one: '', two: '<p>Text.</p>' });

    const { pages, faults } = await extracted('a.epub', await aZip(parts));

    expect(pages).to.deep.equal([{ page: undefined, markdown: 'Text.' }]);
    expect(faults).to.deep.equal([
      { message: 'Part 1 of the e-book could not be read.', code: 'chapter_unread', values: ['1'] },
    ]);
  });

  it('takes nothing from entities that a chapter defines', async () => {
    const parts = epubParts({ one: '<p>Text.</p>' });
    const chapter =
      '<!DOCTYPE html [<!ENTITY a "boom"><!ENTITY b "&a;&a;">]><html><body><p>x &b;</p></body></html>';

    const markdown = await markdownOf('a.epub', await aZip({ ...parts, 'OEBPS/text/one.xhtml': chapter }));

    expect(markdown).not.to.contain('boom boom').and.not.to.contain('boomboom');
  });
});

describe('an RTF document', () => {
  const rtf = async (body: string) => await markdownOf('a.rtf', `{\\rtf1\\ansi\\ansicpg1252 ${body}}`);

  it('keeps headings, lists and tables, and its title', async () => {
    const { format, title, pages } = await extracted(
      'a.rtf',
      '{\\rtf1\\ansi{\\stylesheet{\\s0 Normal;}{\\s2 heading 1;}}{\\info{\\title Biology 1}{\\author Ane}}' +
        '\\pard\\s2 Cells\\par\\pard All that lives has cells.\\par{\\listtext\\bullet\\tab}nucleus\\par{\\listtext\\bullet\\tab}membrane\\par' +
        '\\pard\\outlinelevel1 Parts\\par' +
        '\\trowd\\pard\\intbl Part\\cell Task\\cell\\row\\pard\\intbl nucleus\\cell keeps\\par DNA\\cell\\row\\pard After.\\par}',
    );

    expect({ format, title }).to.deep.equal({ format: 'rtf', title: 'Biology 1' });
    expect(pages[0]?.markdown).to.equal(
      '# Cells\n\nAll that lives has cells.\n\n- nucleus\n- membrane\n\n## Parts\n\n' +
        '| Part | Task |\n| --- | --- |\n| nucleus | keeps DNA |\n\nAfter.',
    );
  });

  it('reads letters of every alphabet: by code page, by font and in Unicode', async () => {
    const fonts =
      '{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset238 Arial CE;}{\\f2\\fcharset204 Arial Cyr;}{\\f3\\fcharset128 Mincho;}}';

    expect(await rtf(`${fonts}L\\'92aigua \\'80 \\endash{}x`)).to.equal('L’aigua € –x');
    expect(await rtf(`${fonts}{\\f1 \\'b9\\'ea} {\\f2 \\'cf\\'f0\\'e8} {\\f3 \\'93\\'fa}`)).to.equal(
      'ąę При 日',
    );
    expect(await rtf("\\u8364? \\uc2\\u26085\\'93\\'fa{\\uc0\\u26412}\\uc1 \\u-10179?\\u-8704?")).to.equal(
      '€ 日本😀',
    );
    expect(await markdownOf('a.rtf', "{\\rtf1\\ansi\\ansicpg1251 \\'cf\\'f0\\'e8}")).to.equal('При');
  });

  it('joins no words at columns, soft line ends and cells within cells, and keeps powers above the line', async () => {
    expect(
      await rtf('one\\column two\\softline three\\lbr0 four 10{\\super 23} m\\super 2\\nosupersub 5'),
    ).to.equal('one two three four 10²³ m²5');
    expect(await rtf('\\trowd\\pard\\intbl a\\cell b\\nestcell c\\nestcell d\\cell\\row\\pard')).to.equal(
      '| a | b c d |\n| --- | --- |',
    );
  });

  it('leaves out pictures, instructions of fields, hidden and deleted text, whatever bytes they are', async () => {
    expect(
      await rtf(
        'a{\\pict\\wmetafile8 010203}{\\*\\unknown b}{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt c}}{\\v d}{\\deleted e}{\\pict\\bin4 }}}}}f',
      ),
    ).to.equal('acf');
  });

  it('is read as far as it goes when it breaks off, and says so', async () => {
    const { pages, faults } = await extracted('a.rtf', '{\\rtf1\\ansi {\\b Text');

    expect(pages[0]?.markdown).to.equal('Text');
    expect(faults[0]?.message).to.contain('breaks off before its end');
  });

  it('is refused when it is nested without end', async () => {
    expect(await refusalOf(extracted('a.rtf', `{\\rtf1${'{'.repeat(200_000)}`))).to.contain('is damaged');
  });
});
