import { expect } from 'chai';
import fc from 'fast-check';
import { fillTemplate, parseTemplate } from '../../agents/prompt/compose.js';

describe('a prompt template', () => {
  it('is taken apart without losing a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', 'a', '_', '1', ' ', '$', '&', '\\', '\n', 'é') }),
        (template) => {
          expect(fillTemplate(parseTemplate(template), () => undefined)).to.equal(template);
        },
      ),
    );
  });

  it('takes whatever is put in as it is, however much it looks like a placeholder', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{a}', '{b}', '$&', '$1', '}', '{', 'x') }),
        fc.string(),
        (a, b) => {
          expect(fillTemplate(parseTemplate('<{a}|{b}>'), (name) => (name === 'a' ? a : b))).to.equal(
            `<${a}|${b}>`,
          );
        },
      ),
    );
  });

  it('takes time in proportion to its length: 10 MB and 100 000 placeholders', () => {
    const template = `${'{context}'.repeat(100_000)}${'{'.repeat(5_000_000)}${'{a'.repeat(2_000_000)}`;

    const filled = fillTemplate(parseTemplate(template), () => 'x');

    expect(filled).to.have.length(100_000 + 9_000_000);
  });
});
