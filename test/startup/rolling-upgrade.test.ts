import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import knex, { type Knex } from 'knex';
import { postgresEngine } from '../../db/engines/postgres.js';
import { openDb } from '../../db/open.js';
import { isPostgres } from '../../db/query/raw-rows.js';
import type { DatabaseTarget } from '../../src/core/base/database-target.js';
import { describeOnEachEngine, describeOnPostgres } from '../support/databases.js';
import { type FakeModel, startFakeModel, uniqueName } from '../support/fakes/fakes.js';
import { say } from '../support/fakes/model-script.js';
import { makeDataDir, removeDataDir, type Service, startService } from '../support/service.js';

const LATER = '20991231235900_later';

/** What the next version may do to a schema: new tables, columns that may be left out, indexes, counted tables. */
async function upgrade(db: Knex): Promise<void> {
  await db.schema.createTable('later_things', (table) => {
    table.increments('id');
    table.integer('user_id').references('users.id').onDelete('CASCADE');
  });
  await db.schema.alterTable('users', (table) => {
    table.text('later_remark');
  });
  for (const name of ['assistants', 'runs', 'messages', 'conversations', 'sessions'])
    await db.schema.alterTable(name, (table) => {
      table.integer('later_count').notNullable().defaultTo(0);
      table.index(['later_count']);
    });
  await db.schema.alterTable('generations', (table) => {
    table.bigInteger('later_things').notNullable().defaultTo(0);
  });
  await db.raw(
    isPostgres(db)
      ? `CREATE CONSTRAINT TRIGGER later_things_counted AFTER UPDATE ON later_things
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_generation()`
      : `CREATE TRIGGER later_things_counted AFTER UPDATE ON later_things
         BEGIN UPDATE generations SET later_things = later_things + 1; END`,
  );
  await db('knex_migrations').insert({ name: LATER, batch: 99, migration_time: new Date() });
}

describeOnEachEngine('while replicas are exchanged one by one', (_open, target) => {
  let model: FakeModel;
  let llm: string;
  let scratch: string;
  const running: Service[] = [];
  before(async () => {
    model = await startFakeModel();
    llm = uniqueName('model');
    await model.script(llm, [say('abcd', { chunks: 4 })], { repeat: true });
  });
  after(() => model.stop());
  beforeEach(async () => {
    scratch = await makeDataDir();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop()));
    await removeDataDir(scratch);
  });

  async function start(place: DatabaseTarget): Promise<Service> {
    const env = {
      ...{ OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${model.url}/v1`, RATE_LIMIT: '0' },
      ...(place.kind === 'postgres' ? { DATABASE_URL: place.url } : {}),
    };
    const service = await startService(env, {
      dataDir: place.kind === 'sqlite' ? dirname(place.file) : scratch,
    });
    running.push(service);
    return service;
  }

  const placeOf = async (): Promise<DatabaseTarget> => {
    const place = await target();
    return place.kind === 'sqlite' ? { kind: 'sqlite', file: `${scratch}/bellwether.db` } : place;
  };

  it('one of this version starts on the schema of the next, says so, and serves', async function () {
    this.timeout(30_000);
    const place = await placeOf();
    const db = await openDb(place);
    await upgrade(db);
    await db.destroy();

    const service = await start(place);

    await service.waitForLog(
      ({ msg }) => msg === 'the database is of a newer version; its schema is left as it is',
    );
    const assistant = await service.createAssistant({ metadata: { connector: 'openai', llm } });
    const chat = await service.chat(assistant.id, {
      messages: [{ role: 'user', content: 'Hello' }],
      conversation_id: 'new',
    });
    const path = `/lamb/v1/assistants/${String(assistant.id)}`;
    const changed = await service.request(path, {
      method: 'PUT',
      body: { name: assistant.name, description: 'Changed', version: assistant.version },
    });
    const read = await service.request<{ description: string }>(path);
    const runs = await service.request<{ data: unknown[] }>('/lamb/v1/runs');
    expect([chat.status, changed.status, read.status], changed.text).to.deep.equal([200, 200, 200]);
    expect(chat.json.choices[0]?.message.content).to.equal('abcd');
    expect(read.json.description).to.equal('Changed');
    expect(runs.json.data).to.have.length(1);
  });

  it('those that serve go on during a migration, and one that starts waits for it and says so', async function () {
    this.timeout(30_000);
    const place = await placeOf();
    const serving = await start(place);
    const holder = spawn(
      process.execPath,
      ['test/db/engines/migrating-process.mjs', 'hold', JSON.stringify(place)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await once(createInterface({ input: holder.stdout }), 'line');

    let tell: (message: string) => void = () => undefined;
    const told = new Promise<string>((resolve) => (tell = resolve));
    const opening = openDb(place, undefined, {
      info: (_facts, message) => {
        tell(message);
      },
      warn: () => undefined,
    });
    const first = await Promise.race([told, opening.then(() => 'opened')]);
    const answer = await serving.request('/lamb/v1/me');
    holder.kill('SIGKILL');
    await (await opening).destroy();

    expect(first).to.match(/^the schema of the database is brought up to date/);
    expect(answer.status).to.equal(200);
  });
});

describeOnPostgres('a migration that wants a table which others use', (open) => {
  it('gives way before those who wait behind it are refused', async () => {
    const db = await open();
    const { connectionString: url } = (db.client as Knex.Client).config.connection as {
      readonly connectionString: string;
    };
    const engine = postgresEngine(url);
    const migrating = knex(engine.config);
    const reader = await db.transaction();
    await reader('users').first();

    const fault: unknown = await migrating
      .transaction(async (trx) => {
        await engine.lockForMigration(trx);
        await trx.raw('ALTER TABLE users ADD COLUMN later text');
      })
      .catch((refused: unknown) => refused);
    await reader.rollback();
    await migrating.destroy();

    expect(engine.isInUse(fault)).to.equal(true);
  });
});
