import { expect } from 'chai';
import fc from 'fast-check';
import { createNamer } from '../../agents/gate/toolbox.js';
import { normalizeToolCalls } from '../../agents/tool-loop.js';

describe('function names', () => {
  it('are what providers accept, and unique, whatever authors call their tools', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string(), fc.option(fc.string(), { nil: undefined })), { maxLength: 40 }),
        (wishes) => {
          const nameFor = createNamer();

          const names = wishes.map(([wanted, alternative]) => nameFor(wanted, alternative));

          expect(new Set(names).size).to.equal(names.length);
          for (const name of names) expect(name).to.match(/^[A-Za-z0-9_-]{1,64}$/);
        },
      ),
    );
  });
});

describe('tidied calls', () => {
  const anyCall = fc.record({
    id: fc.constantFrom('', 'a', 'b', 'call_1_1'),
    name: fc.constantFrom('f', 'g'),
    arguments: fc.constantFrom('{}', '{"x":1}'),
  });

  it('have ids of their own, and lose only what was said twice', () => {
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 20 }), (calls) => {
        const tidy = normalizeToolCalls(calls, 1);

        const distinct = new Set(calls.map(({ name, arguments: text }) => `${name}${text}`));
        expect(new Set(tidy.map(({ id }) => id)).size).to.equal(tidy.length);
        expect(new Set(tidy.map(({ name, arguments: text }) => `${name}${text}`))).to.deep.equal(distinct);
        expect(tidy.every(({ id }) => id !== '')).to.equal(true);
      }),
    );
  });
});
