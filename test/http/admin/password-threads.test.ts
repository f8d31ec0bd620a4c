import bcrypt from 'bcryptjs';
import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { type Answer, type Service, startService } from '../../support/service.js';
import { PASSWORD, signIn } from '../support/credentials.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson, inDatabase, type Person } from '../support/users-fixture.js';

const MANY = 16;
const USERS = '/lamb/v1/users';

describe('passwords being set or checked', function () {
  this.timeout(60_000);
  let service: Service;
  let admin: Person;
  before(async () => {
    service = await startService({ RATE_LIMIT: '0' });
  });
  after(() => service.stop());
  beforeEach(async () => {
    admin = await aPerson(service, { role: 'org_admin' });
  });

  const create = (signal?: AbortSignal) =>
    service.request(USERS, {
      body: { email: `${uniqueName('user')}@example.test`, name: 'Grace', password: PASSWORD },
      key: admin.key,
      ...(signal ? { signal } : {}),
    });
  /** Waits for the first of many, with how many of them have been answered by now. */
  const begin = async (requests: readonly Promise<Answer<unknown>>[]) => {
    let answered = 0;
    for (const request of requests) void request.then(() => (answered += 1));
    await Promise.race(requests);
    return () => answered;
  };

  it('make nobody else wait: a chat is answered while most of many new accounts are still to come', async () => {
    const other = await aPerson(service);
    const { id } = await service.createAssistant(
      { metadata: { connector: 'demo', llm: 'demo' } },
      { key: other.key },
    );
    const creations = Array.from({ length: MANY }, () => create());
    const answered = await begin(creations);

    const chat = await service.chat(id, 'Hello?', { key: other.key });

    expect(chat.status, chat.text).to.equal(200);
    expect(answered()).to.be.lessThan(MANY / 2);
    const made = await Promise.all(creations);
    expect(made.map(({ status }) => status)).to.deep.equal(Array.from({ length: MANY }, () => 201));
  });

  it('make nobody else wait when they come from another installation, whose hashes are slow', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => aPerson(service)));
    const hash = await bcrypt.hash(PASSWORD, 10);
    await inDatabase(service, (_stores, db) => db('users').update({ password_hash: hash }));
    const signIns = people.map(({ email }) => signIn(service, email, PASSWORD));

    const me = await service.request('/lamb/v1/me', { key: people[0]!.key });

    expect(me.status).to.equal(200);
    expect((await Promise.all(signIns)).map(({ status }) => status)).to.deep.equal(people.map(() => 200));
  });

  it('let a person sign in before a flood of new accounts in an organisation is through', async () => {
    const person = await aPerson(service, { password: PASSWORD });
    const creations = Array.from({ length: MANY }, () => create());
    const answered = await begin(creations);

    const signedIn = await signIn(service, person.email, PASSWORD);

    expect(signedIn.status).to.equal(200);
    expect(answered()).to.be.lessThan(MANY / 2);
    await Promise.all(creations);
  });

  it('are refused with 503 and Retry-After where too many wait, and none is half made', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => create()));

    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).not.to.be.empty;
    for (const answer of refused) {
      expect(refusalOf(answer, 503).code).to.equal('busy');
      expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 60);
    }
    expect(await accounts()).to.equal(1 + answers.length - refused.length);
  });

  it('are let go when whoever asked has gone', async () => {
    const gone = new AbortController();
    const creations = Array.from({ length: MANY }, () => create(gone.signal));
    for (const creation of creations) creation.catch(() => undefined);
    await Promise.race(creations);

    gone.abort();
    await Promise.allSettled(creations);
    // Behind all that still wait under the same name.
    expect((await create()).status).to.equal(201);

    expect(await accounts()).to.be.lessThan(MANY / 2);
  });

  async function accounts(): Promise<number> {
    const { organizationId } = admin;
    return inDatabase(service, async (_stores, db) => {
      const rows = await db('users').where({ organization_id: organizationId }).pluck<number[]>('id');
      return rows.length;
    });
  }
});
