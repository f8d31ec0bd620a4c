import { expect } from 'chai';
import { createLtiProtocol, type LtiProtocol } from '../../src/lti/protocol.js';
import { readLaunch11 } from '../../src/lti/read-launch-1p1.js';
import type { KnownPlatform } from '../../src/lti/read-launch.js';
import { GRADES, GRADE_SCOPES, ROSTER } from '../support/lti-platform/claims.js';
import { handBack, launch, launch11 } from '../support/lti-platform/launching.js';
import { type LtiPlatform, type OurTool, startLtiPlatform } from '../support/lti-platform/platform.js';
import { startStandInTool, type StandInTool } from '../support/lti-platform/stand-in-tool.js';
import type { Service } from '../support/service.js';

describe('the protocol, with a platform at the other end', function () {
  this.timeout(60_000);

  let platform: LtiPlatform;
  let standIn: StandInTool;
  let tool: OurTool;
  let protocol: LtiProtocol;
  let known: KnownPlatform;

  before(async () => {
    platform = await startLtiPlatform();
    standIn = await startStandInTool(() => `${platform.issuer}/mod/lti/auth.php`);
    protocol = createLtiProtocol({
      ...{ fetch, now: Date.now, publicUrl: standIn.url },
      signingKey: () => {
        const { kid, privateJwk } = standIn.key();
        return Promise.resolve({ kid, privateJwk: JSON.stringify(privateJwk) });
      },
    });
  });
  beforeEach(async () => {
    tool = await platform.addTool({ url: standIn.url } as Service, { register: false });
    known = {
      ...{ id: 7, kind: '1.3', issuer: platform.issuer, clientId: tool.clientId },
      deploymentIds: [String(tool.id)],
      authLoginUrl: `${platform.issuer}/mod/lti/auth.php`,
      authTokenUrl: `${platform.issuer}/mod/lti/token.php`,
      keySetUrl: `${platform.issuer}/mod/lti/certs.php`,
    };
  });
  after(async () => {
    await standIn.stop();
    await platform.stop();
  });

  const launched = async (as: string, activity?: 'deep_link') => {
    const { form, claims } = await launch(platform, { tool, as, ...(activity ? { activity } : {}) });
    const idToken = form['id_token'] ?? '';
    return { claims, facts: await protocol.readLaunch({ platform: known, idToken, nonce: 'a-nonce' }) };
  };

  it('reads launches of students and teachers', async () => {
    const { facts } = await launched('student1');
    const { facts: teacher } = await launched('teacher1');

    expect(facts).to.deep.include({ kind: 'activity', role: 'learner', subject: '4', name: 'Sam Student' });
    expect(facts.course).to.deep.include({ id: '2', title: 'Biology 101' });
    expect(facts.services.lineItemUrl).to.contain('/lineitem?type_id=');
    expect(teacher.role).to.equal('instructor');
  });

  it('reads launches that say nothing about people', async () => {
    await platform.changeTool(tool, { privacy: 'minimum' });

    const { facts } = await launched('student1');

    expect(facts).to.include({ subject: '4', name: '' });
    expect(facts.services.membershipsUrl).to.equal(undefined);
  });

  it('reads launches of LTI 1.1', async () => {
    const old = await platform.addTool({ url: standIn.url } as Service, { register: false, version: '1.1' });

    const { pairs } = await launch11(platform, { tool: old, as: 'teacher1' });
    const { facts } = readLaunch11({
      request: { url: old.launchUrl, method: 'POST', parameters: pairs },
      platform: { id: 8, consumerKey: old.consumerKey },
      sharedSecret: old.secret,
      now: Date.now(),
    });

    expect(facts).to.deep.include({ role: 'instructor', subject: '3', name: 'Tess Teacher' });
  });

  it('places links that become activities', async () => {
    const { facts } = await launched('teacher1', 'deep_link');
    const links = [{ title: 'Tutor', custom: { placed: 'x' }, grade: { scoreMaximum: 50 } }];

    const jwt = await protocol.deepLinkAnswer({ platform: known, deploymentId: String(tool.id), links });
    const returnUrl = facts.kind === 'deep_link' ? facts.settings.returnUrl : '';
    const answer = await handBack({ return_url: returnUrl, jwt });

    expect(answer.status).to.equal(200);
    const [entry] = await platform.journal('deep_link', tool);
    expect(entry?.['activities']).to.containSubset([{ title: 'Tutor', grade: 50, custom: { placed: 'x' } }]);
  });

  it('reads the roster', async () => {
    const { claims } = await launched('teacher1');
    const { context_memberships_url: url } = claims[ROSTER] as { context_memberships_url: string };

    const { members, isComplete } = await protocol.readMembers(known, url);

    expect(isComplete).to.equal(true);
    // With a teacher who may not edit, whom Moodle's roster calls so.
    expect(members.filter(({ role }) => role === 'learner')).to.have.length(7);
  });

  it('finds and makes columns, posts a grade once, and reads it back', async () => {
    const { claims } = await launched('teacher1');
    const { lineitems } = claims[GRADES] as { lineitems: string };
    const items = { url: lineitems, scopes: GRADE_SCOPES };
    const score = { subject: '4', score: 8, maximum: 10, comment: 'Good', at: Date.now() };

    const found = await protocol.findLineItem(known, items, { resourceLinkId: String(tool.activity.id) });
    const made = await protocol.createLineItem(known, items, {
      label: 'Essay',
      scoreMaximum: 20,
      tag: 'ours',
    });
    const url = found?.url ?? '';
    const outcomes = [
      await protocol.postScore(known, url, score),
      await protocol.postScore(known, url, score),
    ].map(({ outcome }) => outcome);

    expect(made.scoreMaximum).to.equal(20);
    expect(outcomes).to.deep.equal(['accepted', 'conflict']);
    expect(await protocol.readResult(known, url, '4')).to.deep.equal({
      ...{ score: 80, maximum: 100, comment: 'Good' },
    });
    expect(await platform.journal('score', tool)).to.have.length(1);
  });

  it('registers itself, and finds the platform in order', async () => {
    const { openid_configuration, registration_token } = await platform.beginRegistration();

    const configuration = await protocol.readConfiguration(fetch, openid_configuration);
    const made = await protocol.register(fetch, { configuration, registrationToken: registration_token });
    const facts = { id: 9, organizationId: 1, lastLaunchAt: null, createdAt: '', updatedAt: '' };

    expect(made).to.include({ kind: '1.3', issuer: platform.issuer });
    expect(await protocol.testPlatform({ ...made, ...facts })).to.deep.include({ ok: true });
  });
});
