import { expect } from 'chai';
import { guardedRoutes, type Route } from '../../support/routes.js';
import { type Answer } from '../../support/service.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { me } from '../support/credentials.js';
import { refusalOf } from '../support/refusal.js';
import { anExpiredKeyOf, anExpiredSessionOf, aPerson, type Person } from '../support/users-fixture.js';

let world: TestService;

describe('who is asking', function () {
  this.timeout(60_000);
  let person: Person;
  before(async () => {
    world = await sharedService();
    person = await aPerson(world.service);
  });

  it('is not changed by identity headers of an ordinary client', async () => {
    const victim = await aPerson(world.service);
    const headers = {
      'X-OpenWebUI-User-Email': victim.email,
      'X-OpenWebUI-User-Id': String(victim.id),
      'X-OpenWebUI-User-Role': 'admin',
      'X-Forwarded-User': victim.email,
      'X-Forwarded-Email': victim.email,
      'X-Remote-User': victim.email,
      'X-User-Id': String(victim.id),
      'X-Organization-Id': String(victim.organizationId),
    };

    const seen = await me(world.service, person.key, headers);
    const made = await world.service.createAssistant({}, { key: person.key, headers });
    const asNobody = await world.service.request('/lamb/v1/me', { key: null, headers });

    expect(seen.json).to.deep.equal((await me(world.service, person.key)).json);
    expect(made).to.include({ owner: person.email, organization_id: person.organizationId });
    refusalOf(asNobody, 401);
  });

  it('is not read from the query, from a cookie or from another scheme', async () => {
    const { key } = person;
    const anonymous: readonly [string, Record<string, string>][] = [
      [`/lamb/v1/me?api_key=${key}&access_token=${key}&token=${key}`, {}],
      ['/lamb/v1/me', { cookie: `token=${key}; session=${key}` }],
      ['/lamb/v1/me', { 'x-api-key': key }],
      ['/lamb/v1/me', { authorization: `Basic ${btoa(`${person.email}:${key}`)}` }],
      ['/lamb/v1/me', { authorization: key }],
      ['/lamb/v1/me', { authorization: `Bearer ${key} ${key}` }],
      ['/lamb/v1/me', { authorization: `Bearer ${key.toUpperCase()}` }],
      ['/lamb/v1/me', { authorization: `Bearer ${key.slice(0, -1)}` }],
    ];

    const answers = await Promise.all(
      anonymous.map(([path, headers]) => world.service.request(path, { key: null, headers })),
    );

    for (const answer of answers) refusalOf(answer, 401);
  });
});

describe('every route behind the door', function () {
  this.timeout(60_000);
  let routes: readonly Route[];
  const tokens = new Map<string, string | null>();
  before(async () => {
    world = await sharedService();
    routes = await guardedRoutes();
    const person = await aPerson(world.service);
    tokens
      .set('no token', null)
      .set('a garbage token', 'garbage')
      .set('a token that looks real', `bw_${'0'.repeat(48)}`)
      .set('a very long token', 'x'.repeat(4_000))
      .set('an expired key', await anExpiredKeyOf(world.service, person))
      .set('an expired session', await anExpiredSessionOf(world.service, person));
  });

  it('is known to this test', () => {
    const paths = new Set(routes.map(({ path }) => path));

    expect(paths).to.include.keys(
      '/v1/chat/completions',
      '/v1/models',
      '/lamb/v1/me',
      '/lamb/v1/assistants/:id',
    );
    expect(
      [...paths].every((path) => path === '/metrics' || /^\/(lamb\/)?v1\//.test(path)),
      [...paths].join(),
    ).to.equal(true);
  });

  for (const kind of [
    'no token',
    'a garbage token',
    'a token that looks real',
    'a very long token',
    'an expired key',
    'an expired session',
  ]) {
    it(`answers ${kind} with 401 in OpenAI's shape and asks for a bearer`, async () => {
      const key = tokens.get(kind)!;

      const answers = await Promise.all(routes.map((route) => knock(route, key)));

      for (const answer of answers) {
        expect(refusalOf(answer, 401)).to.include({ type: 'authentication_error', code: 'invalid_api_key' });
        expect(answer.headers.get('www-authenticate')).to.match(
          /^Bearer( .*resource_metadata=.*\/lamb\/v1\/mcp")?$/,
        );
      }
    });
  }

  it('answers 401 before it looks at the body or at whether the route exists', async () => {
    const broken = { body: '{"broken', key: null, headers: { 'content-type': 'application/json' } };

    const answers = await Promise.all([
      world.service.request('/v1/chat/completions', broken),
      world.service.request('/lamb/v1/no-such-route', { key: null }),
      world.service.request('/LAMB/V1/Assistants', { key: null }),
      world.service.request('/lamb/v1/assistants/%ZZ', { key: null }),
      world.service.request('/lamb/v1/assistants', { method: 'HEAD', key: null }),
    ]);

    expect(answers.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401, 401]);
  });
});

function knock({ method, path }: Route, key: string | null): Promise<Answer<unknown>> {
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  return world.service.request(path.replaceAll(/:\w+/g, '1'), { method, key, body });
}
