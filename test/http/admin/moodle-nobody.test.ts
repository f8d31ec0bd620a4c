import { expect } from 'chai';
import { calls, say } from '../../support/fakes/model-script.js';
import { type FakeMoodle, startFakeMoodle } from '../../support/moodle.js';
import { VICTIM } from '../../support/fakes/moodle-school.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { configure, providers } from '../support/settings-client.js';
import { aColleagueOf, auditOf, type Person, publish } from '../support/users-fixture.js';
import { aPupil, asPlaceholder, assistantFor, toolMessages } from '../support/students-fixture.js';

const FUNCTIONS = [
  'get_moodle_courses',
  'get_moodle_assignments',
  'get_moodle_grades',
  'get_moodle_deadlines',
];

describe('somebody whom nobody vouches for', () => {
  let world: TestService;
  let moodle: FakeMoodle;
  before(async () => {
    [world, moodle] = await Promise.all([sharedService(), startFakeMoodle()]);
  });
  after(() => moodle.stop());

  const UNKNOWN = 'Error: It is not known who you are in Moodle, so nothing was read there.';
  const askAll = async (pupil: Person, id: number, model: string) => {
    await world.service.chat(id, 'Mine?', { key: pupil.key });
    return toolMessages(world, model);
  };
  const steps = [calls(FUNCTIONS.map((name) => ({ name, arguments: {} }))), say('No.')];

  it('is refused, and that is kept; Moodle is not asked at all', async () => {
    const pupil = await aPupil({ world, moodle }, { matchByEmail: false });
    const { id, model } = await assistantFor({ world }, pupil, steps);

    const told = await askAll(pupil, id, model);

    expect(told).to.have.length(4);
    for (const text of told) expect(text.startsWith(UNKNOWN), text).to.equal(true);
    expect(await moodle.ledger(pupil.token)).to.deep.equal([]);
    const audited = (await auditOf(world.service, pupil)).filter(
      ({ action }) => action === 'use in a tool call',
    );
    expect(audited.map(({ resource, outcome }) => [resource, outcome])).to.have.deep.members(
      ['moodle', 'moodle_assignments', 'moodle_grades', 'moodle_deadlines'].map((name) => [
        `tool ${name}`,
        'denied',
      ]),
    );
    expect(JSON.stringify(audited)).not.to.contain('@');
  });

  it('is refused when Moodle shows nobody, two people, or an account that is switched off', async () => {
    const hidden = await aPupil({ world, moodle }, { lacks: ['moodle/site:viewuseridentity'] });
    const double = await aPupil({ world, moodle });
    const suspended = await aPupil({ world, moodle }, { suspended: true });
    await moodle.add({ students: [{ ...VICTIM, email: double.email.toUpperCase() }] });
    for (const pupil of [hidden, double, suspended]) {
      const { id, model } = await assistantFor({ world }, pupil, steps);

      const told = await askAll(pupil, id, model);

      for (const text of told) expect(text).to.match(/^Error: Moodle shows nobody of your e-mail address/);
      const called = (await moodle.ledger(pupil.token)).map(({ body }) => body.function);
      expect(new Set(called)).to.deep.equal(new Set(['core_user_get_users_by_field']));
    }
  });

  it('is refused by another organisation’s assistant, whatever their own says of them', async () => {
    const owner = await aPupil({ world, moodle });
    const { id, model } = await assistantFor({ world }, owner, steps);
    await publish(world.service, id, 'everyone', owner);
    const stranger = await aPupil({ world, moodle });

    const told = await askAll(stranger, id, model);

    for (const text of told) expect(text.startsWith(UNKNOWN), text).to.equal(true);
    expect(await moodle.ledger(owner.token)).to.deep.equal([]);
    expect(await moodle.ledger(stranger.token)).to.deep.equal([]);
  });

  it('is refused in a placeholder as well, and the answer goes on without it', async () => {
    const pupil = await aPupil({ world, moodle }, { matchByEmail: false });
    const { id, model } = await assistantFor({ world }, pupil, [say('Hello.')], {
      prompt_template: '<{moodle_grades}> {user_input}',
      tools: [asPlaceholder('moodle_grades')],
    });

    const { status } = await world.service.chat(id, 'Mine?', { key: pupil.key });

    expect(status).to.equal(200);
    expect((await world.model.ledger(model))[0]!.body.messages.at(-1)!.content).to.equal('<> Mine?');
    expect(await moodle.ledger(pupil.token)).to.deep.equal([]);
    expect((await auditOf(world.service, pupil)).map(({ action }) => action)).to.include(
      'use in a placeholder call',
    );
  });

  it('is told to ask an administrator where Moodle is not set up', async () => {
    const pupil = await aPupil({ world, moodle }, { moodle: { api_url: moodle.url } });
    const { id, model } = await assistantFor({ world }, pupil, steps);

    const told = await askAll(pupil, id, model);

    for (const text of told)
      expect(text).to.equal('Error: Moodle is not configured. An administrator can set it up.');
  });

  it('is known from the next request on when the organisation allows it', async () => {
    const pupil = await aPupil({ world, moodle }, { matchByEmail: false });
    const colleague = await aColleagueOf(world.service, pupil);
    const set = { api_url: moodle.url, token: pupil.token, match_by_email: true };
    const { id, model } = await assistantFor({ world }, pupil, [...steps.slice(0, 1), say('No.'), ...steps]);

    await askAll(pupil, id, model);
    await configure(
      world.service,
      colleague,
      providers({ base_url: `${world.model.url}/v1` }, { moodle: set }),
    );
    const told = await askAll(pupil, id, model);

    expect(told[0]).to.contain(pupil.course.fullname);
  });
});
