import { expect } from 'chai';
import fc from 'fast-check';
import { plainText } from '../../src/core/base/text.js';

describe('plainText', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['<p>Good <b>work</b></p>', 'Good work'],
    ['<p>One</p><p>Two<br>Three</p>', 'One\nTwo\nThree'],
    [
      'a &amp; b &lt; c &#8211; d &#x2013; e&nbsp;f &unknown; &#99999999;',
      'a & b < c – d – e f &unknown; &#99999999;',
    ],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['x<script>alert("<p>y</p>")</script>z<style>p{}</style>', 'x z'],
    ['x<script>alert(1)', 'x'],
    ['<img src="data:image/png;base64,AAAA" alt="a">after', 'after'],
    ['see data:text/html,<b>x</b> there', 'see x there'],
    ['cut <img src="x', 'cut'],
    ['<!-- hidden --> shown', 'shown'],
    ['\u0000\u2028 a \r\n b ', 'a\nb'],
    ['', ''],
  ];
  for (const [html, text] of cases) {
    it(`reads ${JSON.stringify(html).slice(0, 60)} as ${JSON.stringify(text)}`, () => {
      expect(plainText(html, 1000)).to.equal(text);
    });
  }

  it('finds what stands behind a picture longer than all that is read', () => {
    const picture = `<img src="data:image/png;base64,${'A'.repeat(5_000_000)}">`;

    expect(plainText(`${picture}<p>Read me</p>`, 100)).to.equal('Read me');
  });

  it('is never longer than it may be, never cut inside a character, never slow', function () {
    this.timeout(60_000);
    const parts = fc.constantFrom(
      '<',
      '>',
      '<p',
      '<script>',
      '</script>',
      '&',
      '&#',
      ';',
      'data:',
      '😀',
      'a',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 200 }), fc.integer({ min: 2, max: 50 }), (pieces, longest) => {
        const text = plainText(pieces.join(''), longest);
        return text.length <= longest && Buffer.from(text).toString() === text && !/<script/i.test(text);
      }),
    );
    const started = Date.now();
    for (const piece of ['<', '<p ', '<script>', '</', '&#', 'data:', 'data:a,'])
      plainText(piece.repeat(2_000_000 / piece.length), 100);
    expect(Date.now() - started).to.be.lessThan(3_000);
  });
});
