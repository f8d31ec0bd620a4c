import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAskedChanges, type Generations } from '../../../db/cache/table-versions.js';
import { createWalChanges } from '../../../db/cache/wal-watch.js';

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

  it('wait for a question begun after they came, however many have come before', async () => {
    const { ask, questions } = aDatabase();
    const changes = createAskedChanges(ask);

    const answers = [users(changes.now()), users(changes.now())];
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

  it('go on being asked after a question that failed, which only its own askers hear of', async () => {
    const { ask, questions } = aDatabase();
    const changes = createAskedChanges(ask);

    const first = failure(changes.now());
    const second = users(changes.now());
    questions[0]?.fail();
    await settled();
    questions[1]?.answer(2);

    expect(await first).to.equal('busy');
    expect(await second).to.equal(2);
  });
});

describe('changes that show in the index of the WAL', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bellwether-wal-'));
    await commit(0);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const file = () => join(folder, 'test.db');
  const commit = (number: number) => writeFile(`${file()}-shm`, Buffer.alloc(48, number));

  it('are told without a question while nothing has been written', async () => {
    const { ask, questions } = aDatabase();
    const changes = createWalChanges(file(), ask);
    const first = changes.now();
    questions[0]?.answer(1);
    const known = await first;

    expect(changes.now()).to.equal(known);
    expect(questions).to.have.length(1);
  });

  it('are asked for again after each commit', async () => {
    const { ask, questions } = aDatabase();
    const changes = createWalChanges(file(), ask);
    const first = users(changes.now());
    questions[0]?.answer(1);
    await first;

    await commit(1);
    const second = users(changes.now());
    questions[1]?.answer(2);

    expect(await second).to.equal(2);
    expect(questions).to.have.length(2);
  });

  it('are asked for once by all who come before the answer, while nothing is written', async () => {
    const { ask, questions } = aDatabase();
    const changes = createWalChanges(file(), ask);

    const all = [users(changes.now()), users(changes.now())];
    questions[0]?.answer(1);

    expect(await Promise.all(all)).to.deep.equal([1, 1]);
    expect(questions).to.have.length(1);
  });

  it('are never older than who asks: after a commit during a question, another one is asked', async () => {
    const { ask, questions } = aDatabase();
    const changes = createWalChanges(file(), ask);

    const before = users(changes.now());
    await commit(1);
    const after = users(changes.now());
    questions[0]?.answer(1);
    await before;
    questions[1]?.answer(2);

    expect([await before, await after]).to.deep.equal([1, 2]);
    expect(await users(changes.now())).to.equal(2);
    expect(questions).to.have.length(2);
  });

  it('are not taken for known when a commit came between the look and the answer', async () => {
    const { ask, questions } = aDatabase();
    const changes = createWalChanges(file(), ask);

    const first = users(changes.now());
    await commit(1);
    questions[0]?.answer(1);
    await first;
    const next = users(changes.now());
    questions[1]?.answer(2);

    expect(await next).to.equal(2);
  });

  it('are asked for again after a question that failed', async () => {
    const { ask, questions } = aDatabase();
    const changes = createWalChanges(file(), ask);

    const first = failure(changes.now());
    questions[0]?.fail();
    const told = await first;
    const second = users(changes.now());
    questions[1]?.answer(2);

    expect(told).to.equal('busy');
    expect(await second).to.equal(2);
  });
});
