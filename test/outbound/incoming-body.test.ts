import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { IncomingBody, type Sender } from '../../src/outbound/model-transport.js';

/** Notes what it is told. */
function aSender() {
  const told: string[] = [];
  const sender: Sender = {
    pause: () => told.push('pause'),
    resume: () => told.push('resume'),
    abort: ({ message }) => told.push(`abort: ${message}`),
  };
  return { sender, told };
}

function aBody() {
  const { sender, told } = aSender();
  const body = new IncomingBody();
  body.comesFrom(sender);
  const reader = body[Symbol.asyncIterator]();
  const next = async () => {
    const { done, value } = await reader.next();
    return done ? 'the end' : Buffer.from(value).toString();
  };
  const push = (text: string) => {
    body.push(Buffer.from(text));
  };
  return { body, reader, next, push, told };
}

const failure = (promise: Promise<unknown>) =>
  promise.then(String, (fault: unknown) => (fault as Error).message);

describe('an incoming body', () => {
  it('hands on all that has arrived at once, in its order, and then its end', async () => {
    const { body, next, push } = aBody();

    push('a');
    push('b');
    push('c');
    const first = await next();
    push('d');
    body.end();

    expect([first, await next(), await next(), await next()]).to.deep.equal([
      'abc',
      'd',
      'the end',
      'the end',
    ]);
  });

  it('hands on a piece that came alone as it is, without a copy', async () => {
    const { body, reader } = aBody();
    const bytes = Buffer.from('a');

    body.push(bytes);

    expect((await reader.next()).value).to.equal(bytes);
  });

  it('wakes a reader who waits: for bytes, for the end, for a fault', async () => {
    const [bytes, end, fault] = [aBody(), aBody(), aBody()];
    const answers = [bytes.next(), end.next(), failure(fault.next())];

    bytes.push('a');
    end.body.end();
    fault.body.fail(new Error('lost'));

    expect(await Promise.all(answers)).to.deep.equal(['a', 'the end', 'lost']);
  });

  it('passes over pieces of nothing', async () => {
    const { next, push } = aBody();
    const answer = next();

    push('');
    push('a');

    expect(await answer).to.equal('a');
  });

  it('tells a fault only after what had arrived, and tells the sender to stop', async () => {
    const { body, next, push, told } = aBody();

    push('a');
    body.fail(new Error('lost'));

    expect([await next(), await failure(next()), await failure(next())]).to.deep.equal(['a', 'lost', 'lost']);
    expect(told).to.deep.equal(['abort: lost']);
  });

  it('holds up the sender beyond 128 kB unread, once, and lets it go on when they are read', async () => {
    const { next, push, told } = aBody();

    push('x'.repeat(128 * 1024));
    const atTheLimit = [...told];
    push('x');
    push('x');
    const beyond = [...told];
    const { length } = await next();

    expect(atTheLimit).to.deep.equal([]);
    expect(beyond).to.deep.equal(['pause']);
    expect(length).to.equal(128 * 1024 + 2);
    expect(told).to.deep.equal(['pause', 'resume']);
  });

  it('tells the sender to stop when the reader leaves early, and not when it had ended', async () => {
    const [early, ended] = [aBody(), aBody()];
    early.push('a');
    ended.push('a');
    ended.body.end();

    for (const { body } of [early, ended]) {
      for await (const _bytes of body) break;
    }

    expect(early.told).to.deep.equal(['abort: The reader has left.']);
    expect(ended.told).to.deep.equal([]);
  });

  it('tells a sender that comes later than the fault to stop at once', () => {
    const { sender, told } = aSender();
    const body = new IncomingBody();

    body.fail('a reason that is no error');
    body.comesFrom(sender);

    expect(told).to.deep.equal(['abort: No longer wanted.']);
  });

  it('stays ended when it fails afterwards', async () => {
    const { body, next, told } = aBody();

    body.end();
    body.fail(new Error('too late'));

    expect(await next()).to.equal('the end');
    expect(told).to.deep.equal([]);
  });

  describe('that is read', () => {
    it('hands on what one turn has brought, at once and in its order, and is over with its end', async () => {
      const { body, push } = aBody();
      const taken: string[] = [];
      const reading = body.read((bytes) => void taken.push(Buffer.from(bytes).toString()));

      push('a');
      push('b');
      await turn();
      push('c');
      body.end();
      await reading;

      expect(taken).to.deep.equal(['ab', 'c']);
    });

    it('waits while its reader is slow, holds up the sender, and hands on together what came meanwhile', async () => {
      const { body, push, told } = aBody();
      const taken: number[] = [];
      let goOn: () => void = () => undefined;
      const reading = body.read(({ length }) => {
        taken.push(length);
        return new Promise((resolve) => (goOn = resolve));
      });

      push('a');
      await turn();
      push('x'.repeat(128 * 1024));
      push('b');
      body.end();
      await turn();
      const meanwhile = [...taken];
      goOn();
      await turn();
      goOn();
      await reading;

      expect([meanwhile, taken]).to.deep.equal([[1], [1, 128 * 1024 + 1]]);
      expect(told).to.deep.equal(['pause', 'resume']);
    });

    it('waits for a slow reader also with what comes while it is handed on', async () => {
      const body = new IncomingBody();
      const resume = () => {
        body.push(Buffer.from('more'));
      };
      body.comesFrom({ ...aSender().sender, resume });
      const taken: number[] = [];
      let goOn: () => void = () => undefined;

      body.push(Buffer.from('x'.repeat(128 * 1024 + 1)));
      const reading = body.read(({ length }) => {
        taken.push(length);
        return new Promise((resolve) => (goOn = resolve));
      });
      await turn();
      const meanwhile = [...taken];
      goOn();
      await turn();
      goOn();
      body.end();
      await reading;

      expect([meanwhile, taken]).to.deep.equal([[128 * 1024 + 1], [128 * 1024 + 1, 4]]);
    });

    it('ends with what its reader throws, at once or later, and tells the sender to stop', async () => {
      const [atOnce, later] = [aBody(), aBody()];
      const enough = new Error('Enough.');
      const readings = [
        atOnce.body.read(() => {
          throw enough;
        }),
        later.body.read(() => Promise.reject(enough)),
      ];

      atOnce.push('a');
      later.push('a');

      expect(await Promise.all(readings.map(failure))).to.deep.equal(['Enough.', 'Enough.']);
      expect([atOnce.told, later.told]).to.deep.equal([['abort: Enough.'], ['abort: Enough.']]);
    });

    it('tells a fault only after what had arrived', async () => {
      const { body, push } = aBody();
      const taken: string[] = [];
      push('a');
      body.fail(new Error('lost'));

      const reading = body.read((bytes) => void taken.push(Buffer.from(bytes).toString()));

      expect([await failure(reading), taken]).to.deep.equal(['lost', ['a']]);
    });
  });

  describe('that is discarded', () => {
    it('is read to its end when that is near, so that the connection can be used again', async () => {
      const { body, push, told } = aBody();
      const discarded = body.discard(10);

      push('12345');
      push('67890');
      body.end();
      await discarded;

      expect(told).to.deep.equal([]);
    });

    it('is given up when there is more', async () => {
      const { body, push, told } = aBody();
      const discarded = body.discard(10);

      push('12345678901');
      await discarded;

      expect(told).to.deep.equal(['abort: More than is worth reading.']);
    });

    it('does not mind how it breaks off', async () => {
      const { body } = aBody();
      const discarded = body.discard(10);

      body.fail(new Error('lost'));

      await discarded;
    });
  });
});
