import { expect } from 'chai';
import { calls, say } from '../../support/fakes/model-script.js';
import type { LedgerRow } from '../../support/fakes/ledger.js';
import { type FakeMoodle, type MoodleCall, startFakeMoodle } from '../../support/moodle.js';
import { createTestService, endWorld, type TestService } from '../../support/test-service.js';
import { spellings } from '../support/api-client.js';
import { aPupil, assistantFor, toolMessages } from '../support/students-fixture.js';

const FUNCTIONS = [
  'get_moodle_courses',
  'get_moodle_assignments',
  'get_moodle_grades',
  'get_moodle_deadlines',
];
const USUAL = 'Error: Moodle could not be reached or gave an unusable answer.';
const LOG = 'An administrator finds the reason in the log.';
const REFUSED = `Error: Moodle does not let this service read this for you. ${LOG}`;
const NOT_SHOWN = `Error: Moodle does not show this course to this service. ${LOG}`;
const SUSPENDED = `Error: Moodle has switched off the account of this service. ${LOG}`;

/** What the site does, and what the model is told of it. */
const cases: readonly (readonly [fault: string, told: string, toldInTools?: string])[] = [
  ['invalidtoken', `Error: Moodle does not accept the token of this service. ${LOG}`],
  ['accessexception', `Error: Moodle does not let this service use a function it needs. ${LOG}`],
  ['invalidparameter', USUAL],
  ['invalidrecord', USUAL],
  ['some_new_code', USUAL],
  ['nopermission', REFUSED],
  ['nopermissiontoviewgrades', REFUSED],
  ['requireloginerror', NOT_SHOWN],
  ['errorcoursecontextnotvalid', NOT_SHOWN],
  ['notingroup', NOT_SHOWN],
  ['wsaccessusersuspended', SUSPENDED],
  ['sitemaintenance', 'Error: Moodle is being maintained. Try again later.'],
  ['off', `Error: Moodle's web services are switched off. ${LOG}`],
  ['redirect', `Error: Moodle is not at the address that is set for it. ${LOG}`],
  ['html', USUAL],
  ['broken', USUAL],
  ['reset', USUAL],
  ['null', USUAL],
  ['odd', USUAL],
  ['silent', 'Error: Moodle took too long.', 'Error: The tool took too long.'],
  ['huge', 'Error: Moodle sent more than can be taken.'],
  ['endless', 'Error: Moodle sent more than can be taken.'],
];

describe('a Moodle that fails', function () {
  this.timeout(60_000);
  let world: TestService;
  let moodle: FakeMoodle;
  before(async () => {
    [world, moodle] = await Promise.all([
      createTestService({ LOG_LEVEL: 'debug', TOOL_TIMEOUT_MS: '4000' }),
      startFakeMoodle(),
    ]);
  });
  after(() => Promise.all([endWorld(world), moodle.stop()]));

  /** Once while the person is looked up, and once in each tool. */
  const act = async (fault: string, only: string | undefined) => {
    const pupil = await aPupil({ world, moodle }, { fault, ...(only === undefined ? {} : { only }) });
    const steps = [calls(FUNCTIONS.map((name) => ({ name, arguments: {} }))), say('It failed.')];
    const { id, model } = await assistantFor({ world }, pupil, steps, { metadata: { verbose: true } });
    const stream = await world.service.stream(id, 'Mine?', { key: pupil.key });
    const { text } = await stream.whole();
    const runId = stream.response.headers.get('x-run-id') ?? '';
    const trace = await world.service.request(`/lamb/v1/runs/${runId}`, { key: pupil.key });
    const seen = [stream.raw(), JSON.stringify([...stream.response.headers]), trace.text].join('\n');
    const told = await toolMessages(world, model);
    const read = JSON.stringify(await world.model.ledger(model));
    return { text, seen: seen + read, told, rows: await moodle.ledger(pupil.token), pupil };
  };
  const both = (fault: string) =>
    Promise.all([act(fault, undefined), act(fault, 'core_enrol_get_users_courses')]);

  for (const [fault, sentence, inTools = sentence] of cases) {
    it(`(${fault}) is told of in a sentence of ours, never as "no courses", and its token stays in the body`, async () => {
      const [person, courses] = await both(fault);

      expect(person.told).to.deep.equal([sentence, sentence, sentence, sentence]);
      expect(courses.told.slice(0, 3)).to.deep.equal([inTools, inTools, inTools]);
      expect(courses.told[3]).to.match(/^Today is/);
      expect([person.text, courses.text]).to.deep.equal(['It failed.', 'It failed.']);
      for (const { rows, pupil, seen } of [person, courses]) {
        expect(rows.length).to.be.greaterThan(0);
        for (const row of rows) expectTokenInBody(row, pupil.token);
        const everywhere = seen + world.service.output();
        for (const spelling of spellings(pupil.token)) expect(everywhere).not.to.contain(spelling);
        expect(everywhere).not.to.match(/weblib|Sign in/);
      }
    });
  }

  function expectTokenInBody(row: LedgerRow<MoodleCall>, token: string): void {
    const { method, path, headers, authorization, body } = row;
    expect({ method, path, authorization, inBody: body.tokenInBody }).to.deep.equal({
      method: 'POST',
      path: '/webservice/rest/server.php',
      authorization: null,
      inBody: true,
    });
    expect(JSON.stringify(headers)).not.to.contain(token);
  }

  it('is named in the log with its function, its errorcode and what an administrator can do', async () => {
    const pupil = await aPupil({ world, moodle }, { lacks: ['moodle/calendar:manageentries'] });
    const steps = [calls([{ name: 'get_moodle_deadlines', arguments: {} }]), say('It failed.')];
    const { id, model } = await assistantFor({ world }, pupil, steps);

    await world.service.chat(id, 'Deadlines?', { key: pupil.key });

    expect(await toolMessages(world, model)).to.deep.equal([REFUSED]);
    const line = await world.service.waitForLog(
      ({ errorcode, wsfunction }) =>
        errorcode === 'nopermission' && wsfunction === 'core_calendar_get_action_events_by_timesort',
    );
    expect(line).to.include({ capability: 'moodle/calendar:manageentries', msg: 'Moodle refused' });
    expect(line['advice']).to.be.a('string').that.is.not.empty;
    expect(JSON.stringify(world.service.logs())).not.to.contain(pupil.email);
  });

  it('does not follow a redirect: where it leads is never called', async () => {
    await act('redirect', undefined);

    const elsewhere = (await moodle.ledger()).filter(({ path }) => path.includes('elsewhere'));

    expect(elsewhere).to.deep.equal([]);
  });

  it('that is not there at all is told in the same sentence', async () => {
    const set = { api_url: 'http://127.0.0.1:1', token: 'canary-nowhere', match_by_email: true };
    const pupil = await aPupil({ world, moodle }, { moodle: set });
    const steps = [calls(FUNCTIONS.map((name) => ({ name, arguments: {} }))), say('It failed.')];
    const { id, model } = await assistantFor({ world }, pupil, steps);

    await world.service.chat(id, 'Mine?', { key: pupil.key });

    expect(await toolMessages(world, model)).to.deep.equal([USUAL, USUAL, USUAL, USUAL]);
  });
});
