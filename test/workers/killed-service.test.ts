import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDb } from '../../db/open.js';
import type { DatabaseTarget } from '../../src/core/base/database-target.js';
import { describeOnEachEngine } from '../support/databases.js';
import { startFakeModel, uniqueName, type FakeModel } from '../support/fakes/fakes.js';
import { say } from '../support/fakes/model-script.js';
import { makeDataDir, removeDataDir, startServiceProcess, type ServiceProcess } from '../support/service.js';

const PEOPLE = 12;
const ANSWERS_BEFORE = 24;
/** From then on: some die between two groups of records, some within one. */
const LONGEST_LIFE_MS = 40;

/** An answer whose end reached a client. */
interface Told {
  readonly runId: string;
  readonly conversationId: string;
}

describeOnEachEngine('a service killed while many chat', (_open, _target, migrated) => {
  let model: FakeModel;
  let llm: string;
  let dataDir: string;
  before(async () => {
    model = await startFakeModel();
    llm = uniqueName('model');
    await model.script(llm, [say('abcd', { chunks: 4 })], { repeat: true });
  });
  after(() => model.stop());
  beforeEach(async () => {
    dataDir = await makeDataDir();
  });
  afterEach(() => removeDataDir(dataDir));

  it('has run, step, cost and conversation of every answer it told the end of, once, and half of none', async function () {
    this.timeout(60_000);
    const database = await placeOf(migrated, dataDir);
    const env = {
      ...(database.kind === 'postgres' ? { DATABASE_URL: database.url } : {}),
      ...{ OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${model.url}/v1`, RATE_LIMIT: '0' },
    };

    const told = await chatUntilKilled(await startServiceProcess(env, { dataDir }), llm);

    const kept = await readAll(database);
    expect(told).to.have.length.of.at.least(ANSWERS_BEFORE);
    expect(kept.completed).to.include.members(told.map(({ runId }) => runId));
    expect(kept.answered).to.include.members(told.map(({ conversationId }) => conversationId));
    // One step and one row of the ledger belong to each run: more or fewer would be half a record, or one twice.
    expect(kept.steps).to.deep.equal(kept.runs);
    expect(kept.ledger).to.deep.equal(kept.runs);
    expect(kept.integrity).to.equal('ok');
  });
});

async function placeOf(migrated: () => Promise<DatabaseTarget>, dataDir: string): Promise<DatabaseTarget> {
  const place = await migrated();
  return place.kind === 'sqlite' ? { kind: 'sqlite', file: join(dataDir, 'bellwether.db') } : place;
}

async function chatUntilKilled(service: ServiceProcess, llm: string): Promise<readonly Told[]> {
  const { id } = await service.createAssistant({ metadata: { connector: 'openai', llm } });
  const told: Told[] = [];
  let enough: () => void = () => undefined;
  const underWay = new Promise<void>((resolve) => (enough = resolve));
  const tell = (answer: Told) => {
    if (told.push(answer) === ANSWERS_BEFORE) enough();
  };

  const people = Array.from({ length: PEOPLE }, (_, person) =>
    (person % 2 === 0 ? streamOnAndOn : askOnAndOn)(service, id, tell),
  );
  await underWay;
  await delay(Math.random() * LONGEST_LIFE_MS);
  await service.kill();
  await Promise.all(people);
  return told;
}

const CHAT = { messages: [{ role: 'user', content: 'Hello?' }], conversation_id: 'new' };

type OnAndOn = (service: ServiceProcess, assistantId: number, tell: (answer: Told) => void) => Promise<void>;

const streamOnAndOn: OnAndOn = async (service, assistantId, tell) => {
  await untilItIsGone(async () => {
    const stream = await service.stream(assistantId, CHAT);
    for await (const frame of stream.frames) {
      // What comes after the finish is not waited for: with it the answer is told.
      if (frame !== '[DONE]' && frame.choices?.[0]?.finish_reason) tell(toldBy(stream.response));
    }
  });
};

const askOnAndOn: OnAndOn = async (service, assistantId, tell) => {
  await untilItIsGone(async () => {
    const answer = await service.chat(assistantId, CHAT);
    if (answer.json.choices[0]?.finish_reason === 'stop') tell(toldBy(answer));
  });
};

async function untilItIsGone(chat: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await chat();
    } catch {
      return;
    }
  }
}

const toldBy = ({ headers }: { readonly headers: Headers }): Told => ({
  runId: headers.get('x-run-id') ?? '',
  conversationId: headers.get('x-conversation-id') ?? '',
});

async function readAll(database: DatabaseTarget) {
  const db = await openDb(database);
  try {
    return {
      integrity: database.kind === 'sqlite' ? await integrityOf(db) : 'ok',
      runs: await db('runs').orderBy('id').pluck<string[]>('id'),
      completed: await db('runs').where('status', 'completed').pluck<string[]>('id'),
      steps: await db('run_steps').orderBy('run_id').pluck<string[]>('run_id'),
      ledger: await db('usage_ledger').orderBy('run_id').pluck<string[]>('run_id'),
      answered: await db('messages').where('role', 'assistant').pluck<string[]>('conversation_id'),
    };
  } finally {
    await db.destroy();
  }
}

async function integrityOf(db: Knex): Promise<unknown> {
  const rows = await db.raw<readonly { readonly integrity_check: string }[]>('PRAGMA integrity_check');
  return rows[0]?.integrity_check;
}
