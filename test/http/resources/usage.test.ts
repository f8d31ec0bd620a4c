import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { say } from '../../support/fakes/model-script.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { assistantOf, configure } from '../support/settings-client.js';
import {
  aColleagueOf,
  aPerson,
  auditOf,
  type Person,
  publish,
  speakingTo,
} from '../support/users-fixture.js';

interface Row {
  readonly key: string;
  readonly label: string;
  readonly runs: number;
  readonly cost: number | null;
}
interface Report {
  readonly rows: readonly Row[];
  readonly total: Omit<Row, 'key' | 'label'> & {
    readonly unpriced_runs: number;
    readonly other_costs: readonly object[];
  };
  readonly currency: string;
}

interface RunView {
  readonly cost: number | null;
  readonly currency: string;
  readonly usage: object;
}
interface PriceChange {
  readonly owner: Person;
  readonly prices: object;
  readonly currency?: string;
}

const usage = { prompt_tokens: 1_000, completion_tokens: 100 };
const TODAY = () => new Date().toISOString().slice(0, 10);

describe('usage', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const reportFor = async ({ key }: Pick<Person, 'key'>, query = '') =>
    (await world.service.request<Report>(`/lamb/v1/usage${query}`, { key })).json;

  /** The newest first. */
  const runsOf = async ({ key }: Pick<Person, 'key'>) =>
    (await world.service.request<{ data: RunView[] }>('/lamb/v1/runs', { key })).json.data;

  /** An owner with an assistant on each of two models, of which one has a price, and a pupil who asks both. */
  async function aCourse() {
    const { service, model } = world;
    const owner = await aPerson(service);
    const pupil = await aColleagueOf(service, owner, 'student');
    const [priced, unpriced] = [uniqueName('priced'), uniqueName('unpriced')];
    const { setups } = speakingTo(model) as { setups: { default: object } };
    const prices = { [priced]: { prompt: 2, completion: 10 } };
    await configure(service, owner, { setups: { default: { ...setups.default, prices, currency: 'EUR' } } });
    const made = [];
    for (const llm of [priced, unpriced]) {
      await model.script(llm, [say('Hello.', { usage })], { repeat: true });
      const assistant = await assistantOf(service, owner, { connector: 'openai', llm });
      await publish(service, assistant.id, 'everyone', owner);
      made.push(assistant);
    }
    const [cheap, dear] = made as [(typeof made)[0], (typeof made)[0]];
    await service.chat(cheap.id, 'Hello?', { key: pupil.key });
    await service.chat(cheap.id, 'Hello?', { key: owner.key });
    await service.chat(dear.id, 'Hello?', { key: pupil.key });
    return { owner, pupil, priced, unpriced, cheap, dear };
  }

  it('is told by day without gaps, with the cost of what has a price and how much has none', async () => {
    const { owner } = await aCourse();

    const { rows, total, currency } = await reportFor(owner);

    expect(rows).to.have.length(30);
    const sum = {
      ...{ runs: 3, prompt_tokens: 3_000, completion_tokens: 300, cached_tokens: 0, reasoning_tokens: 0 },
      cost: 0.006,
    };
    expect(rows.at(-1)).to.deep.equal({ key: TODAY(), label: TODAY(), ...sum });
    expect(rows[0]).to.include({ runs: 0, prompt_tokens: 0, cost: 0 });
    expect({ total, currency }).to.deep.equal({
      total: { ...sum, unpriced_runs: 1, other_costs: [] },
      currency: 'EUR',
    });
    expect(
      (await reportFor(owner, '?from=2024-02-28&to=2024-03-01')).rows.map(({ key }) => key),
    ).to.deep.equal(['2024-02-28', '2024-02-29', '2024-03-01']);
  });

  it('is told by assistant and by model, of one’s own assistants and one’s own runs', async () => {
    const { owner, pupil, priced, unpriced, cheap, dear } = await aCourse();
    const brief = ({ rows }: Report) => rows.map(({ key, label, runs, cost }) => [key, label, runs, cost]);

    expect(brief(await reportFor(owner, '?group_by=assistant'))).to.deep.equal([
      [String(cheap.id), cheap.name, 2, 0.006],
      [String(dear.id), dear.name, 1, null],
    ]);
    expect(brief(await reportFor(owner, '?group_by=model'))).to.deep.equal([
      [`openai/${priced}`, priced, 2, 0.006],
      [`openai/${unpriced}`, unpriced, 1, null],
    ]);
    const one = await reportFor(owner, `?group_by=model&assistant_id=${String(dear.id)}`);
    expect(one).to.deep.include({ total: { ...one.total, runs: 1, cost: null, unpriced_runs: 1 } });
    expect((await reportFor(pupil)).total).to.include({ runs: 2, cost: 0.003 });
    const { rows, total } = await reportFor(owner, '?group_by=activity');
    expect([rows.map(({ key, label }) => [key, label]), total.runs]).to.deep.equal([[['', '']], 3]);
  });

  it('is told by user to administrators alone, of their own organisation', async () => {
    const { owner, pupil } = await aCourse();
    const { service } = world;
    const administrator = await aColleagueOf(service, owner, 'org_admin');

    const { rows } = await reportFor(administrator, '?group_by=user');

    expect(rows.map(({ label, runs }) => [label, runs])).to.deep.equal([
      [pupil.email, 2],
      [owner.email, 1],
    ]);
    const refused = await service.request('/lamb/v1/usage?group_by=user', { key: owner.key });
    refusalOf(refused, 403);
    const entry = (await auditOf(service, owner)).at(-1);
    expect(entry).to.include({ action: 'read usage by user', outcome: 'denied' });
    const foreign = await aPerson(service, { role: 'org_admin' });
    const path = `?organization_id=${String(owner.organizationId)}`;
    expect((await service.request(`/lamb/v1/usage${path}`, { key: foreign.key })).status).to.equal(404);
    expect((await reportFor({ key: service.adminKey }, path)).total).to.include({ runs: 3, cost: 0.006 });
  });

  it('is narrowed to what one person asked for administrators alone', async () => {
    const { owner, pupil, cheap, dear } = await aCourse();
    const administrator = await aColleagueOf(world.service, owner, 'org_admin');
    const query = `?group_by=assistant&user_id=${String(pupil.id)}`;

    const { rows, total } = await reportFor(administrator, query);
    const { status } = await world.service.request(`/lamb/v1/usage${query}`, { key: owner.key });

    expect(total.runs).to.equal(2);
    expect(rows.map(({ key, runs }) => [key, runs])).to.have.deep.members([
      [String(cheap.id), 1],
      [String(dear.id), 1],
    ]);
    expect(status).to.equal(403);
  });

  it('of an assistant that is open to everyone costs outsiders nothing that they are told', async () => {
    const { cheap } = await aCourse();
    const outsider = await aPerson(world.service);
    await world.service.chat(cheap.id, 'Hello?', { key: outsider.key });

    const { total, currency } = await reportFor(outsider);

    expect(total).to.include({ runs: 1, cost: null, unpriced_runs: 1 });
    expect(currency).to.equal('USD');
  });

  it('is not priced for outsiders who pay in the same currency, neither by others’ prices nor by their own', async () => {
    const { cheap, priced, pupil } = await aCourse();
    const prices = { [priced]: { prompt: 7, completion: 7 } };
    const outsider = await aPerson(world.service, {
      config: { setups: { default: { prices, currency: 'EUR' } } },
    });
    await world.service.chat(cheap.id, 'Hello?', { key: outsider.key });

    const [theirs, known] = [await reportFor(outsider), await reportFor(pupil)];

    expect(theirs.total).to.include({ runs: 1, cost: null, unpriced_runs: 1 });
    expect([theirs.currency, known.currency]).to.deep.equal(['EUR', 'EUR']);
    expect(known.total.cost).to.equal(0.003);
  });

  /** Sets what the models of somebody's organisation cost, from now on. */
  async function price({ owner, prices, currency = 'EUR' }: PriceChange) {
    const { setups } = speakingTo(world.model) as { setups: { default: object } };
    await configure(world.service, owner, { setups: { default: { ...setups.default, prices, currency } } });
  }

  it('costs what it cost then: another price, none any more, or one that comes later changes nothing', async () => {
    const { owner, pupil, priced, unpriced, cheap, dear } = await aCourse();
    const before = await reportFor(owner, '?group_by=model');
    const runs = await runsOf(pupil);
    const later = { [unpriced]: { prompt: 5, completion: 5 } };

    await price({ owner, prices: { [priced]: { prompt: 200, completion: 1 }, ...later } });
    const after = await reportFor(owner, '?group_by=model');
    await price({ owner, prices: later });

    expect(after).to.deep.equal(before);
    expect(await reportFor(owner, '?group_by=model')).to.deep.equal(before);
    expect(await runsOf(pupil)).to.deep.equal(runs);
    await world.service.chat(cheap.id, 'Hello?', { key: owner.key });
    await world.service.chat(dear.id, 'Hello?', { key: owner.key });
    expect((await reportFor(owner)).total).to.include({ runs: 5, cost: 0.011_5, unpriced_runs: 2 });
  });

  it('that was paid in another currency is told as such, and in the run itself', async () => {
    const { owner, pupil, priced, cheap } = await aCourse();

    await price({ owner, prices: { [priced]: { prompt: 3, completion: 10 } }, currency: 'USD' });
    const { currency, total } = await reportFor(owner);
    await world.service.chat(cheap.id, 'Hello?', { key: pupil.key });

    const other_costs = [{ currency: 'EUR', cost: 0.006 }];
    expect(currency).to.equal('USD');
    expect(total).to.deep.include({ runs: 3, cost: null, unpriced_runs: 1, other_costs });
    const since = (await reportFor(owner)).total;
    expect(since).to.deep.include({ runs: 4, cost: 0.004, unpriced_runs: 1, other_costs });
    expect((await runsOf(pupil)).map((run) => [run.cost, run.currency])).to.deep.equal([
      [0.004, 'USD'],
      [null, 'USD'],
      [0.003, 'EUR'],
    ]);
  });

  it('counts what of a prompt the provider had already at its own price, to the billionth', async () => {
    const { service, model } = world;
    const owner = await aPerson(service);
    const llm = uniqueName('cached');
    await price({ owner, prices: { [llm]: { prompt: 0.15, completion: 0.6, cached: 0.075 } } });
    const details = {
      prompt_tokens_details: { cached_tokens: 700 },
      completion_tokens_details: { reasoning_tokens: 40 },
    };
    await model.script(llm, [say('Hello.', { usage: { ...usage, ...details } })], { repeat: true });
    const { id } = await assistantOf(service, owner, { connector: 'openai', llm });
    for (let n = 0; n < 3; n += 1) await service.chat(id, 'Hello?', { key: owner.key });

    const { total } = await reportFor(owner);
    const [run] = await runsOf(owner);

    // Of a million, 300 at 0.15, 700 at 0.075 and 100 at 0.6; three such fractions make 0.00047250000000000005.
    expect(run).to.deep.include({
      cost: 0.000_157_5,
      usage: { ...usage, cached_tokens: 700, reasoning_tokens: 40 },
    });
    expect(total).to.include({ cost: 0.000_472_5, cached_tokens: 2_100, reasoning_tokens: 120 });
  });

  it('is given as CSV, with a name for each column, in which no name is a formula or ends a cell', async () => {
    const { owner, cheap, dear } = await aCourse();
    const names = { [cheap.id]: '=HYPERLINK("https://evil.example")', [dear.id]: 'a,"b"' };
    for (const [id, name] of Object.entries(names)) {
      const at = `/lamb/v1/assistants/${id}`;
      const { version } = (await world.service.request<{ version: number }>(at, owner)).json;
      await world.service.request(at, { method: 'PUT', key: owner.key, body: { name, version } });
    }

    const path = '/lamb/v1/usage?group_by=assistant&format=csv';
    const { headers, text } = await world.service.request(path, { key: owner.key });

    expect(headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).to.equal('attachment; filename=usage-assistant.csv');
    expect(text.split('\r\n')).to.deep.equal([
      'key,label,runs,prompt_tokens,completion_tokens,cost,currency',
      `${String(cheap.id)},"'=HYPERLINK(""https://evil.example"")",2,2000,200,0.006,EUR`,
      `${String(dear.id)},"a,""b""",1,1000,100,,EUR`,
      '',
    ]);
  });

  it('is asked for with a period that makes sense', async () => {
    const { key } = await aPerson(world.service);
    for (const query of [
      'from=2026-02-02&to=2026-02-01',
      'from=2020-01-01&to=2026-01-01',
      'group_by=x',
      'format=xlsx',
      'to=x',
    ]) {
      const { status } = await world.service.request(`/lamb/v1/usage?${query}`, { key });
      expect(status, query).to.equal(400);
    }
  });

  it('knows no price that is none: the configuration is refused', async () => {
    const administrator = await aPerson(world.service, { role: 'org_admin' });
    const path = `/lamb/v1/organizations/${String(administrator.organizationId)}/config`;
    for (const setup of [
      { prices: { m: { prompt: -1, completion: 1 } } },
      { prices: [] },
      { currency: 'euro' },
    ]) {
      const body = { setups: { default: setup } };
      const answer = await world.service.request(path, { method: 'PUT', key: administrator.key, body });
      expect(answer.status, answer.text).to.equal(422);
    }
  });
});
