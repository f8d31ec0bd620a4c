import { expect } from 'chai';
import fc from 'fast-check';
import { jsonDiff } from '../../src/http/assistants/versions.js';

const NOTHING = { added: [], removed: [], changed: [] };

describe('jsonDiff', () => {
  it('finds nothing between a value and itself', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonDiff(value, structuredClone(value))).to.deep.equal(NOTHING);
      }),
    );
  });

  it('finds the same places both ways, with what was added removed and the other way round', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const [there, back] = [jsonDiff(a, b), jsonDiff(b, a)];
        expect(there.added).to.have.deep.members([...back.removed]);
        expect(there.removed).to.have.deep.members([...back.added]);
        expect(there.changed.map(({ path }) => path)).to.have.members(back.changed.map(({ path }) => path));
      }),
    );
  });

  it('names each place by its path, also under keys that are no names', () => {
    const before = { a: { b: [1, { c: 2 }] }, 'odd "key"': 1, list: [1, 2] };
    const after = { a: { b: [1, { c: 3 }] }, 'odd "key"': 2, list: [1] };

    expect(jsonDiff(before, after)).to.deep.equal({
      added: [],
      removed: [{ path: '$.list[1]', value: 2 }],
      changed: [
        { path: '$.a.b[1].c', from: 2, to: 3 },
        { path: '$["odd \\"key\\""]', from: 1, to: 2 },
      ],
    });
  });

  it('takes a list for something else than an object with the same keys', () => {
    expect(jsonDiff({ x: ['a'] }, { x: { 0: 'a' } }).changed).to.have.length(1);
  });

  it('reads keys that JavaScript has a meaning for as keys like any other', () => {
    const [before, after] = ['{"__proto__":1}', '{"__proto__":2,"constructor":1}'].map(
      (text) => JSON.parse(text) as object,
    );

    expect(jsonDiff(before, after)).to.deep.equal({
      added: [{ path: '$.constructor', value: 1 }],
      removed: [],
      changed: [{ path: '$.__proto__', from: 1, to: 2 }],
    });
  });
});
