import { expect } from 'chai';
import { deepLinkAnswer } from '../../src/lti/deep-link-answer.js';
import { makeKey, type NewKey, publicKeySet, sign } from '../../src/lti/key-ring.js';
import { OUR_KEY, verified } from './answering-platform.js';
import { faultOf, LTI, NOW, PLATFORM, TOOL } from './signed-launch.js';

const DL = 'https://purl.imsglobal.org/spec/lti-dl/claim/';

describe('our own keys', () => {
  let one: NewKey;
  let two: NewKey;
  before(async () => {
    [one, two] = await Promise.all([OUR_KEY, makeKey()]);
  });

  it('are RSA of 2048 bits, each with a name of its own', () => {
    expect(Buffer.from(one.publicJwk.n, 'base64url')).to.have.length(256);
    expect(one.publicJwk).to.include({ kty: 'RSA', alg: 'RS256', use: 'sig', kid: one.kid });
    expect(one.kid).not.to.equal(two.kid);
  });

  it('show platforms nothing that signs', async () => {
    const key = await OUR_KEY;
    const shown = publicKeySet([{ ...(JSON.parse(key.privateJwk) as object), ...key.publicJwk }]);

    expect(Object.keys(shown.keys[0]!).sort()).to.deep.equal(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(JSON.stringify(shown)).not.to.include((JSON.parse(key.privateJwk) as { d: string }).d);
  });

  it('sign what their public half verifies, and no other', async () => {
    const token = await sign({ sub: 'x' }, one);

    expect((await verified(token, one)).protectedHeader).to.deep.equal({
      alg: 'RS256',
      typ: 'JWT',
      kid: one.kid,
    });
    expect(await faultOf(verified(token, two))).to.be.instanceOf(Error);
  });
});

describe('the answer to deep linking', () => {
  const answer = { platform: PLATFORM, deploymentId: '1' };

  async function answered(more: Omit<Parameters<typeof deepLinkAnswer>[1], 'platform' | 'deploymentId'>) {
    const key = await OUR_KEY;
    const deps = { publicUrl: TOOL, now: () => NOW, signingKey: () => Promise.resolve(key), sign };
    return (await verified(await deepLinkAnswer(deps, { ...answer, ...more }), key)).payload;
  }

  it('is signed by us for the platform, for five minutes', async () => {
    const payload = await answered({ links: [], data: 'as it came' });

    expect(payload).to.deep.include({
      iss: PLATFORM.clientId,
      aud: [PLATFORM.issuer],
      iat: NOW / 1_000,
      exp: NOW / 1_000 + 300,
      [`${LTI}deployment_id`]: '1',
      [`${LTI}message_type`]: 'LtiDeepLinkingResponse',
      [`${LTI}version`]: '1.3.0',
      [`${DL}content_items`]: [],
      [`${DL}data`]: 'as it came',
    });
    expect(payload['nonce']).to.be.a('string').and.have.length.greaterThan(20);
  });

  it('leaves out data where none came, and gives back an empty one', async () => {
    expect(await answered({ links: [] })).not.to.have.property(`${DL}data`);
    expect(await answered({ links: [], data: '' })).to.have.property(`${DL}data`, '');
  });

  it('holds every link, all to the one registered address', async () => {
    const graded = {
      title: 'Essay',
      custom: { placement: 'p2' },
      grade: { scoreMaximum: 50, resourceId: 'p2' },
    };
    const payload = await answered({
      links: [{ title: 'Tutor', text: 'Ask', custom: { placement: 'p1' } }, graded],
    });

    expect(payload[`${DL}content_items`]).to.deep.equal([
      {
        ...{ type: 'ltiResourceLink', title: 'Tutor', text: 'Ask', url: `${TOOL}/lti/launch` },
        custom: { placement: 'p1' },
      },
      {
        ...{
          type: 'ltiResourceLink',
          title: 'Essay',
          url: `${TOOL}/lti/launch`,
          custom: { placement: 'p2' },
        },
        lineItem: { scoreMaximum: 50, label: 'Essay', resourceId: 'p2' },
      },
    ]);
  });
});
