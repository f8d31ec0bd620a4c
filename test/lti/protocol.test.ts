import { expect } from 'chai';
import type { LtiPlatform } from '../../src/core/lti/platform.js';
import { createLtiProtocol } from '../../src/lti/protocol.js';
import { OUR_KEY, verified } from './answering-platform.js';
import { claims, fakeFetch, json, NOW, PLATFORM, platformKey, TOOL } from './signed-launch.js';

const FACTS = {
  name: 'Moodle',
  enabled: true,
  organizationId: 1,
  lastLaunchAt: null,
  createdAt: '',
  updatedAt: '',
};

describe('the protocol, all of it', () => {
  it('launches, answers, asks and tests with one set of keys, one clock and one address', async () => {
    const key = await platformKey('k1');
    const { fetch } = fakeFetch((url) => {
      if (url === PLATFORM.keySetUrl) return json({ keys: [key.jwk] });
      if (url === PLATFORM.authTokenUrl) return json({ access_token: 't', expires_in: 60 });
      return json({ members: [] });
    });
    const protocol = createLtiProtocol({ fetch, now: () => NOW, publicUrl: TOOL, signingKey: () => OUR_KEY });

    const idToken = await key.sign(claims('Instructor'));
    expect((await protocol.readLaunch({ platform: PLATFORM, idToken, nonce: 'the-nonce' })).role).to.equal(
      'instructor',
    );
    const answer = await protocol.deepLinkAnswer({ platform: PLATFORM, deploymentId: '1', links: [] });
    expect((await verified(answer, await OUR_KEY)).payload.iss).to.equal(PLATFORM.clientId);
    expect(await protocol.readMembers(PLATFORM, `${PLATFORM.issuer}/m`)).to.deep.equal({
      members: [],
      isComplete: true,
    });
    const platform: LtiPlatform = { ...PLATFORM, ...FACTS };
    expect((await protocol.testPlatform(platform)).ok).to.equal(true);
    const older: LtiPlatform = { ...FACTS, id: 8, kind: '1.1', consumerKey: 'k', sharedSecret: 'sealed' };
    expect((await protocol.testPlatform(older)).checks).to.have.length(1);
  });
});
