import { expect } from 'chai';
import { extracted, markdownOf } from '../../support/extracting.js';

/** Those that the WHATWG names for Western and Central Europe, by a label, with bytes and what they say. */
const ENCODED = [
  ['windows-1252', '4c92616967756120962093313020809485', 'L’aigua – “10 €”…'],
  ['iso-8859-1', '4c92616967756120962093313020809485', 'L’aigua – “10 €”…'],
  ['us-ascii', '6c92e974e9', 'l’été'],
  [
    'windows-1250',
    'a3f3649f2c2050f8ed6c699a209620849e6c759d6f75e86bfd942031302080',
    'Łódź, Příliš – „žluťoučký” 10 €',
  ],
  ['windows-1254', 'ddf06e65209220fe656b657220352080', 'İğne ’ şeker 5 €'],
  ['iso-8859-9', 'fdfefd6b2093f094', 'ışık “ğ”'],
  ['windows-1257', 'c0fe756f6c6173209620ed697273697320332080', 'Ąžuolas – ķirsis 3 €'],
  ['iso-8859-2', 'a3f364bc2c2050f8ed6c69b920be6c75bb6f75e86bfd', 'Łódź, Příliš žluťoučký'],
  ['iso-8859-3', 'd5656e622065b66ffe616ef86f', 'Ġenb eĥoŝanĝo'],
  ['iso-8859-4', 'a9f3ba727369656c6120bf', 'Šķērsiela ŋ'],
  ['iso-8859-10', 'def3727220aab6b2646520bf', 'Þórr Šķēde ŋ'],
  ['iso-8859-13', 'c0fe756f6c617320a5ed6972736973a1', 'Ąžuolas „ķirsis”'],
  ['iso-8859-14', 'd0796e656220a220b8', 'Ŵyneb ḃ ẁ'],
  ['iso-8859-15', 'bc7576726520e020313020a42c20a6706f7274', 'Œuvre à 10 €, Šport'],
  ['iso-8859-16', 'aa7469696efee320a5fe6172e3b520313020a4', 'Știință „țară” 10 €'],
  ['macintosh', '4cd58e748e20d020d2cf75767265d320313020db', 'L’été – “œuvre” 10 €'],
] as const;

