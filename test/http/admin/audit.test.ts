import { expect } from 'chai';
import { sharedService, type TestService } from '../../support/test-service.js';
import { aColleagueOf, aPerson, type Person } from '../support/users-fixture.js';

interface Entry {
  readonly id: number;
  readonly at: string;
  readonly user_id: number;
  readonly user_email: string;
  readonly organization_id: number;
  readonly action: string;
  readonly resource: string;
  readonly outcome: string;
  readonly reason: string;
  readonly run_id: string | null;
}
interface EntryPage {
  readonly data: readonly Entry[];
  readonly next_cursor: string | null;
}

describe('the audit', () => {
  let world: TestService;
  let administrator: Person;
  let teacher: Person;

  before(async () => {
    world = await sharedService();
    const { service } = world;
    administrator = await aPerson(service, { role: 'org_admin' });
    teacher = await aColleagueOf(service, administrator);
    const path = `/lamb/v1/organizations/${String(administrator.organizationId)}`;
    await service.request(path, { method: 'PATCH', key: administrator.key, body: { name: 'First' } });
    await service.request('/lamb/v1/users', { key: teacher.key });
    await service.request(path, { method: 'PATCH', key: administrator.key, body: { name: 'Second' } });
  });

  const listFor = async ({ key }: Pick<Person, 'key'>, query = '') =>
    (await world.service.request<EntryPage>(`/lamb/v1/audit${query}`, { key })).json;

  it('tells administrators what was done and refused in their organisation, newest first', async () => {
    const { data, next_cursor } = await listFor(administrator);

    const [changed, refused, first] = data;
    expect(data).to.have.length(3);
    expect(changed).to.deep.include({
      user_id: administrator.id,
      user_email: administrator.email,
      organization_id: administrator.organizationId,
      action: 'change organisation',
      resource: `organisation ${String(administrator.organizationId)}`,
      outcome: 'done',
      reason: 'changed name',
      run_id: null,
    });
    expect(changed?.at).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(refused).to.include({ user_email: teacher.email, action: 'list users', outcome: 'denied' });
    expect(first?.id).to.be.lessThan(changed?.id ?? 0);
    expect(next_cursor).to.equal(null);
  });

  it('is narrowed by words, person, outcome and time, and comes in pages', async () => {
    const found = async (query: string) =>
      (await listFor(administrator, query)).data.map(({ action }) => action);

    expect(await found('?q=LIST')).to.deep.equal(['list users']);
    expect(await found(`?q=${teacher.email.slice(0, 12)}`)).to.deep.equal(['list users']);
    expect(await found('?q=%25')).to.deep.equal([]);
    expect(await found('?outcome=denied')).to.deep.equal(['list users']);
    expect(await found(`?user_id=${String(administrator.id)}`)).to.have.length(2);
    expect(await found('?to=2020-01-01')).to.deep.equal([]);
    expect(await found('?from=2020-01-01')).to.have.length(3);
    const first = await listFor(administrator, '?limit=2');
    const rest = await listFor(administrator, `?limit=2&cursor=${first.next_cursor!}`);
    expect([...first.data, ...rest.data].map(({ id }) => id)).to.deep.equal(
      (await listFor(administrator)).data.map(({ id }) => id),
    );
    for (const query of ['?outcome=maybe', '?user_id=x', '?from=x', '?cursor=x']) {
      const { status } = await world.service.request(`/lamb/v1/audit${query}`, { key: administrator.key });
      expect(status, query).to.equal(400);
    }
  });

  it('of another organisation is for system administrators alone', async () => {
    const foreign = await aPerson(world.service, { role: 'org_admin' });
    const path = `?organization_id=${String(administrator.organizationId)}`;

    const refused = await world.service.request(`/lamb/v1/audit${path}`, { key: foreign.key });

    expect(refused.status).to.equal(404);
    expect((await listFor(foreign)).data.every((entry) => entry.user_id === foreign.id)).to.equal(true);
    const { data } = await listFor({ key: world.service.adminKey }, path);
    expect(data.map(({ action }) => action)).to.include('list users');
  });
});
