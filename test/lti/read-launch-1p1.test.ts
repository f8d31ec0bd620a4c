import { expect } from 'chai';
import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { AppError } from '../../src/core/errors.js';
import { baseString, formParameters, type Parameter, type SignedRequest } from '../../src/lti/oauth1.js';
import { consumerKeyOf, readLaunch11 } from '../../src/lti/read-launch-1p1.js';
import { reasonOfRefusal } from '../../src/lti/refusals.js';
import { NOW, TOOL } from './signed-launch.js';

const SECRET = 'shared & secret';
const URL_1P1 = `${TOOL}/lti/v1p1/launch`;
const PLATFORM = { id: 9, consumerKey: 'key11' };

const MOODLE: Readonly<Record<string, string>> = {
  oauth_version: '1.0',
  oauth_nonce: 'n-1',
  oauth_timestamp: String(NOW / 1_000),
  oauth_consumer_key: 'key11',
  oauth_callback: 'about:blank',
  oauth_signature_method: 'HMAC-SHA1',
  user_id: '4',
  lis_person_sourcedid: '',
  roles: 'Learner',
  context_id: '2',
  context_label: 'BIO101',
  context_title: 'Biology 101',
  lti_message_type: 'basic-lti-launch-request',
  lti_version: 'LTI-1p0',
  resource_link_id: '3',
  resource_link_title: 'AI tutor (1.1)',
  lis_result_sourcedid: '{"data":{"instanceid":"3"},"hash":"…"}',
  lis_person_name_full: 'Sam Student',
  ext_user_username: 'student1',
  launch_presentation_locale: 'en',
  launch_presentation_document_target: 'iframe',
  launch_presentation_return_url: 'https://moodle.example.test/mod/lti/return.php',
  custom_assistant_id: '42',
  tool_consumer_info_product_family_code: 'moodle',
};

type Changes = Readonly<Record<string, string | undefined>>;