describe('a web page', () => {
  it('is read without what surrounds its text, runs or is hidden', async () => {
    const page = `<!doctype html><html><head><title> Cells &amp; more </title><style>p{}</style></head><body>
      <header>Our school</header><nav>Home</nav><aside>PeerMessage</aside><form><label>Search</label></form>
      <h1>Cells</h1><p>All that <b>lives</b> has <a href="https://example.org/x">cells</a>.<script>alert(1)</script></p>
      <p hidden>secret</p><img src="https://example.org/a.png" alt="A cell"><footer>Imprint</footer></body></html>`;

    const { format, title, pages } = await extracted('a.html', page);

    expect({ format, title }).to.deep.equal({ format: 'html', title: 'Cells & more' });
    expect(pages[0]?.markdown).to.equal('# Cells\n\nAll that lives has cells.\n\nA cell');
  });

  it('is read from its main part where it has one, with the header in it', async () => {
    const page =
      '<html><body><div>Cookies!</div><main><article><header><h2>Cells</h2></header><p>Text.</p></article></main></body></html>';

    expect(await markdownOf('a.html', page)).to.equal('## Cells\n\nText.');
  });

  it('keeps tables as tables, code as code, and lists in their levels', async () => {
    const page = `<html><body><table><tr><th>Part</th><th>Task</th></tr><tr><td><p>a|b</p><p>c</p></td><td>2</td></tr></table>
      <pre class="x"><code class="language-py">if a:\n    <span>b</span>()</code></pre><pre>plain\n  code</pre>
      <ul><li>one<ul><li>inner</li></ul></li></ul><ol start="3"><li>three</li><li>four</li></ol></body></html>`;

    expect(await markdownOf('a.html', page)).to.equal(
      [
        '| Part | Task |\n| --- | --- |\n| a\\|b c | 2 |',
        '```py\nif a:\n    b()\n```',
        '```\nplain\n  code\n```',
        '- one\n  - inner',
        '3. three\n4. four',
      ].join('\n\n'),
    );
  });

  it('keeps each cell in the column it is seen in when one reaches over several rows', async () => {
    const page =
      '<html><body><table><tr><th>Day<th>Time<th>Subject</tr><tr><td rowspan="2">Monday<td>9:00<td>Maths</tr><tr><td>10:00<td>Physics</tr>' +
      `<tr><td>Friday<td>9:00<td rowspan="2">${'Trip '.repeat(50)}</tr><tr><td colspan="2">Friday, later</tr></table></body></html>`;

    expect((await markdownOf('a.html', page)).split('\n').slice(2)).to.deep.equal([
      '| Monday | 9:00 | Maths |',
      '| Monday | 10:00 | Physics |',
      `| Friday | 9:00 | ${'Trip '.repeat(50)}|`,
      '| Friday, later |  |  |',
    ]);
  });

  it('keeps powers above the line, formulas in a line and the lines of code', async () => {
    const page =
      '<html><body><p>10<sup>23</sup>, e<sup>-x</sup>, 1<sup>st</sup>, said<sup><a href="#n">4</a></sup>, H<sub>2</sub>O</p>' +
      '<p><math><mfrac><mn>1</mn><mrow><mi>a</mi><mo>+</mo><msup><mi>b</mi><mn>2</mn></msup></mrow></mfrac></math></p>' +
      '<pre>one<br>two</pre></body></html>';

    expect(await markdownOf('a.html', page)).to.equal(
      '10²³, e^(-x), 1st, said4, H2O\n\n1/(a+b^2)\n\n```\none\ntwo\n```',
    );
  });

  it('is read in full when tables only place its text, or a form is all of it', async () => {
    const page =
      '<html><body><form><table><tr><td><h1>Cells</h1></td><td><p>Text.</p></td></tr></table></form></body></html>';

    expect(await markdownOf('a.html', page)).to.equal('# Cells\n\nText.');
  });

  it('is read in the encoding that it declares', async () => {
    const page = Buffer.from(
      '<html><head><meta charset="iso-8859-2"></head><body><p>\xb1</p></body></html>',
      'latin1',
    );

    expect(await markdownOf('a.html', page)).to.equal('ą');
  });

  it('is not read as UTF-16 because it says so in bytes that are not', async () => {
    const page = '<html><head><meta charset="utf-16"></head><body><p>d’été</p></body></html>';

    expect(await markdownOf('a.html', page)).to.equal('d’été');
  });

  it('loses no character in any encoding of Western and Central Europe that it declares', async () => {
    const said = await Promise.all(
      ENCODED.map(([label, hex]) => {
        const head = Buffer.from(`<html><head><meta charset="${label}"></head><body><p>`);
        return markdownOf('a.html', Buffer.concat([head, Buffer.from(hex, 'hex'), Buffer.from('</p>')]));
      }),
    );

    expect(said).to.deep.equal(ENCODED.map(([, , text]) => text));
    const asXml = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-2"?><html><p>\xb1</p></html>',
      'latin1',
    );
    expect(await markdownOf('a.html', asXml)).to.equal('ą');
  });

  it('is known by its media type or its beginning when its name tells nothing', async () => {
    expect(await markdownOf('show.php', '<p>Text.</p>', 'text/html; charset=utf-8')).to.equal('Text.');
    expect(await markdownOf('a.txt', '<!DOCTYPE html><p>Text.</p>')).to.equal('Text.');
  });
});

describe('Markdown', () => {
  it('is kept as it is, without what stands before it for programs', async () => {
    const { format, title, pages } = await extracted(
      'a.md',
      '---\ntitle: "Cells"\ndraft: true\n---\n\n# One\n\n* a\n* b\n',
    );

    expect({ format, title }).to.deep.equal({ format: 'markdown', title: 'Cells' });
    expect(pages[0]?.markdown).to.equal('# One\n\n* a\n* b');
  });

  it('is not taken to begin with such a part when it begins with a rule', async () => {
    expect(await markdownOf('a.md', '---\nText after a rule.')).to.equal('---\nText after a rule.');
  });
});

