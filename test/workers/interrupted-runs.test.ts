import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { openDb } from '../../db/open.js';
import { describeOnEachEngine } from '../support/databases.js';
import { type FakeModel, startFakeModel, uniqueName } from '../support/fakes/fakes.js';
import { hang, partialText } from '../support/fakes/model-script.js';
import {
  makeDataDir,
  removeDataDir,
  type Service,
  startService,
  startServiceProcess,
} from '../support/service.js';

/** Longer than a lease, and the two looks after it. */
const MOST_MS = 30_000;

interface RunView {
  readonly id: string;
  readonly status: string;
  readonly error_code: string | null;
}

describeOnEachEngine('a service killed in the middle of an answer', (_open, _target, migrated) => {
  let model: FakeModel;
  let dataDir: string;
  before(async () => {
    model = await startFakeModel();
  });
  after(() => model.stop());
  beforeEach(async () => {
    dataDir = await makeDataDir();
  });
  afterEach(() => removeDataDir(dataDir));

  it('leaves a stream that does not end, and a run that those who come after it record once as interrupted', async function () {
    this.timeout(60_000);
    const place = await migrated();
    const database = place.kind === 'postgres' ? place : { ...place, file: join(dataDir, 'bellwether.db') };
    const llm = uniqueName('model');
    await model.script(llm, [hang(2)]);
    const env = {
      ...(database.kind === 'postgres' ? { DATABASE_URL: database.url } : {}),
      ...{ OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${model.url}/v1` },
    };
    const killed = await startServiceProcess(env, { dataDir });
    const { id } = await killed.createAssistant({ metadata: { connector: 'openai', llm } });
    const stream = await killed.stream(id, 'Hello?');
    const runId = stream.response.headers.get('x-run-id') ?? '';
    const db = await openDb(database);
    try {
      await until(async () => (await db('run_notes').where('id', runId)).length > 0);

      const reading = stream.whole().catch((fault: unknown) => fault);
      await killed.kill();
      const seen = await reading;
      const start = () => startService(env, { dataDir });
      const others = await Promise.all([start(), ...(database.kind === 'postgres' ? [start()] : [])]);
      await until(async () => (await runOf(others[0], runId)) !== undefined);
      const run = await runOf(others[0], runId);
      await until(async () => (await db('run_notes')).length === 0);
      await Promise.all(others.map((service) => service.stop()));

      // The connection breaks; no frame says that this was the end.
      expect(seen).to.be.instanceOf(Error);
      expect(stream.raw()).to.include(partialText(1)).and.not.include('[DONE]');
      expect(run).to.include({ status: 'failed', error_code: 'interrupted' });
      expect(await db('runs').pluck('id')).to.deep.equal([runId]);
    } finally {
      await db.destroy();
    }
  });
});

async function runOf(service: Service, id: string): Promise<RunView | undefined> {
  const { status, json } = await service.request<RunView>(`/lamb/v1/runs/${id}`);
  return status === 200 ? json : undefined;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const startedAt = Date.now();
  while (!(await isSo())) {
    if (Date.now() - startedAt > MOST_MS) throw new Error('It did not come about.');
    await delay(50);
  }
}
