import { expect } from 'chai';
import fc from 'fast-check';
import { highlight } from '../../../web/src/knowledge/highlight.js';
import { anyCharacter } from '../../core/any-character.js';

const hits = (text: string, question: string) =>
  highlight(text, question)
    .filter(({ isHit }) => isHit)
    .map(({ text: piece }) => piece);

describe('the words of a question are marked in a text', () => {
  it('whatever their case, their accents and their endings', () => {
    expect(hits('Photosynthetic cells', 'photosynthesis')).to.deep.equal(['Photosynthetic']);
    expect(hits('Limits of a CÈL·LULA: one limit, two cells.', 'límit cells')).to.deep.equal([
      'Limits',
      'limit',
      'cells',
    ]);
  });

  it('but not words that only begin alike, nor those that say nothing', () => {
    expect(hits('The planet is in a planar orbit.', 'What is the plan?')).to.deep.equal([]);
    expect(hits('Carbon is in the carbohydrate.', 'carbon')).to.deep.equal(['Carbon']);
  });

  it('and all of them when none says anything', () => {
    expect(hits('To be or not', 'to be')).to.deep.equal(['To', 'be']);
  });

  it('without changing a letter of the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (text, question) => {
        const whole = highlight(text, question)
          .map(({ text: piece }) => piece)
          .join('');
        expect(whole).to.equal(text);
      }),
    );
  });
});
