import { expect } from 'chai';
import { launch, launch11, type Launched, pressOn } from '../../support/lti-platform/launching.js';
import type { OurTool } from '../../support/lti-platform/platform.js';
import type { Answer } from '../../support/service.js';
import { closeDoor, type Door, expectRefused, openDoor } from '../support/lti-launch-client.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson, type Person } from '../support/users-fixture.js';

const PLATFORMS = '/lamb/v1/lti/platforms';
const ELSEWHERE = 'http://127.0.0.1:9';

interface Registered {
  readonly id: number;
  readonly organization_id: number;
}

describe('platforms of several organisations', function () {
  this.timeout(60_000);
  let door: Door;
  let foreign: Person;
  beforeEach(async () => {
    door = await openDoor();
    foreign = await aPerson(door.service, { role: 'org_admin' });
  });
  afterEach(() => closeDoor(door));

  const register = (body: object, { key }: Pick<Person, 'key'> = foreign): Promise<Answer<Registered>> =>
    door.service.request<Registered>(PLATFORMS, { body: { name: 'Moodle', ...body }, key });
  /** As the tool's own platform is registered, but for what is told. */
  const like = (tool: OurTool, site = door.platform.issuer) => ({
    ...{ kind: '1.3', issuer: door.platform.issuer, client_id: tool.clientId },
    deployment_ids: [String(tool.id)],
    auth_login_url: `${site}/mod/lti/auth.php`,
    auth_token_url: `${site}/mod/lti/token.php`,
    key_set_url: `${site}/mod/lti/certs.php`,
  });
  const platformOf = async ({ session }: Launched): Promise<number> => {
    const row = await door.db('lti_sessions').where('id', session!).first('platform_id');
    return (row as { readonly platform_id: number }).platform_id;
  };
  const withoutClient = (form: Readonly<Record<string, string>>) => ({ ...form, client_id: '' });

  for (const order of ['before', 'after'])
    it(`may use the same consumer key, also one registered ${order} the other: the signature says whose launch it is`, async () => {
      const { platform, service } = door;
      const tool = await platform.addTool(service, { version: '1.1', register: false });
      const register11 = (shared_secret: string, whose: Pick<Person, 'key'>) =>
        register({ kind: '1.1', consumer_key: tool.consumerKey, shared_secret }, whose);
      const ours = () => register11(tool.secret, { key: service.adminKey });
      const theirs = () => register11('another secret of theirs', foreign);
      const inTurn = order === 'before' ? [theirs, ours] : [ours, theirs];
      const made = [await inTurn[0]!(), await inTurn[1]!()];
      expect(made.map(({ status }) => status)).to.deep.equal([201, 201]);
      const [own, other] = order === 'before' ? [made[1]!, made[0]!] : [made[0]!, made[1]!];

      const coming = (secret?: string) =>
        launch11(platform, { tool, as: 'student3', ...(secret ? { sign: { secret } } : {}) });
      const toUs = await pressOn(await coming());
      const toThem = await pressOn(await coming('another secret of theirs'));

      expect(await platformOf(toUs)).to.equal(own.json.id);
      expect(await platformOf(toThem)).to.equal(other.json.id);
      await expectRefused(door, () => coming('a secret of nobody'), { reason: 'signature is wrong' });
    });

  it('are not told apart by a signature that fits both, and then let nobody in', async () => {
    const tool = await door.platform.addTool(door.service, { version: '1.1' });
    await register({ kind: '1.1', consumer_key: tool.consumerKey, shared_secret: tool.secret });

    await expectRefused(door, () => launch11(door.platform, { tool, as: 'student3' }), {
      reason: 'one of several',
    });
  });

  it('go on when another registers their site with a client id of its own, also where logins name none', async () => {
    const { platform, tool } = door;
    await launch(platform, { tool, as: 'student1' });
    expect((await register({ ...like(tool), client_id: 'of-the-other' })).status).to.equal(201);

    const named = await launch(platform, { tool, as: 'student1' });
    const unnamed = await launch(platform, { tool, as: 'student1', login: withoutClient });

    expect([named.status, unnamed.status]).to.deep.equal([303, 303]);
    expect([await platformOf(named), await platformOf(unnamed)]).to.deep.equal([
      tool.platformId,
      tool.platformId,
    ]);
  });

  it('keep their site and client id: another who names both is refused without a word of whose they are', async () => {
    const { platform, tool } = door;
    const free = await register({ ...like(tool), client_id: 'of-the-other' });

    const refused = [
      await register(like(tool)),
      await register(like(tool, ELSEWHERE)),
      await door.service.request(`${PLATFORMS}/${String(free.json.id)}`, {
        ...{ method: 'PATCH', body: { client_id: tool.clientId }, key: foreign.key },
      }),
    ];

    for (const answer of refused) {
      expect(refusalOf(answer, 409).message).not.to.match(/organi[sz]ation|Test Moodle|registered already/);
    }
    const launched = await launch(platform, { tool, as: 'student1' });
    expect(await platformOf(launched)).to.equal(tool.platformId);
  });

  it('are not kept out by one who has named their site and client id before, with addresses of its own', async () => {
    const { platform, service } = door;
    const tool = await platform.addTool(service, { register: false });
    expect((await register(like(tool, ELSEWHERE))).status).to.equal(201);

    const ours = await register(like(tool), { key: service.adminKey });
    const launched = await launch(platform, { tool, as: 'student1' });

    expect(ours.status, ours.text).to.equal(201);
    expect(await platformOf(launched)).to.equal(ours.json.id);
  });

  it('of one organisation are told apart there, and it is told so', async () => {
    const tool = await door.platform.addTool(door.service, { version: '1.1' });
    const twice = [
      await register(like(door.tool), { key: door.service.adminKey }),
      await register(
        { kind: '1.1', consumer_key: tool.consumerKey, shared_secret: 'another secret' },
        { key: door.service.adminKey },
      ),
    ];

    for (const answer of twice) expect(refusalOf(answer, 409).message).to.match(/registered already/);
  });
});
