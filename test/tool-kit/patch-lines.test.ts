import { expect } from 'chai';
import { type LineChange, patchLines, rangeOf } from '../../src/tool-kit/patch-lines.js';

const change = (
  line_start: number,
  line_end: number,
  old_content: string,
  new_content: string,
): LineChange => ({
  line_start,
  line_end,
  old_content,
  new_content,
});
const insert = (line: number, text: string) => change(line, line - 1, '', text);
const applied = (text: string, ...changes: LineChange[]) => {
  const outcome = patchLines(text, changes);
  return outcome.ok ? outcome.text : expect.fail(outcome.reason);
};
const refused = (text: string, ...changes: LineChange[]) => {
  const outcome = patchLines(text, changes);
  return outcome.ok ? expect.fail(`became ${JSON.stringify(outcome.text)}`) : outcome;
};

describe('a patch', () => {
  it('counts the lines of the file as it was, for all of its changes and in whatever order they come', () => {
    const text = 'one\ntwo\nthree\nfour\n';

    const changes = [change(4, 4, 'four', '4'), change(2, 2, 'two', '2a\n2b\n2c'), change(1, 1, 'one', '')];

    expect(applied(text, ...changes)).to.equal('2a\n2b\n2c\nthree\n4\n');
  });

  it('inserts before a line, before the first and after the last', () => {
    expect(applied('a\nb\n', insert(2, 'x'))).to.equal('a\nx\nb\n');
    expect(applied('a\nb\n', insert(1, 'x\ny\n'))).to.equal('x\ny\na\nb\n');
    expect(applied('a\nb\n', insert(3, 'x'))).to.equal('a\nb\nx\n');
  });

  it('keeps the order of insertions at one place, and puts them before what replaces the line', () => {
    const changes = [change(2, 2, 'b', 'B'), insert(2, 'first'), insert(2, 'second')];

    expect(applied('a\nb\n', ...changes)).to.equal('a\nfirst\nsecond\nB\n');
  });

  it('takes lines away when there is nothing new, and an empty line for a line break alone', () => {
    expect(applied('a\nb\nc\n', change(2, 2, 'b', ''))).to.equal('a\nc\n');
    expect(applied('a\nb\nc\n', change(2, 2, 'b', '\n'))).to.equal('a\n\nc\n');
    expect(applied('a\nb\n', change(1, 2, 'a\nb', ''))).to.equal('');
  });

  it('does not care whether contents end with a line break', () => {
    expect(applied('a\nb\n', change(1, 1, 'a\n', 'x\n'))).to.equal('x\nb\n');
    expect(applied('a\n\nb\n', change(1, 2, 'a\n', 'x'))).to.equal('x\nb\n');
    expect(applied('a\n\nb\n', change(1, 2, 'a\n\n', 'x'))).to.equal('x\nb\n');
  });

  it('keeps a text without a final line break without one, and one with it with it', () => {
    expect(applied('a\nb', change(2, 2, 'b', 'x\n'))).to.equal('a\nx');
    expect(applied('a\nb', insert(3, 'c\n'))).to.equal('a\nb\nc');
    expect(applied('a', insert(2, 'b'))).to.equal('a\nb');
    expect(applied('a\nb', change(2, 2, 'b', ''))).to.equal('a');
    expect(applied('a\nb\n', change(2, 2, 'b', 'x'))).to.equal('a\nx\n');
  });

  it('fills an empty file as it is told, with its own line breaks', () => {
    expect(applied('', insert(1, 'a\nb'))).to.equal('a\nb');
    expect(applied('', insert(1, 'a\r\nb\r\n'))).to.equal('a\r\nb\r\n');
    expect(applied('', insert(1, 'a\n'), insert(1, 'b'))).to.equal('a\nb');
    expect(applied('\uFEFF', insert(1, 'a\n'))).to.equal('\uFEFFa\n');
  });

  it('keeps CRLF, LF, lone CR and a mixture of them, and a byte order mark', () => {
    expect(applied('a\r\nb\r\nc\r\n', change(2, 2, 'b', 'x\ny'))).to.equal('a\r\nx\r\ny\r\nc\r\n');
    expect(applied('a\rb\rc\r', change(2, 2, 'b', 'x\ny'))).to.equal('a\rx\ry\rc\r');
    expect(applied('a\r\nb\nc\rd', change(1, 3, 'a\nb\nc', '1\n2\n3\n4'))).to.equal('1\r\n2\n3\r4\rd');
    expect(applied('a\r\nb\n', insert(2, 'x'))).to.equal('a\r\nx\r\nb\n');
    expect(applied('\uFEFFa\r\nb', change(1, 1, 'a', 'x'))).to.equal('\uFEFFx\r\nb');
  });

  it('takes other signs that look like line breaks for text', () => {
    const line = 'a\u2028b\u0085c\vd\fe';

    expect(applied(`${line}\nz\n`, change(2, 2, 'z', 'Z'))).to.equal(`${line}\nZ\n`);
  });

  const outside: Readonly<Record<string, LineChange>> = {
    'goes beyond the end': change(2, 4, 'b\nc', 'x'),
    'is wholly beyond the end': change(5, 5, '', 'x'),
    'inserts beyond the end': insert(5, 'x'),
    'begins at line 0': change(0, 0, '', 'x'),
    'inserts before line 0': change(0, -1, '', 'x'),
    'ends before it begins': change(3, 1, '', 'x'),
    'has half a line number': change(1.5, 2, '', 'x'),
    'has no line number': change(NaN, NaN, '', 'x'),
    'brings in half a character': change(1, 1, 'a', 'x\uD800'),
    'brings in a NUL': change(1, 1, 'a', 'x\0'),
  };
  for (const [fault, bad] of Object.entries(outside)) {
    it(`is refused whole when one change ${fault}`, () => {
      expect(refused('a\nb\nc\n', change(1, 1, 'a', 'A'), bad).stale).to.equal(false);
    });
  }

  it('is refused when changes overlap', () => {
    const text = 'a\nb\nc\nd\n';

    expect(refused(text, change(1, 2, 'a\nb', 'x'), change(2, 3, 'b\nc', 'y')).reason).to.contain('overlaps');
    expect(refused(text, change(2, 2, 'b', 'x'), change(2, 2, 'b', 'y')).reason).to.contain('overlaps');
    expect(refused(text, change(1, 3, 'a\nb\nc', 'x'), insert(2, 'y')).reason).to.contain('overlaps');
    expect(refused(text, change(1, 4, text, ''), change(3, 3, 'c', 'y')).reason).to.contain('overlaps');
    expect(applied(text, change(1, 2, 'a\nb', 'x'), change(3, 3, 'c', 'y'))).to.equal('x\ny\nd\n');
    expect(applied(text, change(1, 2, 'a\nb', 'x'), insert(3, 'y'))).to.equal('x\ny\nc\nd\n');
  });

  it('is stale when the lines are not what it takes them for', () => {
    const stale = [
      change(1, 1, 'b', 'x'),
      change(1, 1, 'a ', 'x'),
      change(1, 1, '', 'x'),
      change(1, 2, 'a', 'x'),
      change(1, 1, 'a\nb', 'x'),
      change(2, 1, 'a', 'x'),
      change(2, 1, '\n', 'x'),
    ];
    for (const each of stale) {
      expect(refused('a\nb\n', each), JSON.stringify(each)).to.include({ ok: false, stale: true });
    }
  });

  it('names the change that was refused by its number and lines', () => {
    expect(refused('a\nb\n', change(1, 1, 'a', 'x'), change(2, 2, 'c', 'y')).reason).to.match(
      /^Change 2 \(line 2\)/,
    );
    expect([insert(3, ''), change(3, 3, '', ''), change(3, 5, '', '')].map(rangeOf)).to.deep.equal([
      'before line 3',
      'line 3',
      'lines 3–5',
    ]);
  });

  it('of a large text takes well under a second', () => {
    const text = 'some words on a line\n'.repeat(250_000);
    const changes = Array.from({ length: 100 }, (_, i) =>
      change(i * 100 + 1, i * 100 + 1, 'some words on a line', 'x\ny'),
    );
    const startedAt = performance.now();

    const outcome = patchLines(text, changes);

    expect(outcome.ok).to.equal(true);
    expect(performance.now() - startedAt).to.be.lessThan(2000);
    expect(patchLines('x'.repeat(5_000_000), [insert(1, 'a')]).ok).to.equal(true);
  });
});
