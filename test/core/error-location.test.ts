import { expect } from 'chai';
import fc from 'fast-check';
import { AppError, notFound } from '../../src/core/errors.js';
import { errorLocation } from '../../src/core/log.js';

describe('where something broke', () => {
  it('is told by kind, code and places within the program', () => {
    const fault = Object.assign(new TypeError('no matter'), { code: 'ENOENT' });

    expect(errorLocation(fault)).to.match(/^TypeError ENOENT at \S*:\d+:\d+/);
    expect(errorLocation(fault)).not.to.match(/no matter|\/home|\/work|file:/);
  });

  it('names files from the folder of the program on, and others not at all', () => {
    const stack = [
      'Error: x',
      '    at run (/srv/app/dist/src/http/app.js:10:5)',
      '    at async file:///srv/app/node_modules/@scope/lib/index.mjs:3:1',
      '    at node:internal/process/task_queues:95:5',
      '    at tell (/home/ada/secret-project/x.js:1:2)',
    ].join('\n');

    expect(errorLocation(Object.assign(new Error('x'), { stack }))).to.equal(
      'Error at dist/src/http/app.js:10:5 at node_modules/@scope/lib/index.mjs:3:1 at node:internal/process/task_queues:95:5 at …:1:2',
    );
  });

  for (const [what, code] of Object.entries({
    text: 'canary',
    number: 1234567,
    object: { a: 'canary' },
    name: 'ECANARY',
  })) {
    it(`leaves out a code that is no code but a ${what}`, () => {
      expect(errorLocation(Object.assign(new Error('x'), { code, stack: '' }))).to.equal('Error');
    });
  }

  it('never tells a word of whoever threw, and never throws', () => {
    const word = fc.string({ minLength: 8, maxLength: 20 }).map((text) => `canary${text}`);
    const stack = fc.array(
      fc.tuple(
        fc.constantFrom('', '    at ', '    at x (', ' '),
        word,
        fc.constantFrom('', ':1:1', ':1:1)', ')'),
      ),
    );
    fc.assert(
      fc.property(word, word, word, stack, (name, code, message, lines) => {
        const own = lines.map((parts) => parts.join('')).join('\n');
        const fault = Object.assign(new Error(message), { name, code, stack: own });

        expect(errorLocation(fault)).not.to.include('canary');
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (thrown) => {
        expect(errorLocation(thrown)).to.be.a('string');
      }),
    );
  });
});

describe('an error that may be shown', () => {
  it('is one that the service made, and nothing that only looks like it', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();

    expect(notFound('x')).to.be.instanceOf(AppError);
    for (const other of [
      proxy,
      new Proxy(notFound('x'), {}),
      Object.create(AppError.prototype),
      new Error('x'),
      null,
      1,
    ]) {
      expect(other instanceof AppError).to.equal(false);
    }
  });
});
