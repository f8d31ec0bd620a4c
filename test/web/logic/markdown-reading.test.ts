import { expect } from 'chai';
import { createBlockReader } from '../../../web/src/markdown/parse.js';
import { exceedsSizeLimit } from '../../../web/src/markdown/size-limit.js';

const read = (text: string) => createBlockReader(3)(text, { isGrowing: false });
const growing = (text: string) => createBlockReader(3)(text, { isGrowing: true });

describe('Markdown', () => {
  it('never becomes tags but our own', () => {
    const html = read('<b>x</b> <script>1</script>\n\n<div>\n**a**\n</div>\n\n<!-- x -->').join('');

    expect(new Set(html.match(/<\w+/g))).to.deep.equal(new Set(['<p', '<strong']));
    expect(html).to.include('&lt;script&gt;');
  });

  it('tells formulas from prices and from code', () => {
    const html = read('It costs $5 and $10, $x_1*y*z$, \\(a\\), \\[b\\], $$c$$ and `$d$`.').join('');

    expect([...html.matchAll(/data-math="(\w+)">([^<]*)/g)].map(([, how, tex]) => [how, tex])).to.deep.equal([
      ['inline', 'x_1*y*z'],
      ['inline', 'a'],
      ['display', 'b'],
      ['display', 'c'],
    ]);
    expect(html).to.include('$5 and $10');
  });

  it('marks citations, which no definition in the text can turn into links', () => {
    const html = read(
      'a [1], [2][3], [1–3], 【4】, [5](https://x.test) `[6]`\n\n[1]: https://evil.test',
    ).join('');

    expect([...html.matchAll(/data-cite>([^<]*)/g)].map(([, mark]) => mark)).to.deep.equal([
      '[1]',
      '[2]',
      '[3]',
      '[1–3]',
      '【4】',
    ]);
    expect(html).not.to.include('evil');
  });

  it('keeps headings in order below the page’s own', () => {
    const levels = read('### A\n\n##### B\n\n# C\n\n## D\n\n###### E').join('').match(/<h\d/g);

    expect(levels).to.deep.equal(['<h3', '<h4', '<h3', '<h4', '<h5']);
  });

  it('does not change its mind about what is still being written', () => {
    expect(growing('Text:\n-')).to.deep.equal(['<p>Text:</p>\n']);
    expect(growing('Text:\n---')).to.deep.equal(['<p>Text:</p>\n']);
    expect(growing('$$\n\\frac{a_b*c*')).to.deep.equal([
      '<p><span data-math="open">\\frac{a_b*c*</span></p>',
    ]);
    expect(growing('```js\nlet **a').join('')).to.equal('<pre><code data-lang="js">let **a</code></pre>');
    expect(read('They asked $$ for it').join('')).to.equal('<p>They asked $$ for it</p>\n');
  });

  it('comes out the same however it came in', () => {
    const text =
      '# A\n\nSome *text* $x$ [1].\n\n- a\n- b\n\n  c\n\n1. x\n\n```js\na\n\nb\n```\n\n$$\na\n$$\n\n### B\n\n> q\n\n|a|b|\n|-|-|\n|c|d|\n\n**end**\n';
    const reader = createBlockReader(3);

    for (let end = 1; end <= text.length; end += 3) reader(text.slice(0, end), { isGrowing: true });
    const blocks = reader(text, { isGrowing: true });

    expect(blocks).to.deep.equal(read(text));
  });

  it('that was written to keep a browser busy is shown as it is, at once', () => {
    const bombs = [
      '>'.repeat(5_000),
      '['.repeat(20_000),
      '**a '.repeat(10_000),
      '$a'.repeat(10_000),
      '\\('.repeat(9_000),
    ];
    const deep = Array.from({ length: 300 }, (_, i) => `${' '.repeat(i * 2)}- a`).join('\n');
    const long = `\`\`\`\n${'[x] '.repeat(10_000)}\n\`\`\``;

    for (const bomb of [...bombs, deep, 'x'.repeat(300_000)]) {
      expect(read(bomb)).to.have.length(1);
      expect(read(bomb)[0]).to.match(/^<pre><code>/);
    }
    expect(exceedsSizeLimit(long)).to.equal(false);
  });
});
