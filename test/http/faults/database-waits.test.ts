import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import knex, { type Knex } from 'knex';
import { type ServiceProcess, startServiceProcess } from '../../support/service.js';
import { refusalOf } from '../support/refusal.js';

/** Longer than anybody may wait for a database that does not move. */
const STOPPED_MS = 6_500;
const CHAT = { messages: [{ role: 'user', content: 'Hello?' }], conversation_id: 'new' };

let service: ServiceProcess;
let assistantId: number;
let lock: Lock;

describe('a class that begins a conversation each at the same moment', function () {
  this.timeout(90_000);
  before(startWithLock);
  after(stopWithLock);
  const begin = () => service.chat(assistantId, CHAT);

  it('waits its turn while the process gets no time, and nobody is refused', async () => {
    await lock.hold();
    const chats = Array.from({ length: 300 }, begin);
    // The first ones are at the database by now, and wait.
    await service.request('/healthz', { key: null });

    process.kill(service.pid, 'SIGSTOP');
    await lock.letGo();
    await delay(STOPPED_MS);
    process.kill(service.pid, 'SIGCONT');

    const answers = await Promise.all(chats);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ text }) => text)).to.deep.equal([]);
    expect(new Set(answers.map(({ headers }) => headers.get('x-conversation-id')))).to.have.property(
      'size',
      300,
    );
  });

  it('is told that the database is busy while another program holds it, and loses nothing by it', async () => {
    await lock.hold();

    const begunAt = performance.now();
    const refused = await Promise.all(Array.from({ length: 30 }, begin));
    const waited = performance.now() - begunAt;
    await lock.letGo();
    const after = await begin();

    for (const answer of refused) {
      expect(refusalOf(answer, 503).code).to.equal('database_busy');
      expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 60);
    }
    expect(waited).to.be.within(4_500, 50_000);
    expect(after.status, after.text).to.equal(200);
  });
});

/** By whether the record itself met the lock, or waited in line behind something else that did. */
const NOT_KEPT = ['not_recorded', 'database_busy'];

describe('an answer that cannot be written down', function () {
  this.timeout(60_000);
  before(async () => {
    await startWithLock();
    await lock.hold();
  });
  after(stopWithLock);

  it('is told as a failure, and not as given', async () => {
    const answer = await service.chat(assistantId, 'Hello?');

    expect(refusalOf(answer, 503).code).to.be.oneOf(NOT_KEPT);
  });

  it('ends its stream with the failure, and without an end', async () => {
    const { chunks, error } = await (await service.stream(assistantId, 'Hello?')).whole();

    expect(error?.code).to.be.oneOf(NOT_KEPT);
    expect(chunks.flatMap(({ choices }) => choices?.[0]?.finish_reason ?? [])).to.deep.equal([]);
  });
});

async function startWithLock(): Promise<void> {
  service = await startServiceProcess({ RATE_LIMIT: '0' });
  assistantId = (await service.createAssistant({ metadata: { connector: 'demo', llm: 'demo' } })).id;
  lock = openLock(service);
}

async function stopWithLock(): Promise<void> {
  process.kill(service.pid, 'SIGCONT');
  await lock.close();
  await service.stop();
}

type Lock = ReturnType<typeof openLock>;

/** The database of a service, which another program can keep from being written to. */
function openLock({ dataDir }: ServiceProcess) {
  const db: Knex = knex({
    client: 'sqlite3',
    connection: { filename: join(dataDir, 'bellwether.db') },
    useNullAsDefault: true,
  });
  return {
    hold: () => db.raw('BEGIN IMMEDIATE'),
    letGo: () => db.raw('ROLLBACK'),
    close: () => db.destroy(),
  };
}
