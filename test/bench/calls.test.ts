import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { BELLWETHER } from '../../bench/calls/contenders.js';
import { measureCalls } from '../../bench/calls/measure.js';
import { readPythonCall } from '../../bench/calls/python-call.js';
import { readCases } from '../../bench/calls/read-cases.js';
import { tallyOf } from '../../bench/calls/tally.js';

const OWN = fileURLToPath(new URL('../../bench/calls/own', import.meta.url));

describe('counting calls of functions', function () {
  this.timeout(60_000);

  it('reads the collection as it is published: names, types, what may be left out, conversations', async () => {
    const cases = await readCases(OWN);
    const of = (id: string) => cases.find((each) => each.id === id);

    expect(cases.map(({ category }) => category)).to.have.members([
      ...['simple', 'simple', 'simple', 'multiple', 'parallel', 'parallel', 'multi_turn_base'],
    ]);
    expect(of('simple_2')?.turns[0]?.calls).to.deep.equal([
      {
        name: 'enter_mark',
        arguments: { student: 'Ada', mark: 9.5, details: { course: 'Biology', tries: 2 } },
      },
    ]);
    expect(of('simple_2')?.functions[0]?.parameters).to.have.nested.property(
      'properties.mark.type',
      'number',
    );
    expect(of('multiple_0')?.turns[0]?.calls[0]?.arguments).to.deep.equal({
      building: 'library',
      hours: [12],
    });
    expect(of('simple_0')?.functions[0]?.name).to.equal('geometry_triangle_area');
    expect(of('multi_turn_base_0')?.turns.map(({ calls }) => calls.length)).to.deep.equal([2, 1, 0]);
    expect(readPythonCall(`a.b(x=[1, -2.5], y={'k': True}, z=None, w="it's \\"so\\"")`)).to.deep.equal({
      ...{ name: 'a.b', arguments: { x: [1, -2.5], y: { k: true }, z: null, w: `it's "so"` } },
    });
  });

  it('tells what is mangled from what is lost and from what nobody should have carried out', () => {
    const [one, two] = ['a', 'b'].map((name) => ({ name, arguments: { n: 1 } }));
    const right = [one!, two!];

    expect(tallyOf({ says: [], right, wrong: 0 }, [two!, one!])).to.include({ right: 2, lost: 0 });
    expect(tallyOf({ says: [], right, wrong: 0 }, [{ name: 'a', arguments: {} }])).to.deep.equal({
      ...{ right: 0, mangled: 1, lost: 1, refused: 0, carriedOut: 0 },
    });
    expect(tallyOf({ says: [], right: [], wrong: 1 }, [])).to.include({ refused: 1, carriedOut: 0 });
    expect(tallyOf({ says: [], right: [], wrong: 1 }, [one!])).to.include({ refused: 0, carriedOut: 1 });
  });

  it('finds that the service passes on every right call as it was made, and none of a function that is not there', async () => {
    const found = await measureCalls(await readCases(OWN), BELLWETHER);

    // Whether its own functions have all they need is for the program to say: arguments reach it as they were written.
    expect(Object.fromEntries(found)).to.deep.equal({
      multi_turn_base: { right: 3, refused: 2, mangled: 0, lost: 0, carriedOut: 1 },
      multiple: { right: 1, refused: 2, mangled: 0, lost: 0, carriedOut: 1 },
      parallel: { right: 4, refused: 4, mangled: 0, lost: 0, carriedOut: 2 },
      simple: { right: 3, refused: 6, mangled: 0, lost: 0, carriedOut: 3 },
    });
  });
});
