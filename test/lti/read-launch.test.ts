import { expect } from 'chai';
import { createKeySets } from '../../src/lti/key-sets.js';
import { type LaunchDeps, readLaunch } from '../../src/lti/read-launch.js';
import * as signed from './signed-launch.js';

const { claims, deepLinkingClaims, LTI, NOW, PLATFORM, TOOL } = signed;

describe('a launch that everything holds of', () => {
  let key: signed.PlatformKey;
  let deps: LaunchDeps;
  before(async () => {
    key = await signed.platformKey('k1');
    const { fetch } = signed.fakeFetch(() => signed.json({ keys: [key.jwk] }));
    deps = { keySets: createKeySets({ fetch, now: () => NOW }), now: () => NOW, publicUrl: TOOL };
  });

  const read = async (payload: Readonly<Record<string, unknown>>) =>
    readLaunch(deps, { platform: PLATFORM, idToken: await key.sign(payload), nonce: 'the-nonce' });

  it('says who came, as what, from where and to what', async () => {
    expect(await read(claims('Learner'))).to.deep.equal({
      kind: 'activity',
      platformId: 7,
      deploymentId: '1',
      subject: '4',
      role: 'learner',
      name: 'Sam Student',
      locale: 'en',
      course: { id: '2', title: 'Biology 101' },
      link: { id: '1', title: 'AI tutor' },
      custom: { assistant_id: '42', empty: '' },
      services: {
        lineItemUrl: 'https://moodle.example.test/mod/lti/services.php/2/lineitems/4/lineitem?type_id=1',
        lineItemsUrl: 'https://moodle.example.test/mod/lti/services.php/2/lineitems?type_id=1',
        gradeScopes: ['https://purl.imsglobal.org/spec/lti-ags/scope/score'],
        membershipsUrl: 'https://moodle.example.test/mod/lti/services.php/CourseSection/2/memberships',
      },
      returnUrl: 'https://moodle.example.test/mod/lti/return.php?course=2',
      openedIn: 'iframe',
    });
    expect((await read(claims('Instructor'))).role).to.equal('instructor');
  });

  it('needs no more than a platform that tells as little as it may', async () => {
    const bare = await read(
      claims('Learner', {
        ...{ name: undefined, given_name: undefined, family_name: undefined },
        [`${LTI}roles`]: [],
        [`${LTI}context`]: undefined,
        [`${LTI}resource_link`]: { id: '1' },
        [`${LTI}launch_presentation`]: undefined,
        [`${LTI}custom`]: undefined,
        'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint': undefined,
        'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice': undefined,
      }),
    );

    expect(bare).to.deep.include({ role: 'learner', name: '', custom: {}, course: undefined });
    expect(bare).to.deep.include({ services: { ...noServices, gradeScopes: [] }, openedIn: undefined });
  });

  const noServices = { lineItemUrl: undefined, lineItemsUrl: undefined, membershipsUrl: undefined };

  it('leaves out what is optional and odd', async () => {
    const odd = await read(
      claims('Learner', {
        ...{ name: null, given_name: '', family_name: 'Only' },
        azp: null,
        [`${LTI}context`]: { id: '', title: 'x' },
        [`${LTI}resource_link`]: { id: '1', title: null },
        [`${LTI}launch_presentation`]: {
          ...{ locale: '<b>', document_target: 'popup', return_url: 'javascript:alert(1)' },
        },
        [`${LTI}custom`]: { n: 4, long: 'x'.repeat(4_001), list: [], kept: 'k' },
        'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint': {
          scope: 'x',
          lineitem: 'file:///etc/passwd',
        },
        'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice': null,
      }),
    );

    expect(odd).to.deep.include({
      name: 'Only',
      custom: { kept: 'k' },
      course: undefined,
      locale: undefined,
    });
    expect(odd).to.deep.include({ returnUrl: undefined, openedIn: undefined });
    expect(odd).to.deep.include({
      link: { id: '1', title: '' },
      services: { ...noServices, gradeScopes: [] },
    });
  });

  it('keeps names on one line and at a length', async () => {
    const { name } = await read(claims('Learner', { name: `a\u0000b\n\u2028${'c'.repeat(500)}` }));

    expect(name)
      .to.match(/^a b c+…$/)
      .and.have.length(200);
  });

  it('says where the links of deep linking are to be sent', async () => {
    const facts = await read(deepLinkingClaims({ data: 'opaque', accept_lineitem: false }));

    expect(facts).to.deep.include({
      kind: 'deep_link',
      settings: {
        returnUrl: 'https://moodle.example.test/mod/lti/contentitem_return.php?course=2',
        acceptMultiple: true,
        acceptLineItem: false,
        data: 'opaque',
      },
    });
    expect(await read(deepLinkingClaims({ accept_multiple: undefined }))).to.have.deep.property('settings', {
      returnUrl: 'https://moodle.example.test/mod/lti/contentitem_return.php?course=2',
      acceptMultiple: false,
      acceptLineItem: true,
      data: undefined,
    });
  });

  it('may be for several when it was asked for by us', async () => {
    const facts = await read(
      claims('Learner', { aud: ['other', PLATFORM.clientId], azp: PLATFORM.clientId }),
    );

    expect(facts.subject).to.equal('4');
    expect((await read(claims('Learner', { aud: [PLATFORM.clientId] }))).subject).to.equal('4');
  });

  it('may come from a clock that is ten seconds off', async () => {
    const now = NOW / 1_000;

    expect((await read(claims('Learner', { iat: now + 10, exp: now + 70 }))).subject).to.equal('4');
    expect((await read(claims('Learner', { iat: now - 69, exp: now - 9 }))).subject).to.equal('4');
  });
});
