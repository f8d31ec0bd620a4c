import { expect } from 'chai';
import { AppError } from '../../src/core/errors.js';
import { readMembers, ROSTER_SCOPE } from '../../src/lti/names-and-roles.js';
import { answeringPlatform, headersOf } from './answering-platform.js';
import { faultOf, json, MEMBERSHIP, PLATFORM } from './signed-launch.js';

const URL_1 = 'https://moodle.example.test/mod/lti/services.php/CourseSection/2/bindings/1/memberships';
const SAM = {
  status: 'Active',
  roles: ['Learner'],
  user_id: '4',
  name: 'Sam Student',
  lis_person_sourcedid: '',
};
const TEA = { status: 'Active', roles: ['Instructor'], user_id: '3', given_name: 'Tea', family_name: 'Cher' };

const page = (members: readonly unknown[], link?: string) =>
  json({ id: 'x', context: { id: '2' }, members }, link === undefined ? {} : { headers: { link } });

describe('who is in a course', () => {
  it('is asked for as Moodle wants to be asked', async () => {
    const { services, asked, others } = await answeringPlatform(() => page([]));
    await readMembers(services, PLATFORM, URL_1);

    expect(others()[0]?.url).to.equal(URL_1);
    expect(headersOf(others()[0]!.init).get('accept')).to.equal(
      'application/vnd.ims.lti-nrps.v2.membershipcontainer+json',
    );
    expect(new URLSearchParams(asked[0]!.init.body as string).get('scope')).to.equal(ROSTER_SCOPE);
  });

  it('is told with roles by short names and by whole ones', async () => {
    const uri = { user_id: '5', roles: [`${MEMBERSHIP}#Instructor`] };
    const odd = { user_id: '6', roles: ['Learner/Instructor'], name: null };
    const { services } = await answeringPlatform(() => page([SAM, TEA, uri, odd]));

    expect(await readMembers(services, PLATFORM, URL_1)).to.deep.equal({
      members: [
        { subject: '4', name: 'Sam Student', role: 'learner' },
        { subject: '3', name: 'Tea Cher', role: 'instructor' },
        { subject: '5', name: '', role: 'instructor' },
        { subject: '6', name: '', role: 'learner' },
      ],
      isComplete: true,
    });
  });

  it('leaves out who is not active, and what is no member', async () => {
    const gone = ['Inactive', 'Deleted', 'active'].map((status, n) => ({
      ...SAM,
      user_id: String(n),
      status,
    }));
    const { services } = await answeringPlatform(() => page([...gone, null, 'x', { name: 'nobody' }, SAM]));

    expect(
      (await readMembers(services, PLATFORM, URL_1)).members.map(({ subject }) => subject),
    ).to.deep.equal(['4']);
  });

  it('is read to the last page, and nobody counts twice', async () => {
    const { services, others } = await answeringPlatform((url) => {
      const from = Number(url.searchParams.get('from') ?? 0);
      const members = [SAM, { ...SAM, user_id: `m${String(from)}` }];
      return from < 3
        ? page(members, `<${URL_1}?limit=1&from=${String(from + 1)}>; rel="next"`)
        : page(members);
    });
    const { members, isComplete } = await readMembers(services, PLATFORM, URL_1);

    expect(members.map(({ subject }) => subject)).to.deep.equal(['4', 'm0', 'm1', 'm2', 'm3']);
    expect(isComplete).to.equal(true);
    expect(others()).to.have.length(4);
  });

  for (const link of [
    `<https://evil.test/memberships>; rel="next"`,
    `<http://moodle.example.test/memberships>; rel="next"`,
    `<https://moodle.example.test:8443/memberships>; rel="next"`,
    `<https://u:p@moodle.example.test/memberships>; rel="next"`,
    `<//evil.test/x>; rel=next`,
    `<javascript:alert(1)>; rel="next"`,
    `<${URL_1}?from=1>; rel="prev"`,
    `<${URL_1}?from=1>; rel="nextish"`,
    `<${URL_1}>; rel="next"`,
    `nonsense`,
    `<`.repeat(20_000),
  ]) {
    it(`is not looked for by way of ${link.slice(0, 60)}`, async () => {
      const { services, others } = await answeringPlatform(() => page([SAM], link));
      await readMembers(services, PLATFORM, URL_1);

      expect(others()).to.have.length(1);
    });
  }

  for (const link of [
    `<${URL_1}?from=1>; rel=next`,
    `<${URL_1}?a=1,2>; rel="prev", <${URL_1}?from=1>; rel="next"`,
    `<${URL_1}?limit=1&amp;from=1>; rel=\u00e2\u0080\u009dnext\u00e2\u0080\u009d`,
    `<?from=1>; title="x"; rel="next"`,
  ]) {
    it(`goes on by way of ${link.slice(-50)}`, async () => {
      const { services, others } = await answeringPlatform((url) =>
        url.searchParams.get('from') === '1' ? page([]) : page([SAM], link),
      );
      await readMembers(services, PLATFORM, URL_1);

      expect(others()).to.have.length(2);
    });
  }

  it('ends somewhere, and says that there were more', async () => {
    const { services, others } = await answeringPlatform((url) => {
      const from = Number(url.searchParams.get('from') ?? 0) + 1;
      return page([{ ...SAM, user_id: String(from) }], `<${URL_1}?from=${String(from)}>; rel="next"`);
    });
    const { members, isComplete } = await readMembers(services, PLATFORM, URL_1);

    expect([members.length, isComplete, others().length]).to.deep.equal([100, false, 100]);
  });

  it('is cut at twenty thousand', async () => {
    const many = Array.from({ length: 20_001 }, (_, n) => ({ user_id: String(n), roles: [] }));
    const { services } = await answeringPlatform(() => page(many));
    const { members, isComplete } = await readMembers(services, PLATFORM, URL_1);

    expect([members.length, isComplete]).to.deep.equal([20_000, false]);
  });

  for (const [what, answer, code] of [
    ['refuses', () => new Response('{"reason":"private"}', { status: 400 }), 'upstream_refused'],
    [
      'sends elsewhere',
      () => new Response('', { status: 302, headers: { location: '/x' } }),
      'upstream_refused',
    ],
    ['sends a page', () => new Response('<html>'), 'upstream_failed'],
    ['sends too much', () => new Response(new Uint8Array(9 * 1024 * 1024)), 'upstream_failed'],
    ['breaks', () => Promise.reject(new TypeError('private')), 'upstream_failed'],
  ] as const) {
    it(`is a fault that may be shown when the platform ${what}`, async () => {
      const { services } = await answeringPlatform(answer);
      const fault = await faultOf(readMembers(services, PLATFORM, URL_1));

      expect(fault).to.be.instanceOf(AppError).and.have.property('code', code);
      expect((fault as AppError).message).not.to.include('private');
    });
  }
});
