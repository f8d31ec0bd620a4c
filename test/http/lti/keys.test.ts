import { expect } from 'chai';
import { launch } from '../../support/lti-platform/launching.js';
import { signLaunch } from '../../support/lti-platform/signing.js';
import { createJar, sendForm } from '../../support/lti-platform/web-forms.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { startService } from '../../support/service.js';
import { auditOf, closeDoor, type Door, expectRefused, openDoor } from '../support/lti-launch-client.js';

describe('keys of platforms', function () {
  this.timeout(120_000);

  let door: Door;
  before(async () => {
    door = await openDoor();
  });
  after(() => closeDoor(door));
  afterEach(() => door.platform.fault({ part: 'jwks', faults: [] }));

  const fetches = async () => (await door.platform.journal('jwks')).length;
  /** The service knows the keys of this one by an address of its own, and has not fetched them yet. */
  const aTool = () =>
    door.platform.addTool(door.service, {
      register: { key_set_url: `${door.platform.issuer}/mod/lti/certs.php?${uniqueName('x')}` },
    });

  it('are fetched once for many launches', async () => {
    const tool = await aTool();
    const before = await fetches();

    for (const as of ['student1', 'student2', 'teacher1'])
      expect((await launch(door.platform, { tool, as })).status).to.equal(303);

    expect((await fetches()) - before).to.equal(1);
  });

  it('are fetched once more for a name that is not known, which then is refused (L9)', async () => {
    const tool = await aTool();
    await launch(door.platform, { tool, as: 'student1' });
    const before = await fetches();

    const wrong = { header: { kid: 'unknown' } };
    await expectRefused(door, () => launch(door.platform, { tool, as: 'student1', sign: wrong }), {
      reason: 'key id',
    });

    expect((await fetches()) - before).to.equal(1);
  });

  it('work as soon as the platform signs with them, without a restart (L9)', async () => {
    const tool = await aTool();
    await launch(door.platform, { tool, as: 'student1' });

    await door.platform.changeKeys({ rotate: true });

    expect((await launch(door.platform, { tool, as: 'student1' })).status).to.equal(303);
  });

  it('are not fetched for every one of a hundred made-up names (L9)', async () => {
    const tool = await aTool();
    let first: Record<string, string> = {};
    const login = (form: Readonly<Record<string, string>>) => (first = { ...form });
    const { claims, postedTo } = await launch(door.platform, { tool, as: 'student1', login });
    const key = await door.platform.key();
    const headers = { origin: door.platform.issuer };
    const before = await fetches();

    for (let at = 0; at < 100; at++) {
      // What a browser sends to the service; the pages of the platform in between are the same each time.
      const jar = createJar();
      const { location = '' } = await sendForm(tool.loginUrl, first, { jar, headers });
      const { state = '', nonce } = Object.fromEntries(new URL(location).searchParams);
      const header = { kid: uniqueName('made-up') };
      const id_token = signLaunch({ ...claims, nonce }, { key, header });
      const { status } = await sendForm(postedTo, { state, id_token }, { jar, headers });
      expect(status).to.equal(403);
    }

    const refused = (await auditOf(door)).slice(-100);
    expect(new Set(refused.map(({ reason }) => reason))).to.have.property('size', 1);
    expect(refused[0]?.reason).to.contain('key id');
    expect((await fetches()) - before).to.be.within(1, 12);
    expect((await launch(door.platform, { tool, as: 'student1' })).status).to.equal(303);
  });

  for (const fault of ['500', 'reset', 'huge', 'html', 'broken'])
    it(`let nobody in while fetching them ends in ${fault}, and those known go on working (L10)`, async () => {
      const [fresh, known] = [await aTool(), await aTool()];
      await launch(door.platform, { tool: known, as: 'student1' });
      await door.platform.fault({ part: 'jwks', faults: [fault], always: true });

      const { body } = await expectRefused(
        door,
        () => launch(door.platform, { tool: fresh, as: 'student1' }),
        { status: 502, reason: 'platform_unreachable' },
      );

      expect(body).to.contain('does not answer');
      expect((await launch(door.platform, { tool: known, as: 'student1' })).status).to.equal(303);
    });

  it('are waited for five seconds and no longer (L10)', async () => {
    const tool = await aTool();
    await door.platform.fault({ part: 'jwks', faults: ['hang'], always: true });
    const startedAt = Date.now();

    await expectRefused(door, () => launch(door.platform, { tool, as: 'student1' }), { status: 502 });

    expect(Date.now() - startedAt).to.be.lessThan(9_000);
  });
});

describe('keys of the service', function () {
  this.timeout(60_000);

  let door: Door;
  before(async () => {
    door = await openDoor();
  });
  after(() => closeDoor(door));

  const published = async () => {
    const answer = await door.service.request<{ keys: Record<string, string>[] }>('/lti/jwks.json', {
      key: null,
    });
    expect(answer.status).to.equal(200);
    return answer;
  };
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

  it('are made when they are first asked for, one for all who ask at once, and show nothing private', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, published));

    const kids = new Set(answers.flatMap(({ json }) => json.keys.map(({ kid }) => kid)));
    expect(kids.size).to.equal(1);
    expect(answers[0]!.headers.get('cache-control')).to.equal('public, max-age=60');
    expect(answers[0]!.json.keys[0]).to.have.all.keys('kty', 'kid', 'n', 'e', 'alg', 'use');
    const [row] = await door.db('lti_keys');
    expect(row.private_key).to.match(/^sealed\.v1\./);
  });

  it('are known to all processes when several make one at once', async () => {
    const { service, db } = door;
    await db('lti_keys').del();
    const twin = await startService({ PUBLIC_URL: service.url }, { dataDir: service.dataDir });
    const ask = () =>
      Promise.all([service, twin].map((each) => each.request<{ keys: object[] }>('/lti/jwks.json')));
    try {
      await ask();
      const [one, other] = await ask();

      expect(one!.json.keys).to.have.length.within(1, 2);
      expect(other!.json).to.deep.equal(one!.json);
      expect(await db('lti_keys').whereNull('retired_at')).to.have.length(1);
    } finally {
      await twin.stop();
    }
  });

  it('are replaced after ninety days; the old one is shown for a week, then gone', async () => {
    await door.db('lti_keys').whereNotNull('retired_at').del();
    const [before] = (await published()).json.keys;
    await door.db('lti_keys').update({ created_at: daysAgo(91) });

    const after = (await published()).json.keys.map(({ kid }) => kid);

    expect(after).to.have.length(2).and.to.include(before!['kid']);
    await door
      .db('lti_keys')
      .whereNotNull('retired_at')
      .update({ retired_at: daysAgo(6) });
    expect((await published()).json.keys).to.have.length(2);
    await door
      .db('lti_keys')
      .whereNotNull('retired_at')
      .update({ retired_at: daysAgo(8) });
    const left = (await published()).json.keys.map(({ kid }) => kid);
    expect(left).to.have.length(1).and.to.not.include(before!['kid']);
    expect(await door.db('lti_keys')).to.have.length(1);
  });
});