describe('plain text', () => {
  it('is decoded by its mark, as UTF-8, as UTF-16, else as Windows writes it', async () => {
    const word = 'Größe';
    const written = [
      Buffer.from(word),
      Buffer.from(`\uFEFF${word}`),
      Buffer.from(`\uFEFF${word}`, 'utf16le'),
      Buffer.from(`\uFEFF${word}`, 'utf16le').swap16(),
      Buffer.from('Größe and more words', 'utf16le'),
      Buffer.from(word, 'latin1'),
    ];

    const texts = await Promise.all(written.map((bytes) => markdownOf('a.txt', bytes)));

    expect(texts).to.deep.equal([word, word, word, word, 'Größe and more words', word]);
  });

  it('keeps the quotation marks, dashes and euros that Windows writes, whatever its kind', async () => {
    const written = Buffer.from('4c92616967756120962093313020809485', 'hex');
    const names = ['a.txt', 'a.md', 'a.csv'];

    const texts = await Promise.all(
      names.map((name) => markdownOf(name, Buffer.concat([written, Buffer.from('\nx')]))),
    );

    for (const text of texts) expect(text).to.include('L’aigua – “10 €”…');
    const declared = ENCODED.map(([label, hex]) =>
      markdownOf('a.txt', Buffer.from(hex, 'hex'), `text/plain; charset=${label}`),
    );
    expect(await Promise.all(declared)).to.deep.equal(ENCODED.map(([, , text]) => text));
  });

  it('keeps paragraphs and lines, and is no Markdown even where it looks like it', async () => {
    const text = '# no heading\r\nsecond line\r\n\r\n\r\n\r\nTitle\n=====\n```\n#include\n1 - 2 * 3_4';

    expect(await markdownOf('a.txt', text)).to.equal(
      '\\# no heading\nsecond line\n\nTitle\n\\=====\n\\```\n#include\n1 - 2 * 3_4',
    );
  });

  it('loses NULs, control characters and halves of characters', async () => {
    const halves = Buffer.concat([
      Buffer.from('\uFEFFa', 'utf16le'),
      Buffer.from([0x00, 0xd8]),
      Buffer.from('b', 'utf16le'),
    ]);

    expect(await markdownOf('a.txt', 'a\0b\x07c\u00ADd and some more words around them')).to.equal(
      'abcd and some more words around them',
    );
    expect(await markdownOf('a.txt', halves)).to.match(/^a\uFFFD?b$/);
  });
});

describe('a CSV file', () => {
  it('gives each row with the names of its columns', async () => {
    const { format, pages } = await extracted('a.csv', 'Name,Town\nAda,London\n"Noether, Emmy",Erlangen\n');

    expect(format).to.equal('csv');
    expect(pages[0]?.markdown).to.equal('Name: Ada\nTown: London\n\nName: Noether, Emmy\nTown: Erlangen');
  });

  it('is read whether commas, semicolons or tabs part its columns', async () => {
    const rows = [
      ['Name', 'Says'],
      ['Ada', 'a, b; c'],
    ];
    const written = [
      rows.map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n'),
      rows.map((row) => row.map((cell) => `"${cell}"`).join(';')).join('\r\n'),
      rows.map((row) => row.join('\t')).join('\n'),
      'sep=;\nName;Says\nAda;"a, b; c"',
    ];

    for (const text of written) expect(await markdownOf('a.csv', text)).to.equal('Name: Ada\nSays: a, b; c');
  });

  it('tolerates rows that are too long, too short or empty, and missing names', async () => {
    expect(await markdownOf('a.csv', 'Name,\nAda,36,more\n\nEmmy\n')).to.equal(
      'Name: Ada\nColumn 2: 36\nColumn 3: more\n\nName: Emmy',
    );
    expect(await markdownOf('a.csv', '1,2\n3,4\n')).to.equal(
      'Column 1: 1\nColumn 2: 2\n\nColumn 1: 3\nColumn 2: 4',
    );
  });

  it('takes years, and names that recur, for names where values stand below them', async () => {
    expect(await markdownOf('a.csv', 'Country,2020,2021/22\nSpain,"1,5",2\n')).to.equal(
      'Country: Spain\n2020: 1,5\n2021/22: 2',
    );
    expect(await markdownOf('a.csv', 'Name,Mark,Why,Mark,Why\nAne,5,ok,6,good\n')).to.equal(
      'Name: Ane\nMark: 5\nWhy: ok\nMark: 6\nWhy: good',
    );
    expect(await markdownOf('a.csv', 'Ane,2001,2019\nJon,2002,2020\n')).to.contain('Column 2: 2001');
    expect(await markdownOf('a.csv', 'yes,no,yes\nno,no,yes\n')).to.contain('Column 1: yes');
  });

  it('is read although a quotation mark is never closed, and says so', async () => {
    const { pages, faults } = await extracted('a.csv', 'Name,Town\nAda,"London\nEmmy,Erlangen\n');

    expect(pages[0]?.markdown).to.contain('Name: Emmy\nTown: Erlangen');
    expect(faults.map(({ message }) => message)).to.deep.equal([
      'A quotation mark is never closed, so quotation marks were read as text.',
    ]);
  });
});
