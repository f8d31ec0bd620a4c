import { expect } from 'chai';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';
import { type AssistantClient, clientOf } from '../support/assistant-client.js';
import { refusalOf } from '../support/refusal.js';
import {
  aColleagueOf,
  aPerson,
  disable,
  inDatabase,
  type Person,
  publish,
  shareWith,
} from '../support/users-fixture.js';

interface Access {
  readonly allowed: boolean;
  readonly rule: string;
  readonly explanation: string;
}

describe('an access check', function () {
  this.timeout(60_000);
  let world: TestService;
  let owner: Person;
  let mine: AssistantClient;
  before(async () => {
    world = await sharedService();
    owner = await aPerson(world.service);
    mine = clientOf(world, owner);
  });
  const made = async (content: object = {}, key = owner.key) =>
    (await world.service.createAssistant(content, { key })).id;
  const check = async (id: number, query = '', client = mine) => {
    const answer = await client.get<Access>(`/${String(id)}/access-check${query}`);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.json).to.have.all.keys('allowed', 'rule', 'explanation');
    expect(answer.json.explanation).to.match(/^\S[^\n]*\.$/);
    return answer.json;
  };
  const as = ({ email }: Person) => `?as=${encodeURIComponent(email)}`;
  const switchOff = (id: number) =>
    inDatabase(world.service, (_stores, db) => db('assistants').where({ id }).update({ enabled: false }));

  it('names the rule that lets somebody in, or that nothing does', async () => {
    const [colleague, guest, admin, root] = await Promise.all([
      aColleagueOf(world.service, owner),
      aColleagueOf(world.service, owner),
      aColleagueOf(world.service, owner, 'org_admin'),
      aColleagueOf(world.service, owner, 'system_admin'),
    ]);
    const [id, inside, everywhere] = [await made(), await made(), await made()];
    await shareWith(world.service, id, guest);
    await publish(world.service, inside, 'organization', owner);
    await publish(world.service, everywhere, 'everyone', owner);

    const rules = await Promise.all([
      check(id),
      check(id, as(guest)),
      check(id, as(colleague)),
      check(id, as(admin)),
      check(id, as(root)),
      check(inside, as(colleague)),
      check(everywhere, as(colleague)),
    ]);

    expect(rules.map(({ rule, allowed }) => [rule, allowed])).to.deep.equal([
      ['owner', true],
      ['shared', true],
      ['none', false],
      ['organization_admin', true],
      ['system_admin', true],
      ['published_organization', true],
      ['published_everyone', true],
    ]);
    expect(rules[2].explanation).to.contain(colleague.email).and.to.contain('nor published');
  });

  it('knows what is switched off: the assistant, or the account', async () => {
    const [gone, id, off] = [await aColleagueOf(world.service, owner), await made(), await made()];
    await disable(world.service, gone);
    await switchOff(off);

    expect(await check(id, as(gone))).to.include({ allowed: false, rule: 'account_disabled' });
    expect(await check(off)).to.include({ allowed: false, rule: 'disabled' });
  });

  it('agrees with what chatting does', async () => {
    const [guest, colleague] = [
      await aColleagueOf(world.service, owner),
      await aColleagueOf(world.service, owner),
    ];
    const id = await made({ metadata: { connector: 'bypass', llm: 'simple-bypass' } });
    await shareWith(world.service, id, guest);

    for (const person of [owner, guest, colleague]) {
      const { allowed } = await check(id, as(person));
      expect((await world.service.chat(id, 'Hello?', { key: person.key })).status).to.equal(
        allowed ? 200 : 404,
      );
    }
  });

  it('tells whether another assistant may call it, by the right of that one’s owner', async () => {
    const colleague = await aColleagueOf(world.service, owner);
    const [target, orchestrator, acting] = [
      await made(),
      await made({ metadata: { tools: [weatherFunction] } }),
      await made(),
    ];
    const theirs = await made({}, colleague.key);
    await publish(world.service, theirs, 'organization', colleague);
    const off = await made();
    await switchOff(off);
    const by = (id: number) => `?assistant=${String(id)}`;

    const rules = await Promise.all([
      check(target, by(acting)),
      check(target, by(theirs)),
      check(orchestrator, by(acting)),
      check(target, by(target)),
      check(off, by(acting)),
    ]);

    expect(rules.map(({ rule, allowed }) => [rule, allowed])).to.deep.equal([
      ['owner', true],
      ['none', false],
      ['orchestrator_target', false],
      ['itself', false],
      ['disabled', false],
    ]);
    expect(rules[2].explanation).to.contain('functions');
  });

  it('lets everybody ask about themselves and their own assistants, and about others only those who may change it', async () => {
    const [guest, other] = [
      await aColleagueOf(world.service, owner),
      await aColleagueOf(world.service, owner),
    ];
    const id = await made();
    await shareWith(world.service, id, guest);
    const theirs = clientOf(world, guest);
    const own = await made({}, guest.key);
    await publish(world.service, own, 'organization', guest);

    expect(await check(id, '', theirs)).to.include({ rule: 'shared' });
    expect(await check(id, as({ ...guest, email: guest.email.toUpperCase() }), theirs)).to.include({
      rule: 'shared',
    });
    expect(await check(id, `?assistant=${String(own)}`, theirs)).to.include({ rule: 'shared' });
    refusalOf(await theirs.get(`/${String(id)}/access-check${as(other)}`), 403);
    refusalOf(await theirs.get(`/${String(id)}/access-check?assistant=${String(id)}`), 403);
  });

  it('tells nothing of what the caller may not know: assistants, people, other assistants', async () => {
    const stranger = await aPerson(world.service);
    const id = await made();
    const foreign = await made({}, stranger.key);
    const theirs = clientOf(world, stranger);

    const hidden = await theirs.get(`/${String(id)}/access-check`);
    const absent = await theirs.get('/999999999/access-check');
    const person = await mine.get(`/${String(id)}/access-check${as(stranger)}`);
    const nobody = await mine.get(`/${String(id)}/access-check?as=nobody%40example.test`);
    const acting = await mine.get(`/${String(id)}/access-check?assistant=${String(foreign)}`);

    refusalOf(hidden, 404);
    expect(hidden.text).to.equal(absent.text);
    refusalOf(person, 404);
    expect(person.text).to.equal(nobody.text);
    refusalOf(acting, 404);
    const root = clientOf(world, { key: world.service.adminKey });
    expect(await check(id, as(stranger), root)).to.include({ allowed: false, rule: 'none' });
  });

  it('takes one question at a time', async () => {
    const id = await made();

    refusalOf(await mine.get(`/${String(id)}/access-check?as=a&assistant=1`), 400);
    refusalOf(await mine.get(`/${String(id)}/access-check?assistant=x`), 400);
  });
});
