import { expect } from 'chai';
import { lastNight } from '../../../src/scenarios/runs/nightly.js';
import {
  type AssistantRecord,
  makeDataDir,
  removeDataDir,
  type Service,
  startService,
} from '../../support/service.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { until } from '../support/collection-client.js';
import { refusalOf } from '../support/refusal.js';
import { aTriedAssistant, type TriedAssistant } from '../support/scenario-client.js';
import { disable, inDatabase } from '../support/users-fixture.js';

interface ShownRuns {
  readonly data: readonly { readonly id: string; readonly nightly: boolean; readonly version: number }[];
  readonly nightly_at: string | null;
}

const NIGHTLY = { nightly_suite: true };
const PUBLISHED = { published: true };
/** The minute that has just begun, so that the night is due now. */
const thisMinute = () => new Date().toISOString().slice(11, 16);

describe('the night that was last due', () => {
  it('is of the day before until the hour has come, also over the end of a year', () => {
    const dueAt = (now: string) => lastNight(180, Date.parse(now)).at;
    expect(dueAt('2030-01-01T02:59:59.999Z')).to.equal('2029-12-31T03:00:00.000Z');
    expect(dueAt('2030-01-01T03:00:00.000Z')).to.equal('2030-01-01T03:00:00.000Z');
    expect(lastNight(0, Date.parse('2030-01-01T00:00:00.000Z')).night).to.equal('2030-01-01');
  });
});

