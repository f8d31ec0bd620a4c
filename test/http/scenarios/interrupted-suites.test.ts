import { expect } from 'chai';
import { type FakeModel, startFakeModel } from '../../support/fakes/fakes.js';
import { say } from '../../support/fakes/model-script.js';
import {
  makeDataDir,
  removeDataDir,
  type Service,
  type ServiceOptions,
  startService,
  startServiceProcess,
} from '../../support/service.js';
import { aScenario, aTriedAssistant, GREETS, type ShownSuiteRun } from '../support/scenario-client.js';
import { inDatabase, LONG_AGO } from '../support/users-fixture.js';

describe('a suite whose process is killed', function () {
  this.timeout(120_000);
  let dataDir: string;
  let model: FakeModel;
  const started: Service[] = [];
  before(async () => {
    [dataDir, model] = [await makeDataDir(), await startFakeModel()];
  });
  after(async () => {
    await Promise.all(started.map((service) => service.stop().catch(() => undefined)));
    await Promise.all([model.stop(), removeDataDir(dataDir)]);
  });
  const startWith = async <Kind extends Service>(
    start: (env: Readonly<Record<string, string>>, options: ServiceOptions) => Promise<Kind>,
  ) => {
    const service = await start({ RATE_LIMIT: '0' }, { dataDir });
    started.push(service);
    return service;
  };
  const rowOf = (id: string) =>
    inDatabase({ dataDir }, async (_stores, db) => {
      const row = await db('suite_runs').where({ id }).first<Readonly<Record<string, unknown>>>();
      return { status: row['status'], attempts: row['attempts'], hasEnded: row['ended_at'] !== null };
    });

  it('is taken up again, ends once, and counts every scenario once', async () => {
    const first = await startWith(startServiceProcess);
    const tried = await aTriedAssistant(
      { service: first, model },
      {
        steps: [say('Hello.'), say('Hello.'), { wait: 'the kill', then: say('Hello.') }],
        metadata: { publish_gate: 'suite' },
      },
    );
    for (let at = 0; at < 3; at += 1) await tried.scenario(aScenario(GREETS));
    const { id } = (await tried.begin()).json;
    await model.waitFor(tried.llm, { requests: 3, finished: 2 });
    await first.kill();
    expect(await rowOf(id)).to.deep.equal({ status: 'running', attempts: 1, hasEnded: false });
    await model.release('the kill');
    // As if the time had passed after which it is nobody's any more.
    await inDatabase({ dataDir }, (_stores, db) => db('suite_runs').update({ lease_until: LONG_AGO }));

    const second = await startWith(startService);
    const { key } = tried.teacher;
    await second.request(`/lamb/v1/suite-runs/${id}/events`, { key });
    const { json } = await second.request<ShownSuiteRun>(`/lamb/v1/suite-runs/${id}`, { key });

    expect(json).to.deep.include({ status: 'done', passed: true, progress: { done: 3, of: 3 } });
    expect(json.scenarios.map(({ runs }) => runs.length)).to.deep.equal([1, 1, 1]);
    expect(await rowOf(id)).to.deep.equal({ status: 'done', attempts: 2, hasEnded: true });
    expect(await model.ledger(tried.llm)).to.have.length(6);
    const passes = await inDatabase({ dataDir }, (_stores, db) => db('suite_passes').select('version'));
    expect(passes).to.deep.equal([{ version: 1 }]);
    const published = await second.request(`${tried.path}/publish`, {
      ...{ method: 'POST', key, body: { published: true } },
    });
    expect(published.status, published.text).to.equal(200);
  });
});