function parameters(changes: Changes = {}): Parameter[] {
  return Object.entries({ ...MOODLE, ...changes }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
}

/** Signed by our own reading of the rules; the rules themselves are proved by the examples of the RFC. */
function signed(given: readonly Parameter[], { url = URL_1P1, secret = SECRET } = {}): SignedRequest {
  const key = `${encodeURIComponent(secret)}&`;
  const signature = createHmac('sha1', key)
    .update(baseString({ method: 'POST', url, parameters: given }))
    .digest('base64');
  return { method: 'POST', url, parameters: [...given, ['oauth_signature', signature]] };
}

function read(request: SignedRequest, now = NOW) {
  return readLaunch11({ request, platform: PLATFORM, sharedSecret: SECRET, now });
}

function refusalOf(request: SignedRequest, now = NOW): string | undefined {
  try {
    read(request, now);
  } catch (fault) {
    expect(fault).to.be.instanceOf(AppError).and.have.property('status', 403);
    return reasonOfRefusal(fault);
  }
  return undefined;
}

describe('a launch of LTI 1.1', () => {
  it('says who came, as what, from where and to what, and by which nonce', () => {
    expect(read(signed(parameters()))).to.deep.equal({
      nonce: 'n-1',
      timestamp: NOW / 1_000,
      facts: {
        kind: 'activity',
        platformId: 9,
        deploymentId: '',
        subject: '4',
        role: 'learner',
        name: 'Sam Student',
        locale: 'en',
        course: { id: '2', title: 'Biology 101' },
        link: { id: '3', title: 'AI tutor (1.1)' },
        custom: { assistant_id: '42' },
        services: { gradeScopes: [] },
        returnUrl: 'https://moodle.example.test/mod/lti/return.php',
        openedIn: 'iframe',
      },
    });
  });

  for (const [roles, role] of [
    ['Instructor', 'instructor'],
    ['Instructor,urn:lti:sysrole:ims/lis/Administrator', 'instructor'],
    ['Learner, urn:lti:role:ims/lis/TeachingAssistant', 'instructor'],
    ['urn:lti:sysrole:ims/lis/Administrator', 'learner'],
    ['Learner/Instructor', 'learner'],
    ['instructor', 'learner'],
    ['', 'learner'],
    [undefined, 'learner'],
  ] as const) {
    it(`is of a ${role} for the roles ${String(roles)}`, () => {
      expect(read(signed(parameters({ roles }))).facts.role).to.equal(role);
    });
  }

  it('makes a name of its parts where there is no other', () => {
    const names = { lis_person_name_given: 'Sam', lis_person_name_family: 'Student' };

    expect(read(signed(parameters({ ...names, lis_person_name_full: '' }))).facts.name).to.equal(
      'Sam Student',
    );
    expect(read(signed(parameters({ lis_person_name_full: undefined }))).facts.name).to.equal('');
  });

  it('may go to an address with a query, which is signed too', () => {
    const request = signed(parameters(), { url: `${URL_1P1}?assistant=7&a=1&a=2` });

    expect(read(request).facts.subject).to.equal('4');
    expect(refusalOf({ ...request, url: URL_1P1 })).to.equal('signature is wrong');
    expect(refusalOf({ ...request, url: `${URL_1P1}?assistant=8&a=1&a=2` })).to.equal('signature is wrong');
  });

  it('is read from a form as it is sent', () => {
    const { parameters: sent, ...rest } = signed(
      parameters({ resource_link_title: 'Ñandú + “más” & 100 %' }),
    );
    const body = new URLSearchParams(sent.map(([name, value]): [string, string] => [name, value])).toString();
    const { facts } = read({ ...rest, parameters: formParameters(body) });

    expect(facts).to.have.deep.property('link', { id: '3', title: 'Ñandú + “más” & 100 %' });
  });

  for (const seconds of [300, -300, 0]) {
    it(`may be ${String(seconds)} seconds off`, () => {
      expect(refusalOf(signed(parameters()), NOW + seconds * 1_000)).to.equal(undefined);
    });
  }

  for (const seconds of [301, -301, 86_400]) {
    it(`is refused when it is ${String(seconds)} seconds off`, () => {
      expect(refusalOf(signed(parameters()), NOW + seconds * 1_000)).to.equal('timestamp is not of now');
    });
  }

  for (const [what, changes, reason] of [
    ['without a key', { oauth_consumer_key: undefined }, /oauth_consumer_key/],
    ['with another key', { oauth_consumer_key: 'other' }, /consumer key is another/],
    ['signed in plain text', { oauth_signature_method: 'PLAINTEXT' }, /oauth_signature_method/],
    ['signed with SHA-256', { oauth_signature_method: 'HMAC-SHA256' }, /oauth_signature_method/],
    ['without a method', { oauth_signature_method: undefined }, /oauth_signature_method/],
    ['of OAuth 2.0', { oauth_version: '2.0' }, /oauth_version/],
    ['of no version', { oauth_version: undefined }, /oauth_version/],
    ['without a nonce', { oauth_nonce: undefined }, /oauth_nonce/],
    ['with an empty nonce', { oauth_nonce: '' }, /oauth_nonce/],
    ['with a long nonce', { oauth_nonce: 'x'.repeat(256) }, /oauth_nonce/],
    ['without a timestamp', { oauth_timestamp: undefined }, /oauth_timestamp/],
    ['with a timestamp in another form', { oauth_timestamp: '1e9' }, /oauth_timestamp/],
    ['with a timestamp below zero', { oauth_timestamp: '-5' }, /oauth_timestamp/],
    ['of another kind', { lti_message_type: 'ContentItemSelectionRequest' }, /lti_message_type/],
    ['of another LTI', { lti_version: 'LTI-2p0' }, /lti_version/],
    ['without a link', { resource_link_id: undefined }, /resource_link_id/],
    ['without a person', { user_id: undefined }, /user_id/],
    ['with an empty person', { user_id: ' ' }, /user_id/],
    ['with a parameter that is too long', { custom_x: 'x'.repeat(20_001) }, /too long/],
  ] as const) {
    it(`is refused ${what}`, () => {
      expect(refusalOf(signed(parameters(changes)))).to.match(reason);
    });
  }

  it('is refused without a signature, with another secret, and when the secret is empty', () => {
    const unsigned = { method: 'POST', url: URL_1P1, parameters: parameters() };
    expect(refusalOf(unsigned)).to.match(/oauth_signature/);
    expect(refusalOf(signed(parameters(), { secret: 'other' }))).to.equal('signature is wrong');
    const request = signed(parameters(), { secret: '' });
    expect(() => readLaunch11({ request, platform: PLATFORM, sharedSecret: '', now: NOW })).to.throw();
  });

  it('is refused when a parameter was added, changed or left out, or it went elsewhere', () => {
    const request = signed(parameters());
    const changed = (pairs: readonly Parameter[]) => refusalOf({ ...request, parameters: pairs });

    expect(changed([...request.parameters, ['custom_more', '1']])).to.equal('signature is wrong');
    expect(changed([...request.parameters, ['whatever', '1']])).to.equal('signature is wrong');
    for (const [index, [name, value]] of request.parameters.entries()) {
      if (name.startsWith('oauth_')) continue;
      const others = request.parameters.filter((_, at) => at !== index);
      expect(changed(others), name).to.equal('signature is wrong');
      expect(changed([...others, [name, `${value}x`]]), name).to.equal('signature is wrong');
    }
    expect(refusalOf({ ...request, url: 'https://evil.test/lti/v1p1/launch' })).to.equal(
      'signature is wrong',
    );
    expect(refusalOf({ ...request, method: 'GET' })).to.equal('signature is wrong');
  });

  for (const name of [
    'user_id',
    'roles',
    'oauth_nonce',
    'oauth_signature',
    'resource_link_id',
    'custom_assistant_id',
  ]) {
    it(`is refused when ${name} comes twice, even signed, in the form or in the address`, () => {
      const twice = signed([...parameters(), [name, 'other']]);
      const both: SignedRequest =
        name === 'oauth_signature' ? { ...twice, parameters: [...twice.parameters, [name, 'x']] } : twice;
      expect(refusalOf(both)).to.equal('a parameter comes twice');
      const inAddress = signed(parameters(), { url: `${URL_1P1}?${name}=other` });
      expect(refusalOf(inAddress)).to.equal('a parameter comes twice');
    });
  }

  it('is refused with hundreds of parameters', () => {
    const many = Array.from({ length: 501 }, (_, n): Parameter => [`p${String(n)}`, '']);

    expect(refusalOf(signed([...parameters(), ...many]))).to.equal('too many parameters');
  });

  it('is refused with any signature but its own', () => {
    const request = signed(parameters());
    const right = request.parameters.at(-1)![1];
    fc.assert(
      fc.property(fc.base64String(), (text) => {
        fc.pre(text.trim() !== '' && text !== right && text.length < 256);
        const forged: Parameter[] = [...request.parameters.slice(0, -1), ['oauth_signature', text]];
        expect(refusalOf({ ...request, parameters: forged })).to.equal('signature is wrong');
      }),
    );
  });

  it('names its key before anything is proved', () => {
    expect(consumerKeyOf({ method: 'POST', url: URL_1P1, parameters: parameters() })).to.equal('key11');
    expect(() => consumerKeyOf({ method: 'POST', url: URL_1P1, parameters: [] })).to.throw();
  });
});
