import { expect } from 'chai';
import { createLineBuffer, LONGEST_LINE } from '../../src/log.js';

function aBuffer() {
  const written: string[] = [];
  return { written, lines: createLineBuffer({ write: (text: string) => written.push(text) }) };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the buffer of log lines', () => {
  it('writes the lines of one turn in one piece, in their order, and those of the next in another', async () => {
    const { lines, written } = aBuffer();

    lines.write('a\n');
    lines.write('b\n');
    const atOnce = [...written];
    await nextTurn();
    lines.write('c\n');
    await nextTurn();

    expect(atOnce).to.deep.equal([]);
    expect(written).to.deep.equal(['a\nb\n', 'c\n']);
  });

  it('never writes more in one piece than a pipe takes whole, counted in bytes', async () => {
    const { lines, written } = aBuffer();
    const line = `${'é'.repeat(LONGEST_LINE / 2 - 1)}\n`;

    for (let i = 0; i < 3; i++) lines.write(line);
    await nextTurn();

    expect(written).to.deep.equal([line, line, line]);
    expect(Buffer.byteLength(line)).to.be.at.most(LONGEST_LINE);
  });

  it('fills a piece to the last byte', async () => {
    const { lines, written } = aBuffer();
    const half = `${'x'.repeat(LONGEST_LINE / 2 - 1)}\n`;

    for (let i = 0; i < 4; i++) lines.write(half);
    await nextTurn();

    expect(written.map((text) => text.length)).to.deep.equal([LONGEST_LINE, LONGEST_LINE]);
  });

  it('writes what waits when it is told to, once', async () => {
    const { lines, written } = aBuffer();

    lines.write('last words\n');
    lines.flush();
    lines.flush();
    await nextTurn();

    expect(written).to.deep.equal(['last words\n']);
  });
});
