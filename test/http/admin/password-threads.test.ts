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
  before(async () => {
    // Half of what it is in life: long enough for much to happen meanwhile.
    service = await startService({ RATE_LIMIT: '0' }, { passwordCost: 2 ** 14 });
  });
  after(() => service.stop());

  const create = (admin: Person, signal?: AbortSignal) =>
    service.request(USERS, {
      body: { email: `${uniqueName('user')}@example.test`, name: 'Grace', password: PASSWORD },
      key: admin.key,
      ...(signal ? { signal } : {}),
    });

  describe('when an organisation sets more of them at once than may wait', () => {
    /** Two threads at most are at work, and forty passwords of one person wait. */
    const FLOOD = 60;
    let admin: Person;
    let answers: readonly Answer<unknown>[];
    let meanwhile: readonly { readonly status: number; readonly text: string; readonly made: number }[];
    before(async () => {
      admin = await aPerson(service, { role: 'org_admin' });
      const [other, person] = [await aPerson(service), await aPerson(service, { password: PASSWORD })];
      const { id } = await service.createAssistant(
        { metadata: { connector: 'demo', llm: 'demo' } },
        { key: other.key },
      );
      const creations = Array.from({ length: FLOOD }, () => create(admin));
      let made = 0;
      await Promise.any(
        creations.map(async (creation) => {
          if ((await creation).status !== 201) throw new Error('refused');
          made += 1;
        }),
      );
      const beside = ({ status, text }: Answer<unknown>) => ({ status, text, made });

      meanwhile = await Promise.all([
        service.chat(id, 'Hello?', { key: other.key }).then(beside),
        signIn(service, person.email, PASSWORD).then(beside),
      ]);
      answers = await Promise.all(creations);
    });

    it('make nobody else wait: a chat is answered while most of the new accounts are still to come', () => {
      const [chat] = meanwhile;
      expect(chat?.status, chat?.text).to.equal(200);
      expect(chat?.made).to.be.lessThan(MANY / 2);
    });

    it('let a person sign in before the flood is through', () => {
      const [, signedIn] = meanwhile;
      expect(signedIn?.status, signedIn?.text).to.equal(200);
      expect(signedIn?.made).to.be.lessThan(MANY / 2);
    });

    it('are refused with 503 and Retry-After where too many wait, and none is half made', async () => {
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused).not.to.be.empty;
      expect(answers.length - refused.length).to.be.at.least(MANY);
      for (const answer of refused) {
        expect(refusalOf(answer, 503).code).to.equal('busy');
        expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 60);
      }
      expect(await accountsOf(admin)).to.equal(1 + answers.length - refused.length);
    });
  });

  it('make nobody else wait when they come from another installation, whose hashes are slow', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => aPerson(service)));
    const hash = await bcrypt.hash(PASSWORD, 8);
    await inDatabase(service, (_stores, db) => db('users').update({ password_hash: hash }));
    const signIns = people.map(({ email }) => signIn(service, email, PASSWORD));

    const me = await service.request('/lamb/v1/me', { key: people[0]!.key });

    expect(me.status).to.equal(200);
    expect((await Promise.all(signIns)).map(({ status }) => status)).to.deep.equal(people.map(() => 200));
  });

  it('are let go when whoever asked has gone', async () => {
    const admin = await aPerson(service, { role: 'org_admin' });
    const gone = new AbortController();
    const creations = Array.from({ length: MANY }, () => create(admin, gone.signal));
    for (const creation of creations) creation.catch(() => undefined);
    await Promise.race(creations);

    gone.abort();
    await Promise.allSettled(creations);
    // Behind all that still wait under the same name.
    expect((await create(admin)).status).to.equal(201);

    expect(await accountsOf(admin)).to.be.lessThan(MANY / 2);
  });

  async function accountsOf({ organizationId }: Person): Promise<number> {
    return inDatabase(service, async (_stores, db) => {
      const rows = await db('users').where({ organization_id: organizationId }).pluck<number[]>('id');
      return rows.length;
    });
  }
});
