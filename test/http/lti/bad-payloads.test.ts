import { type Claims, DEEP_LINKING, LTI } from '../../support/lti-platform/claims.js';
import { launch, type LaunchOptions } from '../../support/lti-platform/launching.js';
import { type Door, expectRefused, theDoor } from '../support/lti-launch-client.js';

type Wrong = Pick<LaunchOptions, 'change' | 'sign'>;

const without =
  (...names: readonly string[]) =>
  (claims: Claims): Claims =>
    Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)));
const withClaims = (changed: Claims) => (claims: Claims) => ({ ...claims, ...changed });
const now = () => Math.floor(Date.now() / 1_000);

/** The twelve of the certification suite, and their neighbours. */
const BAD: Readonly<Record<string, Wrong>> = {
  'no kid': { sign: { header: { kid: undefined } } },
  'a wrong kid': { sign: { header: { kid: 'imstester_66067' } } },
  'a wrong version': { change: withClaims({ [`${LTI}version`]: '11.3' }) },
  'no version': { change: without(`${LTI}version`) },
  'a message that is not of LTI': {
    change: ({ iss, aud, sub, nonce, iat, exp }) => ({ iss, aud, sub, nonce, iat, exp }),
  },
  'claims that are missing': {
    change: without(`${LTI}version`, `${LTI}message_type`, `${LTI}roles`, `${LTI}resource_link`, 'sub'),
  },
  'a time that is long over': { change: withClaims({ iat: 11_111, exp: 22_222 }) },
  'no message type': { change: without(`${LTI}message_type`) },
  'an unknown message type': { change: withClaims({ [`${LTI}message_type`]: 'LtiSubmissionReview' }) },
  'no roles': { change: without(`${LTI}roles`) },
  'no deployment': { change: without(`${LTI}deployment_id`) },
  'no link': { change: without(`${LTI}resource_link`) },
  'a link without an id': { change: withClaims({ [`${LTI}resource_link`]: { title: 'x' } }) },
  'no subject': { change: without('sub') },
  'an empty subject': { change: withClaims({ sub: '' }) },
  'a subject that is no text': { change: withClaims({ sub: 4 }) },
  'no target': { change: without(`${LTI}target_link_uri`) },
  'no nonce': { change: without('nonce') },
  'no iat': { change: without('iat') },
  'no exp': { change: without('exp') },
  'an exp that is over': {
    change: (claims) => ({ ...claims, iat: now() - 300, exp: now() - 120 }),
  },
  'an exp that is far away': { change: (claims) => ({ ...claims, exp: now() + 86_400 }) },
  'an iat of the future': { change: (claims) => ({ ...claims, iat: now() + 600, exp: now() + 660 }) },
  'an iat of yesterday': { change: (claims) => ({ ...claims, iat: now() - 86_400 }) },
  'times that are texts': { change: withClaims({ iat: '1', exp: '9999999999' }) },
};

/** Of messages that ask for content to be chosen. */
const BAD_CHOICES: Readonly<Record<string, Wrong>> = {
  'no settings': { change: without(`${DEEP_LINKING}deep_linking_settings`) },
  'no address to return to': {
    change: withClaims({ [`${DEEP_LINKING}deep_linking_settings`]: { accept_types: ['ltiResourceLink'] } }),
  },
  'an address that is none': {
    change: (claims) => ({
      ...claims,
      [`${DEEP_LINKING}deep_linking_settings`]: {
        ...(claims[`${DEEP_LINKING}deep_linking_settings`] as object),
        deep_link_return_url: 'javascript:alert(1)',
      },
    }),
  },
  'no links taken': {
    change: (claims) => ({
      ...claims,
      [`${DEEP_LINKING}deep_linking_settings`]: {
        ...(claims[`${DEEP_LINKING}deep_linking_settings`] as object),
        accept_types: ['html'],
      },
    }),
  },
};

describe('a message that is not as it must be', function () {
  this.timeout(60_000);

  let door: Door;
  before(async () => {
    door = await theDoor();
  });

  for (const as of ['student3', 'teacher2'])
    for (const [what, wrong] of Object.entries(BAD))
      it(`lets no ${as.slice(0, -1)} in who comes with ${what}`, () =>
        expectRefused(door, () => launch(door.platform, { tool: door.tool, as, ...wrong })));

  for (const [what, wrong] of Object.entries(BAD_CHOICES))
    it(`lets nobody choose content with ${what}`, () =>
      expectRefused(door, () =>
        launch(door.platform, { tool: door.tool, as: 'teacher2', activity: 'deep_link', ...wrong }),
      ));

  it('lets no student choose content', () =>
    expectRefused(
      door,
      () =>
        launch(door.platform, {
          ...{ tool: door.tool, as: 'teacher2', activity: 'deep_link' },
          change: withClaims({
            [`${LTI}roles`]: ['http://purl.imsglobal.org/vocab/lis/v2/membership#Learner'],
          }),
        }),
      { reason: 'only those who teach' },
    ));
});
