import { expect } from 'chai';
import { createMoodleClient, type CallMoodle } from '../../src/clients/moodle/client.js';
import { createMoodleAccess } from '../../src/clients/moodle/access.js';
import type { LmsIdentity } from '../../src/core/access/caller.js';
import { AppError } from '../../src/core/errors.js';
import { moodleUser } from '../../src/core/identity.js';
import { moodleSite } from '../../src/core/clients/moodle.js';
import type { RunFacts } from '../../src/core/runs/run-context.js';
import { type FakeMoodle, startFakeMoodle } from '../support/moodle.js';
import { VICTIM } from '../support/fakes/moodle-school.js';
import { aContext } from '../support/run-context.js';

const refusalOf = async (work: Promise<unknown>): Promise<AppError> => {
  const thrown: unknown = await work.then(
    () => undefined,
    (fault: unknown) => fault,
  );
  expect(thrown).to.be.instanceOf(AppError);
  return thrown as AppError;
};

describe('the client of Moodle', () => {
  const { signal, log } = aContext();

  it('calls no function that is not on its list, whatever it is asked for', async () => {
    let sent = 0;
    const counted = () => {
      sent++;
      return Promise.reject(new Error('sent'));
    };
    const settings = { siteUrl: 'http://moodle.test', token: 'canary' };
    const call = createMoodleClient({ settings, fetch: counted, timeoutMs: 1000, log }) as (
      ...parts: unknown[]
    ) => Promise<unknown>;

    for (const name of [
      ...[
        'core_user_get_users',
        'core_user_update_users',
        'core_grades_update_grades',
        'mod_assign_save_grade',
      ],
      ...[
        'core_enrol_get_enrolled_users',
        'gradereport_overview_get_course_grades',
        '',
        'toString',
        '__proto__',
      ],
      'core_enrol_get_users_courses&wsfunction=core_user_get_users',
    ]) {
      expect((await refusalOf(call(name, {}, signal))).status, name).to.equal(403);
    }
    expect(sent).to.equal(0);
  });

  it('ends with the run, and does not turn that into a fault of Moodle', async () => {
    const leaving = new AbortController();
    const never = (_input: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
      });
    const settings = { siteUrl: 'http://moodle.test', token: 'canary' };
    const call: CallMoodle = createMoodleClient({ settings, fetch: never, timeoutMs: 60_000, log });

    const work = call('core_enrol_get_users_courses', { userid: 1 }, leaving.signal);
    leaving.abort(new Error('the client left'));

    expect(await work.catch((fault: unknown) => (fault as Error).message)).to.equal('the client left');
  });
});

describe('who somebody is in Moodle', () => {
  let moodle: FakeMoodle;
  let token: string;
  before(async () => {
    moodle = await startFakeMoodle();
    token = await moodle.token();
  });
  after(() => moodle.stop());

  /** A run of somebody whom a platform has launched. */
  function launched(lms: LmsIdentity | undefined, more: { organizationId?: number; siteUrl?: string } = {}) {
    const around = aContext().toolServices();
    const { siteUrl = moodle.url, organizationId = 1 } = more;
    const settings = { ...around.settings, moodle: { siteUrl, token, matchByEmail: false } };
    const caller = { ...around.caller, via: 'lti' as const, verifiedEmail: undefined, organizationId, lms };
    const run: RunFacts = { ...around, caller, settings };
    return createMoodleAccess({ fetch, timeoutMs: 2000, courseNameOf: () => Promise.resolve('') })(run)!;
  }

  it('is what a launch of the same site says, without asking the site', async () => {
    const before = (await moodle.ledger(token)).length;

    for (const issuer of [moodle.url, `${moodle.url}/`, moodle.url.toUpperCase()]) {
      expect(await launched({ issuer, userId: '4', courseId: '2' }).userId()).to.equal(4);
    }

    expect((await moodle.ledger(token)).length).to.equal(before);
  });

  it('is not what the launch of another site says', async () => {
    const { port } = new URL(moodle.url);
    const others = [
      `http://127.0.0.1.evil.test:${port}`,
      `http://localhost:${port}`,
      `${moodle.url}/other`,
      `${moodle.url}@evil.test`,
      `https://127.0.0.1:${port}`,
      'http://127.0.0.1:1',
      '',
      'not an address',
    ];

    for (const issuer of others) {
      const refusal = await refusalOf(launched({ issuer, userId: String(VICTIM.id) }).userId());
      expect(refusal.status, issuer).to.equal(403);
    }
  });

  it('is not what a launch in another organisation says, though it claims to be the same site', async () => {
    const moodleOfOthers = launched({ issuer: moodle.url, userId: String(VICTIM.id) }, { organizationId: 2 });

    expect((await refusalOf(moodleOfOthers.userId())).status).to.equal(403);
  });

  for (const userId of ['', '0', '-5', '5 or 1=1', '5,6', '05', '1e3', '٥', 'wsuser', '9999999999999999']) {
    it(`is nobody when a launch calls them "${userId}"`, async () => {
      expect((await refusalOf(launched({ issuer: moodle.url, userId }).userId())).status).to.equal(403);
    });
  }

  it('is the only one whose records are read, also for code that names another', async () => {
    const { signal } = aContext();
    const own = launched({ issuer: moodle.url, userId: '6' });
    const before = (await moodle.ledger(token)).length;

    expect((await refusalOf(own.recordsOf(VICTIM.id, signal))).status).to.equal(403);
    expect((await refusalOf(launched(undefined).recordsOf(VICTIM.id, signal))).status).to.equal(403);
    expect((await moodle.ledger(token)).length).to.equal(before);

    const [grades] = await (await own.recordsOf(6, signal)).grades();
    expect(grades?.grades.map(({ name }) => name)).to.deep.equal(['Work of another']);
  });

  it('cannot be said where no Moodle is set up', async () => {
    const around = aContext().toolServices();

    expect((await refusalOf(Promise.resolve(moodleUser.of(around)))).code).to.equal('not_configured');
  });
});

describe('the address of a Moodle', () => {
  it('has one spelling, however it is given', () => {
    const spelled = [
      'https://moodle.test',
      'https://MOODLE.test/',
      'https://moodle.test:443//',
      'https://moodle.test/webservice/rest/server.php',
      'https://user:secret@moodle.test/?x=1#y',
    ];

    for (const address of spelled) expect(moodleSite(address), address).to.equal('https://moodle.test');
    expect(moodleSite('http://m.test/a/b/webservice/rest/server.php')).to.equal('http://m.test/a/b');
    for (const none of ['', 'moodle.test', 'ftp://moodle.test', 'javascript:alert(1)'])
      expect(moodleSite(none), none).to.equal(undefined);
  });
});
