import { expect } from 'chai';
import fc from 'fast-check';
import { createRedactor } from '../../src/core/base/redactor.js';
import { createSharedLogger, LONGEST_LINE, shortLine } from '../../src/log.js';
import { anyCharacter } from '../core/any-character.js';

describe('a line that several processes write to one place', () => {
  it('stays as it is when it fits', () => {
    const line = `${JSON.stringify({ pid: 1, note: 'é'.repeat(1000) })}\n`;

    expect(shortLine(line)).to.equal(line);
  });

  it('is cut to what is written in one piece, and is still JSON with its message', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, minLength: 4000, maxLength: 9000 }), (note) => {
        const lines: string[] = [];
        const log = createSharedLogger('info', createRedactor(), { write: (line) => lines.push(line) }, 7);

        log.info({ note, faults: [note, note] }, 'what happened');

        const [line = ''] = lines;
        expect(lines).to.have.length(1);
        expect(Buffer.byteLength(line)).to.be.at.most(LONGEST_LINE);
        expect(line.indexOf('\n')).to.equal(line.length - 1);
        expect(JSON.parse(line)).to.include({ pid: 7, msg: 'what happened', cut: true });
      }),
      { numRuns: 20 },
    );
  });
});
