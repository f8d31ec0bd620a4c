import { stat } from 'node:fs/promises';
import { expect } from 'chai';
import { createAskedChanges, type Generations } from '../../../db/cache/table-versions.js';

/** A database of which only the number of users' changes is asked, and which answers when told to. */
function aDatabase() {
  const questions: { answer(users: number): void; fail(): void }[] = [];
  const ask = () =>
    new Promise<Generations>((resolve, reject) => {
      questions.push({
        answer: (users) => {
          resolve({ users } as Generations);
        },
        fail: () => {
          reject(new Error('busy'));
        },
      });
    });
  return { ask, questions };
}

const users = async (answer: Generations | Promise<Generations>) => (await answer).users;
const failure = async (answer: Generations | Promise<Generations>) =>
  Promise.resolve(answer).then(
    () => 'answered',
    (fault: unknown) => (fault as Error).message,
  );
/** Until whatever follows from what is settled has happened. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('changes that are asked for', () => {
  it('are never older than who asks: whoever comes during a question waits for the next', async () => {
    const { ask, questions } = aDatabase();
    const changes = createAskedChanges(ask);

    const first = users(changes.now());
    await settled();
    const during = [users(changes.now()), users(changes.now())];
    const askedMeanwhile = questions.length;
    questions[0]?.answer(1);
    await settled();
    questions[1]?.answer(2);

    expect(askedMeanwhile).to.equal(1);
    expect(await first).to.equal(1);
    expect(await Promise.all(during)).to.deep.equal([2, 2]);
    expect(questions).to.have.length(2);
  });

  it('are asked once for all that look in the same turn, as several calls of one round do', async () => {
    const { ask, questions } = aDatabase();
    const changes = createAskedChanges(ask);

    const calls = [1, 2, 3].map(async () => {
      await Promise.resolve();
      return await users(changes.now());
    });
    await settled();
    questions[0]?.answer(1);

    expect(await Promise.all(calls)).to.deep.equal([1, 1, 1]);
    expect(questions).to.have.length(1);
  });

  it('wait for a question begun after they came, however many have come before', async () => {
    const { ask, questions } = aDatabase();
    const changes = createAskedChanges(ask);

    const answers = [users(changes.now())];
    await settled();
    answers.push(users(changes.now()));
    questions[0]?.answer(1);
    await settled();
    answers.push(users(changes.now()), users(changes.now()));
    questions[1]?.answer(2);
    await settled();
    questions[2]?.answer(3);

    expect(await Promise.all(answers)).to.deep.equal([1, 2, 3, 3]);
  });

  it('are asked again at once after a quiet moment', async () => {
    const { ask, questions } = aDatabase();
    const changes = createAskedChanges(ask);

    const first = users(changes.now());
    questions[0]?.answer(1);
    await first;
    await settled();
    const second = users(changes.now());
    questions[1]?.answer(2);

    expect(await second).to.equal(2);
  });

  it('are asked once for all that follows from the answer without waiting for anything else', async () => {
    const { ask, questions } = aDatabase();
    const changes = createAskedChanges(ask);

    const lookUpThree = async () => [await changes.now(), await changes.now(), await changes.now()];
    const found = lookUpThree();
    questions[0]?.answer(1);

    expect((await found).map((each) => each.users)).to.deep.equal([1, 1, 1]);
    expect(questions).to.have.length(1);
  });

  it('are asked again by whoever has meanwhile heard of anything from outside', async () => {
    const { ask, questions } = aDatabase();
    const changes = createAskedChanges(ask);
    const heard = [
      () => new Promise<void>((resolve) => setImmediate(resolve)),
      () => stat('.').then(() => undefined),
      () =>
        new Promise<void>((resolve) => {
          process.nextTick(resolve);
        }),
    ];

    for (const [i, hear] of heard.entries()) {
      const before = users(changes.now());
      questions[2 * i]?.answer(2 * i);
      await before;
      await hear();
      const after = users(changes.now());
      questions[2 * i + 1]?.answer(2 * i + 1);

      expect(await after).to.equal(2 * i + 1);
      await settled();
    }
  });

  it('go on being asked after a question that failed, which only its own askers hear of', async () => {
    const { ask, questions } = aDatabase();
    const changes = createAskedChanges(ask);

    const first = failure(changes.now());
    await settled();
    const second = users(changes.now());
    questions[0]?.fail();
    await settled();
    questions[1]?.answer(2);

    expect(await first).to.equal('busy');
    expect(await second).to.equal(2);
  });
});
