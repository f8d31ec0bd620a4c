import { expect } from 'chai';
import { sharedService, type TestService } from '../../support/test-service.js';
import { type AssistantClient, clientOf, type Listed } from '../support/assistant-client.js';
import { refusalOf } from '../support/refusal.js';
import {
  aColleagueOf,
  aPerson,
  auditOf,
  inDatabase,
  type Person,
  shareWith,
} from '../support/users-fixture.js';

const echo = { connector: 'bypass', llm: 'simple-bypass' };

describe('publishing and sharing an assistant', function () {
  this.timeout(60_000);
  let world: TestService;
  let owner: Person;
  let colleague: Person;
  let stranger: Person;
  let mine: AssistantClient;
  before(async () => {
    world = await sharedService();
    owner = await aPerson(world.service);
    colleague = await aColleagueOf(world.service, owner);
    stranger = await aPerson(world.service);
    mine = clientOf(world, owner);
  });
  const made = async () => {
    const { id } = await world.service.createAssistant({ metadata: echo }, { key: owner.key });
    return `/${String(id)}`;
  };
  const chatStatus = async (at: string, { key }: Person) =>
    (await world.service.chat(Number(at.slice(1)), 'Hello?', { key })).status;

  it('opens it to the organisation, to everyone, and closes it again, each a version of its own', async () => {
    const at = await made();

    const inside = await mine.post(`${at}/publish`, { published: true });
    const strangers = await chatStatus(at, stranger);
    const everywhere = await mine.post(`${at}/publish`, { published: true, publish_scope: 'everyone' });
    const strangersNow = await chatStatus(at, stranger);
    const closed = await mine.post(`${at}/publish`, { published: false });

    expect(inside.json).to.include({ published: true, publish_scope: 'organization', version: 2 });
    expect(everywhere.json).to.include({ published: true, publish_scope: 'everyone', version: 3 });
    expect(closed.json).to.include({ published: false, publish_scope: 'everyone', version: 4 });
    expect([strangers, strangersNow, await chatStatus(at, colleague)]).to.deep.equal([404, 200, 404]);
  });

  it('writes nothing when it is so already', async () => {
    const at = await made();
    await mine.post(`${at}/publish`, { published: true });

    const again = await mine.post(`${at}/publish`, { published: true });

    expect(again.status).to.equal(200);
    expect(again.json).to.include({ version: 2 });
  });

  it('takes nothing but what it knows', async () => {
    const at = await made();

    for (const body of [
      {},
      { published: 'yes' },
      { published: true, publish_scope: 'world' },
      { published: true, id: 1 },
    ]) {
      refusalOf(await mine.post(`${at}/publish`, body), 400);
    }
    for (const body of [{}, { email: 7 }, { email: owner.email, role: 'editor' }]) {
      refusalOf(await mine.post(`${at}/shares`, body), 400);
    }
    expect((await mine.get(at)).json).to.include({ version: 1 });
  });

  it('lets a colleague chat until it is taken back, and shows the list by e-mail and name', async () => {
    const at = await made();

    const shared = await mine.post(`${at}/shares`, { email: ` ${colleague.email.toUpperCase()} ` });
    const again = await mine.post(`${at}/shares`, { email: colleague.email });
    const list = await mine.get<Listed>(`${at}/shares`);
    const allowed = await chatStatus(at, colleague);
    const taken = await mine.remove(`${at}/shares/${encodeURIComponent(colleague.email)}`);

    expect([shared.status, again.status, allowed, taken.status]).to.deep.equal([201, 201, 200, 204]);
    expect(shared.json).to.deep.equal({ email: colleague.email, name: 'Ada' });
    expect(list.json.data).to.have.length(1);
    expect(list.json.data[0]).to.have.all.keys('email', 'name', 'created_at');
    expect(list.json.data[0]).to.include({ email: colleague.email, name: 'Ada' });
    expect(await chatStatus(at, colleague)).to.equal(404);
    refusalOf(await mine.remove(`${at}/shares/${encodeURIComponent(colleague.email)}`), 404);
  });

  it('knows nobody of another organisation, in the same words as nobody at all', async () => {
    const at = await made();

    const foreign = await mine.post(`${at}/shares`, { email: stranger.email });
    const nobody = await mine.post(`${at}/shares`, { email: 'nobody@example.test' });

    expect(refusalOf(foreign, 404).message).to.equal('The user was not found.');
    expect(foreign.text).to.equal(nobody.text);
    const taken = await mine.remove(`${at}/shares/${encodeURIComponent(stranger.email)}`);
    const unknown = await mine.remove(`${at}/shares/nobody%40example.test`);
    expect(refusalOf(taken, 404)).to.deep.equal(refusalOf(unknown, 404));
  });

  it('needs no share with its owner', async () => {
    expect(refusalOf(await mine.post(`${await made()}/shares`, { email: owner.email }), 400).param).to.equal(
      'email',
    );
  });

  it('is for its owner and administrators: a guest may neither publish nor share nor see with whom', async () => {
    const at = await made();
    const guest = await aColleagueOf(world.service, owner);
    await shareWith(world.service, Number(at.slice(1)), guest);
    const theirs = clientOf(world, guest);
    const tries = () => [
      () => theirs.post(`${at}/publish`, { published: true }),
      () => theirs.get(`${at}/shares`),
      () => theirs.post(`${at}/shares`, { email: colleague.email }),
      () => theirs.remove(`${at}/shares/${encodeURIComponent(guest.email)}`),
    ];

    for (const attempt of tries()) refusalOf(await attempt(), 403);

    const rows = await auditOf(world.service, guest);
    expect(rows.map(({ action, outcome }) => [action, outcome])).to.deep.equal([
      ['publish', 'denied'],
      ['list shares', 'denied'],
      ['share', 'denied'],
      ['unshare', 'denied'],
    ]);
    expect((await mine.get(at)).json).to.include({ published: false, version: 1 });
    expect((await mine.get<Listed>(`${at}/shares`)).json.data).to.have.length(1);
  });

  it('leaves a line in the audit for each deed, by id and never by e-mail', async () => {
    const at = await made();
    const admin = await aColleagueOf(world.service, owner, 'org_admin');
    const theirs = clientOf(world, admin);

    await theirs.post(`${at}/shares`, { email: colleague.email });
    await theirs.remove(`${at}/shares/${colleague.email}`);
    await theirs.post(`${at}/publish`, { published: true, publish_scope: 'everyone' });
    await theirs.post(`${at}/publish`, { published: false });

    const rows = await auditOf(world.service, admin);
    const user = `with user ${String(colleague.id)}`;
    expect(rows.map(({ action, outcome, reason }) => [action, outcome, reason])).to.deep.equal([
      ['share', 'done', user],
      ['unshare', 'done', user],
      ['publish', 'done', 'to everyone'],
      ['unpublish', 'done', ''],
    ]);
    expect(JSON.stringify(rows)).not.to.contain(colleague.email);
  });

  it('takes back a share that another installation brought from outside the organisation', async () => {
    const at = await made();
    await shareWith(world.service, Number(at.slice(1)), stranger);

    const taken = await mine.remove(`${at}/shares/${encodeURIComponent(stranger.email)}`);

    expect(taken.status).to.equal(204);
    expect(
      await inDatabase(world.service, ({ assistants }) =>
        assistants.isSharedWith(Number(at.slice(1)), stranger.id),
      ),
    ).to.equal(false);
  });
});
