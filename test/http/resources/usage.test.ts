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
  readonly total: Omit<Row, 'key' | 'label'> & { readonly unpriced_runs: number };
  readonly currency: string;
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
    const sum = { runs: 3, prompt_tokens: 3_000, completion_tokens: 300, cost: 0.006 };
    expect(rows.at(-1)).to.deep.equal({ key: TODAY(), label: TODAY(), ...sum });
    expect(rows[0]).to.include({ runs: 0, prompt_tokens: 0, cost: 0 });
    expect({ total, currency }).to.deep.equal({ total: { ...sum, unpriced_runs: 1 }, currency: 'EUR' });
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

  it('is asked for with a period that makes sense', async () => {
    const { key } = await aPerson(world.service);
    for (const query of [
      'from=2026-02-02&to=2026-02-01',
      'from=2020-01-01&to=2026-01-01',
      'group_by=x',
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