describe('a suite that is run every night', function () {
  this.timeout(120_000);
  let world: TestService;
  let dataDir: string;
  let service: Service | undefined;
  before(async () => {
    world = await sharedService();
  });
  beforeEach(async () => {
    dataDir = await makeDataDir();
  });
  afterEach(async () => {
    await service?.stop();
    await removeDataDir(dataDir);
  });

  const start = async (at: string) => {
    await service?.stop();
    service = await startService({ SUITE_NIGHTLY_AT: at }, { dataDir });
    return service;
  };
  const anAssistant = (metadata: object) => aTriedAssistant({ ...world, service: service! }, { metadata });
  /** As if nobody had touched it today. */
  const untouched = ({ id }: TriedAssistant) =>
    inDatabase(service!, async (_stores, db) => {
      await db('assistants').where({ id }).update({ updated_at: '2020-01-01T00:00:00.000Z' });
    });
  const runsOf = async ({ path, teacher }: TriedAssistant) =>
    (await service!.request<ShownRuns>(`${path}/suite-runs`, { key: teacher.key })).json;
  /** They are begun in the order of their ids: once this one is, all before it were looked at. */
  const begun = (tried: TriedAssistant) =>
    until(
      () => runsOf(tried),
      ({ data }) => data.length > 0,
    );

  it('is made up for once after a stop, in the name of its owner, and asked only of those who want it and can', async () => {
    await start('off');
    const [unwanted, empty, closed, changed, wanted] = [
      await anAssistant({ nightly_suite: false }),
      await anAssistant(NIGHTLY),
      await anAssistant(NIGHTLY),
      await anAssistant(NIGHTLY),
      await anAssistant(NIGHTLY),
    ];
    for (const tried of [unwanted, closed, changed, wanted]) await tried.scenario();
    for (const tried of [unwanted, empty, closed, wanted]) await untouched(tried);
    await disable(service!, closed.teacher);
    expect((await runsOf(wanted)).nightly_at).to.equal(null);

    const at = thisMinute();
    await start(at);
    const { data, nightly_at } = await begun(wanted);
    const [run] = data;
    await service!.request(`/lamb/v1/suite-runs/${run!.id}/events`, { key: wanted.teacher.key });
    const spent = await inDatabase(service!, (_stores, db) =>
      db('runs').where({ assistant_id: wanted.id }).pluck<number[]>('user_id'),
    );
    expect({ nightly_at, nightly: run!.nightly, spent }).to.deep.equal({
      ...{ nightly_at: at, nightly: true, spent: [wanted.teacher.id] },
    });
    const shown = await service!.request<AssistantRecord>(wanted.path, { key: wanted.teacher.key });
    expect(shown.json['tests']).to.deep.include({ passed: true, version: 1 });
    const others = await inDatabase(service!, (_stores, db) =>
      db('suite_runs').whereNot('assistant_id', wanted.id).pluck<string[]>('id'),
    );
    expect(others).to.deep.equal([]);

    const late = await anAssistant(NIGHTLY);
    await late.scenario();
    await untouched(late);
    await start(at);
    await begun(late);
    expect((await runsOf(wanted)).data.map(({ id }) => id)).to.deep.equal([run!.id]);
  });

  it('is not switched on by an import, whatever form it comes in, nor by a template', async () => {
    const tried = await aTriedAssistant(world, { metadata: NIGHTLY });
    await tried.scenario();
    const { key } = tried.teacher;
    const post = <Json>(path: string, body: object) =>
      world.service.request<Json>(path, { method: 'POST', key, body });
    const imported = async (body: object) => {
      const { json, text } = await post<{ assistant: AssistantRecord }>('/lamb/v1/assistants/import', body);
      expect(json.assistant, text).to.be.an('object');
      return json.assistant;
    };
    const { metadata } = await tried.read();
    const { nightly_suite: _nightly, ...rest } = metadata;
    const bundle = (await world.service.request<{ assistant: object }>(`${tried.path}/export`, { key })).json;

    const whole = await imported(bundle);
    const scenarios = `/lamb/v1/assistants/${String(whole.id)}/scenarios`;
    expect(whole.metadata).to.deep.equal(rest);
    expect((await world.service.request<{ data: object[] }>(scenarios, { key })).json.data).to.have.length(1);
    const lacking = { ...metadata, tools: [{ type: 'not_installed' }] };
    const partly = await imported({ ...bundle, assistant: { ...bundle.assistant, metadata: lacking } });
    expect(partly.metadata).not.to.have.property('nightly_suite');
    const lamb = await imported({ name: 'Of LAMB', api_callback: JSON.stringify(metadata) });
    expect(lamb.metadata).to.deep.equal(rest);

    const kept = await post<{ id: string }>('/lamb/v1/templates', { assistant_id: tried.id });
    const opened = await world.service.request(`/lamb/v1/templates/${kept.json.id}`, { key });
    expect(opened.status, opened.text).to.equal(200);
    expect(opened.text).not.to.contain('nightly_suite');
  });

  it('stays as it is when an older version is restored', async () => {
    const tried = await aTriedAssistant(world, { metadata: NIGHTLY });
    const { key } = tried.teacher;
    const { name, metadata } = await tried.read();
    const { nightly_suite: _nightly, ...rest } = metadata;
    const off = { name, version: 1, metadata: rest };
    expect((await world.service.request(tried.path, { method: 'PUT', key, body: off })).status).to.equal(200);
    const restore = async (n: number) => {
      const path = `${tried.path}/versions/${String(n)}/restore`;
      const { json } = await world.service.request<AssistantRecord>(path, { method: 'POST', key, body: {} });
      return json.metadata;
    };

    expect(await restore(1)).to.deep.equal(rest);
    const on = { name, version: 3, metadata };
    expect((await world.service.request(tried.path, { method: 'PUT', key, body: on })).status).to.equal(200);
    expect(await restore(2)).to.deep.equal(metadata);
  });

  it('is a switch in the metadata that no content hangs on, and nothing but true or false', async () => {
    const tried = await aTriedAssistant(world, { metadata: { publish_gate: 'suite' } });
    await tried.scenario();
    expect((await tried.run()).passed).to.equal(true);
    expect((await tried.post('publish', PUBLISHED)).status).to.equal(200);

    const { json } = await tried.metadata(NIGHTLY);
    expect(json.metadata).to.include(NIGHTLY);
    expect(json['tests']).to.deep.include({ passed: true, version: json.version });
    expect((await tried.post('publish', PUBLISHED)).status).to.equal(200);
    expect(refusalOf(await tried.metadata({ nightly_suite: 'always' }), 422).message).to.contain(
      'nightly_suite',
    );
  });
});
