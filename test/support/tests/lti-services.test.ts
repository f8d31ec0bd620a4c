import { expect } from 'chai';
import {
  DEEP_LINKING,
  GRADE_SCOPES,
  GRADES,
  LTI,
  membershipsUrl,
  ROSTER_SCOPE,
} from '../lti-platform/claims.js';
import { launch } from '../lti-platform/launching.js';
import { type LtiPlatform, type OurTool, startLtiPlatform } from '../lti-platform/platform.js';
import { courseOf } from '../lti-platform/school.js';
import { startStandInTool, type StandInTool } from '../lti-platform/stand-in-tool.js';
import type { Service } from '../service.js';

const NRPS = 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json';
const ITEMS = 'application/vnd.ims.lis.v2.lineitemcontainer+json';
const ITEM = 'application/vnd.ims.lis.v2.lineitem+json';
const SCORE = 'application/vnd.ims.lis.v1.score+json';
const RESULTS = 'application/vnd.ims.lis.v2.resultcontainer+json';

describe('the services of the LTI platform', function () {
  this.timeout(60_000);

  let platform: LtiPlatform;
  let standIn: StandInTool;
  let tool: OurTool;

  before(async () => {
    platform = await startLtiPlatform();
    standIn = await startStandInTool(() => `${platform.issuer}/mod/lti/auth.php`);
  });
  beforeEach(async () => {
    tool = await platform.addTool({ url: standIn.url } as Service, { register: false });
  });
  after(async () => {
    await standIn.stop();
    await platform.stop();
  });

  const now = () => Math.floor(Date.now() / 1_000);
  const assertion = (more: object = {}) => ({
    iss: tool.clientId,
    sub: tool.clientId,
    exp: now() + 60,
    ...more,
  });
  const askToken = (scope: string, token = standIn.sign(assertion())) =>
    fetch(`${platform.issuer}/mod/lti/token.php`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: token,
        scope,
      }),
    });
  const tokenFor = async (...scopes: string[]) => {
    const answer = await askToken(scopes.join(' '));
    return ((await answer.json()) as { access_token: string }).access_token;
  };
  const grades = async (path: '' | '/scores' | '/results', init: RequestInit = {}) => {
    const token = await tokenFor(...GRADE_SCOPES);
    const { claims } = await launch(platform, { tool, as: 'student1' });
    const { lineitem } = claims[GRADES] as { lineitem: string };
    const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) };
    return fetch(lineitem.replace('/lineitem?', `/lineitem${path}?`), { ...init, headers });
  };
  const score = (change: object = {}, type = SCORE) =>
    grades('/scores', {
      method: 'POST',
      headers: { 'content-type': type },
      body: JSON.stringify({
        ...{ userId: '4', scoreGiven: 8, scoreMaximum: 10, comment: 'well done' },
        ...{ activityProgress: 'Completed', gradingProgress: 'FullyGraded' },
        timestamp: '2026-11-15T00:10:42.900Z',
        ...change,
      }),
    });

  it('gives tokens for the scopes it knows, and says that they are HTML', async () => {
    const answer = await askToken(`${ROSTER_SCOPE} https://unknown.example/scope`);

    expect(answer.headers.get('content-type')).to.match(/^text\/html/);
    const body = (await answer.json()) as object;
    expect(body).to.include({ token_type: 'Bearer', expires_in: 3600, scope: ROSTER_SCOPE });
  });

  it('refuses tokens in its own words, one of which is no JSON', async () => {
    const of = async (scope: string, token?: string) => (await askToken(scope, token)).text();

    expect(await of('https://unknown.example/scope')).to.contain('invalid_scope');
    expect(await of(ROSTER_SCOPE, standIn.sign(assertion({ sub: 'nobody' })))).to.contain('invalid_client');
    expect(await of(ROSTER_SCOPE, standIn.sign(assertion({ exp: now() - 5 })))).to.contain('Expired token');
    const strange = await of(ROSTER_SCOPE, standIn.sign(assertion(), 'unknown'));
    expect(() => JSON.parse(strange) as unknown).to.throw(SyntaxError);
  });

  it('fetches the keys of a tool again when what it has does not fit', async () => {
    await tokenFor(ROSTER_SCOPE);
    await standIn.rotate();

    expect((await askToken(ROSTER_SCOPE)).status).to.equal(200);
  });

  it('tells who is in a course, page by page, with short names of roles', async () => {
    const url = membershipsUrl({ site: platform.issuer, tool, course: courseOf(2) });
    const token = await tokenFor(ROSTER_SCOPE);
    const read = (address: string, accept: string, bearer = token) =>
      fetch(address, { headers: { accept, authorization: `Bearer ${bearer}` } });

    const first = await read(`${url}?limit=5`, NRPS);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await read(next, NRPS);

    const members = [first, second].map((page) => page.json() as Promise<{ members: object[] }>);
    const [one, two] = await Promise.all(members);
    expect([one!.members.length, two!.members.length]).to.deep.equal([5, 4]);
    expect(one!.members[1]).to.deep.include({ user_id: '4', roles: ['Learner'], name: 'Sam Student' });
    expect(two!.members.at(-1)).to.deep.include({ name: 'Tove Tutor', roles: ['Learner'] });
    expect(second.headers.get('link')).to.equal(null);
    expect((await read(url, 'application/json')).status).to.equal(400);
    expect((await read(url, NRPS, 'wrong')).status).to.equal(401);
    expect((await read(url, NRPS, await tokenFor(GRADE_SCOPES[3]!))).status).to.equal(401);
  });

  it('takes a score once a second, and tells the reason in the status line', async () => {
    const taken = await score();
    const again = await score({ scoreGiven: 9, timestamp: '2026-11-15T00:10:42.990Z' });
    const later = await score({ scoreGiven: 9, timestamp: '2026-11-15T00:10:43Z' });

    expect([taken.status, await taken.text()]).to.deep.equal([200, '']);
    expect([again.status, await again.text()]).to.deep.equal([409, '[]']);
    expect(again.statusText).to.match(/^Refusing score with an earlier timestamp/);
    expect(later.status).to.equal(200);
    expect(await platform.journal('score', tool)).to.containSubset([
      { userId: '4', scoreGiven: 8, comment: 'well done' },
      { userId: '4', scoreGiven: 9 },
    ]);
    expect(await platform.journal('score_refused', tool)).to.have.length(1);
  });

  it('refuses scores of others than students, without a time, a maximum or the media type', async () => {
    const answers = await Promise.all([
      score({ userId: '3' }),
      score({ userId: '11' }),
      score({ timestamp: undefined }),
      score({ scoreMaximum: undefined }),
      score({}, 'application/json'),
    ]);

    expect(answers.map(({ status }) => status)).to.deep.equal([400, 400, 400, 400, 400]);
    expect((await score({}, `${SCORE}; charset=utf-8`)).status).to.equal(200);
  });

  it('shows results on the scale of the column, and no more than its best', async () => {
    await score({ scoreGiven: 12 });

    const results = (await (await grades('/results', { headers: { accept: RESULTS } })).json()) as object[];

    expect(results).to.have.length(1);
    expect(results[0]).to.include({ userId: '4', resultScore: 100, resultMaximum: 100 });
  });

  it('can take a score and not say so, fail, or fall silent', async () => {
    await platform.fault({ part: 'scores', tool: tool.id, faults: ['500', 'drop', 'hang'] });

    const broken = await score();
    const dropped = await score().catch((error: unknown) => error);
    const leaving = new AbortController();
    const silent = grades('/scores', { method: 'POST', signal: leaving.signal }).catch(
      (error: unknown) => (error as Error).name,
    );
    await platform.waitFor(new URL(broken.url).pathname, { requests: 3 });
    leaving.abort();
    const left = await silent;
    const conflict = await score();

    expect(broken.status).to.equal(500);
    expect(dropped).to.be.instanceOf(Error);
    expect(left).to.equal('AbortError');
    expect(conflict.status).to.equal(409);
    expect(await platform.journal('score', tool)).to.containSubset([{ answered: false }]);
  });

  it('makes, changes and deletes columns, and spoils the link to the next page of them', async () => {
    const { claims } = await launch(platform, { tool, as: 'student1' });
    const { lineitems } = claims[GRADES] as { lineitems: string };
    const bearer = { authorization: `Bearer ${await tokenFor(...GRADE_SCOPES)}` };
    const headers = { ...bearer, 'content-type': ITEM };
    const body = JSON.stringify({ label: 'Essay', scoreMaximum: 20, resourceId: 'essay' });

    const made = await fetch(lineitems, { method: 'POST', headers, body });
    const { id } = (await made.json()) as { id: string };
    const changed = await fetch(id, { method: 'PUT', headers, body: body.replace('20', '30') });
    const list = await fetch(`${lineitems}&limit=1`, { headers: { ...bearer, accept: ITEMS } });
    const plain = await fetch(lineitems, { headers: { ...bearer, accept: 'application/json' } });
    const gone = await fetch(id, { method: 'DELETE', headers: bearer });

    expect([made, changed, list, plain, gone].map(({ status }) => status)).to.deep.equal([
      201, 200, 200, 400, 204,
    ]);
    expect(await changed.json()).to.include({ scoreMaximum: 30 });
    expect(list.headers.get('link')).to.contain('&amp;').and.not.contain('rel="next"');
  });

  it('makes activities of what a tool has signed, and of nothing else', async () => {
    const { claims } = await launch(platform, { tool, as: 'teacher1', activity: 'deep_link' });
    const settings = claims[`${DEEP_LINKING}deep_linking_settings`] as { deep_link_return_url: string };
    const answer = {
      ...{ iss: tool.clientId, aud: platform.issuer, iat: now(), exp: now() + 60, nonce: 'n' },
      [`${LTI}message_type`]: 'LtiDeepLinkingResponse',
      [`${LTI}version`]: '1.3.0',
      [`${LTI}deployment_id`]: String(tool.id),
      [`${DEEP_LINKING}content_items`]: [
        {
          type: 'ltiResourceLink',
          title: 'Tutor',
          custom: { assistant_id: '7' },
          lineItem: { scoreMaximum: 50 },
        },
        { type: 'ltiResourceLink', title: 'Quiz' },
      ],
    };
    const hand = (JWT: string) =>
      fetch(settings.deep_link_return_url, { method: 'POST', body: new URLSearchParams({ JWT }) });

    const [header, , signature] = standIn.sign(answer).split('.');
    const forged = await hand(
      [header, Buffer.from(JSON.stringify({ ...answer, x: 1 })).toString('base64url'), signature].join('.'),
    );
    const accepted = await hand(standIn.sign(answer));

    expect([forged.status, accepted.status]).to.deep.equal([404, 200]);
    const [made] = await platform.journal('deep_link', tool);
    expect(made?.['activities']).to.containSubset([
      { title: 'Tutor', grade: 50, custom: { assistant_id: '7' } },
      { title: 'Quiz', lineItem: null },
    ]);
  });

  it('registers a tool once for each token, if it says all that Moodle wants', async () => {
    const { openid_configuration, registration_token } = await platform.beginRegistration();
    const about = (await (await fetch(openid_configuration)).json()) as { registration_endpoint: string };
    const configuration = 'https://purl.imsglobal.org/spec/lti-tool-configuration';
    const tale = {
      ...{ response_types: ['id_token'], client_name: 'Tool', token_endpoint_auth_method: 'private_key_jwt' },
      initiate_login_uri: `${standIn.url}/lti/login`,
      redirect_uris: [`${standIn.url}/lti/launch`],
      jwks_uri: `${standIn.url}/lti/jwks.json`,
      [configuration]: { domain: new URL(standIn.url).host, target_link_uri: `${standIn.url}/lti/launch` },
    };
    const send = (body: object) =>
      fetch(about.registration_endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${registration_token}` },
        body: JSON.stringify(body),
      });

    const elsewhere = await send({
      ...tale,
      [configuration]: { ...tale[configuration], domain: 'other.test' },
    });
    const poor = await send({ ...tale, jwks_uri: undefined });
    const registered = await send(tale);
    const again = await send(tale);

    expect([elsewhere, poor, registered, again].map(({ status }) => status)).to.deep.equal([
      400, 400, 200, 401,
    ]);
    const said = (await registered.json()) as Record<string, Record<string, unknown>>;
    expect(said['client_id']).to.match(/^\w{15}$/);
    expect(said[configuration]!['deployment_id']).to.match(/^\d+$/);
    expect(await again.text()).to.equal('token_already_used');
  });
});
