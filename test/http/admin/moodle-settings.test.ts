import { expect } from 'chai';
import { call, say } from '../../support/fakes/model-script.js';
import { type FakeMoodle, startFakeMoodle } from '../../support/moodle.js';
import { createTestService, endWorld, type TestService } from '../../support/test-service.js';
import { configure, providers } from '../support/settings-client.js';
import { assistantFor, enrol, toolMessages } from '../support/students-fixture.js';
import { aPerson, type Person } from '../support/users-fixture.js';

const ENVIRONMENT_TOKEN = 'canary-token-of-the-environment';

describe('the Moodle of an organisation', function () {
  this.timeout(60_000);
  let world: TestService;
  let moodle: FakeMoodle;
  let other: FakeMoodle;
  let person: Person;
  before(async () => {
    [moodle, other] = await Promise.all([startFakeMoodle(), startFakeMoodle()]);
    await moodle.treat(ENVIRONMENT_TOKEN, {});
    world = await createTestService({ MOODLE_API_URL: `${moodle.url}/`, MOODLE_TOKEN: ENVIRONMENT_TOKEN });
    const me = (await world.service.request<{ organization_id: number }>('/lamb/v1/me')).json;
    person = await aPerson(world.service, { organizationId: me.organization_id });
  });
  after(() => Promise.all([endWorld(world), moodle.stop(), other.stop()]));

  const set = (config: object, whose = person) => configure(world.service, whose, config);
  const ask = async (whose = person) => {
    const { id, model } = await assistantFor({ world }, whose, [call('get_moodle_courses'), say('There.')]);
    await world.service.chat(id, 'Courses?', { key: whose.key });
    return (await toolMessages(world, model))[0]!;
  };
  const NOT_SET_UP = 'Error: Moodle is not configured. An administrator can set it up.';

  it('is the environment’s in the default organisation, which still decides whether e-mails are enough', async () => {
    const { course } = await enrol(moodle, person.email);

    await set({});
    const before = await ask();
    await set({ setups: { default: { moodle: { match_by_email: true } } } });
    const after = await ask();

    expect(before).to.match(/^Error: It is not known who you are in Moodle/);
    expect(after).to.contain(course.fullname);
  });

  it('is not the environment’s in any other', async () => {
    const elsewhere = await aPerson(world.service);
    await enrol(moodle, elsewhere.email);
    const openai = { base_url: `${world.model.url}/v1` };
    await set(providers(openai, { moodle: { match_by_email: true } }), elsewhere);

    expect(await ask(elsewhere)).to.equal(NOT_SET_UP);
  });

  it('never gets the environment’s token at an address of its own, nor its own token at the environment’s', async () => {
    const token = await other.token();
    const asked = (await moodle.ledger()).length;

    await set({ moodle: { api_url: other.url, match_by_email: true } });
    const addressAlone = await ask();
    await set({ moodle: { token, match_by_email: true } });
    const tokenAlone = await ask();

    expect([addressAlone, tokenAlone]).to.deep.equal([NOT_SET_UP, NOT_SET_UP]);
    expect(await other.ledger()).to.deep.equal([]);
    expect((await moodle.ledger()).length).to.equal(asked);
  });

  it('may stand beside the setups, and its token reads back as a mask that is kept', async () => {
    const token = await other.token();
    const { course } = await enrol(other, person.email);
    await set({ moodle: { api_url: other.url, token, match_by_email: true } });
    const path = `/lamb/v1/organizations/${String(person.organizationId)}/config`;

    const shown = await world.service.request<object>(path);
    await set(shown.json);
    const told = await ask();

    expect(shown.text).to.contain('••••').and.not.to.contain(token);
    expect(told).to.contain(course.fullname);
    expect(new Set((await other.ledger()).map(({ subject }) => subject))).to.deep.equal(new Set([token]));
  });

  it('is not asked about people by their e-mail unless exactly true says so', async () => {
    for (const match_by_email of [undefined, false, 'true', 1, {}]) {
      await set({ setups: { default: { moodle: { match_by_email } } } });

      expect(await ask(), String(match_by_email)).to.match(/^Error: It is not known who you are in Moodle/);
    }
  });

  it('keeps the environment’s token out of everything that is said', () => {
    expect(world.service.output()).not.to.contain(ENVIRONMENT_TOKEN);
  });
});
