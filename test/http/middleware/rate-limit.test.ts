import { expect } from 'chai';
import { type Service, startService } from '../../support/service.js';
import { expectAlive, refusalOf } from '../support/refusal.js';
import { aPerson, anExpiredKeyOf, type Person } from '../support/users-fixture.js';

const LIMIT = 3;

describe('the rate limit', function () {
  this.timeout(60_000);
  let service: Service;
  before(async () => {
    service = await startService({ RATE_LIMIT: String(LIMIT) });
  });
  after(() => service.stop());
  const ask = (key: string, path = '/lamb/v1/me') => service.request(path, { key });
  const spend = async ({ key }: Person) => Promise.all(Array.from({ length: LIMIT }, () => ask(key)));

  it('refuses the fourth request of a key within the minute, and says when to come back', async () => {
    const person = await aPerson(service);

    const first = await spend(person);
    const fourth = await ask(person.key);

    expect(first.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(refusalOf(fourth, 429)).to.include({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
    expect(fourth.headers.get('retry-after')).to.match(/^\d+$/);
    expect(Number(fourth.headers.get('retry-after'))).to.be.within(1, 60);
  });

  it('lets exactly three of many requests at the same time through', async () => {
    const { key } = await aPerson(service);

    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(key)));

    expect(answers.filter(({ status }) => status === 200)).to.have.length(LIMIT);
    expect(answers.filter(({ status }) => status === 429)).to.have.length(30 - LIMIT);
  });

  it('counts all routes of a key together, chat and unknown ones included', async () => {
    const { key } = await aPerson(service);

    await service.request('/v1/chat/completions', { key, body: { model: '1', messages: [] } });
    await ask(key, '/v1/models');
    await ask(key, '/lamb/v1/no-such-route');

    refusalOf(await ask(key), 429);
    refusalOf(await service.request('/v1/chat/completions', { key, body: {} }), 429);
  });

  it('does not touch another key, even of the same person or organisation', async () => {
    const person = await aPerson(service);
    const colleague = await aPerson(service, { organizationId: person.organizationId });
    const made = await service.request<{ key: string }>('/lamb/v1/api-keys', {
      key: person.key,
      body: { name: 'second' },
    });
    await spend(person);

    const answers = await Promise.all([ask(person.key), ask(made.json.key), ask(colleague.key)]);

    expect(answers.map(({ status }) => status)).to.deep.equal([429, 200, 200]);
  });

  it('is not spent by credentials that are not valid, which get 401 as ever', async () => {
    const person = await aPerson(service);
    const expired = await anExpiredKeyOf(service, person);

    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(expired)));

    for (const answer of answers) refusalOf(answer, 401);
    expect((await ask(person.key)).status).to.equal(200);
  });

  it('leaves health checks alone', async () => {
    for (let i = 0; i < LIMIT * 3; i++) await expectAlive(service);
  });
});
