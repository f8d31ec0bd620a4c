import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { unauthenticated } from '../../../src/core/errors.js';
import { SINGLE_PROCESS } from '../../../src/http/peers.js';
import { challengePrograms, oauthServer } from '../../../src/http/oauth/server.js';
import { createTestService, endWorld, sharedService, type TestService } from '../../support/test-service.js';
import { aPerson, aSessionOf, type Person } from '../support/users-fixture.js';
import { databaseBytes } from '../support/credentials.js';
import { aProgram, AUTHORIZATION, CALLBACK, connected, decide, registered } from './oauth-fixture.js';

describe('letting a program in', function () {
  this.timeout(60_000);
  let world: TestService;
  let person: Person;
  before(async () => {
    world = await sharedService();
    person = await aPerson(world.service);
  });

  describe('a registration', () => {
    it('keeps nothing but a name and addresses, is a public client whatever it asks for, and takes no room here', async () => {
      const before = await databaseBytes(world.service);
      const { status, json } = await aProgram(world.service).register([CALLBACK], {
        client_name: ' Cla\u202eude\u0000 \n Desktop ',
        logo_uri: `${world.model.url}/logo.png`,
        jwks_uri: `${world.model.url}/jwks`,
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['client_credentials', 'implicit'],
        scope: 'admin',
      });

      expect(status).to.equal(201);
      expect(json).to.include({
        client_name: 'Claude Desktop',
        token_endpoint_auth_method: 'none',
        scope: 'mcp',
      });
      expect(json.grant_types).to.deep.equal(['authorization_code', 'refresh_token']);
      expect(json).not.to.have.any.keys('client_secret', 'logo_uri', 'jwks_uri');
      expect(before.includes(json.client_id)).to.equal(false);
      expect((await databaseBytes(world.service)).includes(json.client_id)).to.equal(false);
    });

    it('is refused, in OAuth’s words, for addresses that a code must not be sent to, and for too much', async () => {
      const wrong = [
        'http://evil.example/cb',
        'javascript:alert(1)',
        'data:text/html,x',
        'file:///etc/passwd',
        'https://a.example/cb#x',
        'https://user:pw@a.example/',
        'ms-msdt:/id',
        '//evil.example',
        'https://a.example/ b',
        'https:\\\\evil.example',
      ];
      for (const uri of wrong) {
        const { status, json } = await aProgram(world.service).register([uri]);
        expect([uri, status, json.error]).to.deep.equal([uri, 400, 'invalid_redirect_uri']);
      }
      for (const body of [
        [],
        Array(11).fill(CALLBACK),
        [`https://a.example/${'x'.repeat(300)}`],
      ] as string[][]) {
        const { status, json } = await aProgram(world.service).register(body);
        expect([status, json.error]).to.deep.equal([400, 'invalid_client_metadata']);
      }
      const huge = await aProgram(world.service).register([CALLBACK], { contacts: ['x'.repeat(20_000)] });
      expect([huge.status, huge.json.error]).to.deep.equal([413, 'invalid_request']);
    });

    it('is taken for native programs: a loopback address by any port, and schemes of their own', async () => {
      const { clientId, request } = await registered(world.service, [
        'http://127.0.0.1/cb',
        'com.example.app:/cb',
        'cursor://x/cb',
      ]);
      const ask = (redirect_uri: string) =>
        decide(world.service, person, request(clientId, { redirect_uri }));

      for (const uri of ['http://127.0.0.1:50123/cb', 'com.example.app:/cb', 'cursor://x/cb'])
        expect((await ask(uri)).json.redirect_to, uri).to.match(/^[a-z.0-9:/]+\/cb\?code=bwo_/);
      for (const uri of ['http://127.0.0.1:50123/other', 'http://localhost:50123/cb', 'cursor://x/cb?more=1'])
        expect((await ask(uri)).json.error.code, uri).to.equal('wrong_redirect_uri');
    });
  });

  it('is for a few programs a minute from one address, and says when to come back', async () => {
    const busy = await createTestService();
    try {
      const { register } = aProgram(busy.service);
      const answers = await Promise.all(Array.from({ length: 61 }, () => register()));

      const [refused, ...others] = answers.filter(({ status }) => status !== 201);
      expect(others).to.deep.equal([]);
      expect([refused?.status, refused?.json.error]).to.deep.equal([429, 'temporarily_unavailable']);
      expect(Number(refused?.headers.get('retry-after'))).to.be.within(1, 60);
    } finally {
      await endWorld(busy);
    }
  });

  describe('a request', () => {
    it('is refused to whoever has not signed in: a key, a token of a program, nobody', async () => {
      const { clientId, request, access } = await connected(world.service, person);
      const body = { ...request(clientId), decision: 'allow' };

      const byKey = await world.service.request(AUTHORIZATION, { key: person.key, body });
      const byToken = await world.service.request(AUTHORIZATION, { key: access, body });
      const byNobody = await world.service.request(AUTHORIZATION, { key: null, body });

      expect([byKey.status, byToken.status, byNobody.status]).to.deep.equal([403, 401, 401]);
    });

    it('is refused with nobody sent anywhere: a forged client, another address, no or plain PKCE, another resource', async () => {
      const { clientId, request } = await registered(world.service);
      const forged = `${clientId.slice(0, -2)}xx`;
      const faults: [Record<string, string | undefined>, string][] = [
        [{ client_id: forged }, 'unknown_client'],
        [{ client_id: 'https://client.example/metadata.json' }, 'unknown_client'],
        [{ redirect_uri: 'https://evil.example/cb' }, 'wrong_redirect_uri'],
        [{ redirect_uri: `${CALLBACK}/../evil` }, 'wrong_redirect_uri'],
        [{ redirect_uri: 'http://127.0.0.1:7777@evil.example/callback' }, 'wrong_redirect_uri'],
        [{ code_challenge: undefined }, 'bad_request'],
        [{ code_challenge_method: 'plain' }, 'bad_request'],
        [{ code_challenge_method: undefined }, 'bad_request'],
        [{ response_type: 'token' }, 'bad_request'],
        [{ resource: `${world.service.url}/v1` }, 'bad_request'],
        [{ resource: 'https://other.example/lamb/v1/mcp' }, 'bad_request'],
      ];
      for (const [more, code] of faults) {
        const { status, json } = await decide(world.service, person, request(clientId, more));
        expect([JSON.stringify(more), status, json.error.code]).to.deep.equal([
          JSON.stringify(more),
          400,
          code,
        ]);
        expect(json).not.to.have.property('redirect_to');
      }
    });

    it('that is denied sends the program its state and our name, and no code', async () => {
      const { clientId, request } = await registered(world.service);

      const { json } = await decide(world.service, person, request(clientId), { decision: 'deny' });

      const { origin, pathname, searchParams } = new URL(json.redirect_to);
      expect(origin + pathname).to.equal(CALLBACK);
      expect(Object.fromEntries(searchParams)).to.deep.equal({
        ...{ error: 'access_denied', state: 'a state', iss: world.service.url },
      });
    });
  });

  it('answers what is no request of OAuth’s in OAuth’s shape', async () => {
    const { clientId, form } = await registered(world.service);
    const json = await world.service.request<{ error: string }>('/oauth/token', { key: null, body: {} });
    const twice = await world.service.request<{ error: string }>('/oauth/token', {
      ...{
        key: null,
        method: 'POST',
        body: `client_id=a&client_id=b&grant_type=refresh_token&refresh_token=x`,
      },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const errors = [
      json.json.error,
      twice.json.error,
      (await form('/oauth/token', { grant_type: 'password', client_id: clientId })).json.error,
      (await form('/oauth/token', { grant_type: 'refresh_token', client_id: 'x', refresh_token: 'y' })).json
        .error,
      (await form('/oauth/token', { grant_type: 'refresh_token', client_id: clientId })).json.error,
    ];

    expect(errors).to.deep.equal([
      ...[
        'invalid_request',
        'invalid_request',
        'unsupported_grant_type',
        'invalid_client',
        'invalid_request',
      ],
    ]);
  });

  it('shows the page what is asked for, framed by nobody', async () => {
    const { clientId, request } = await registered(world.service);
    const query = new URLSearchParams(request(clientId) as Record<string, string>).toString();
    const session = await aSessionOf(world.service, person);

    const shown = await world.service.request(`${AUTHORIZATION}?${query}`, { key: session });
    const page = await world.service.request(`/oauth/authorize?${query}`, { key: null });

    expect(shown.json).to.deep.equal({ client_name: 'Test client', redirect_uri: CALLBACK, is_local: true });
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-security-policy')).to.include("frame-ancestors 'none'");
  });
});

describe('the address in the metadata', () => {
  it('is PUBLIC_URL wherever there is one, whatever name a request or a proxy gives', async () => {
    const address = { host: '127.0.0.1', publicUrl: 'https://bell.example.edu' };
    const app = express()
      .use(oauthServer({ address, peers: SINGLE_PROCESS } as never))
      .use('/lamb/v1/mcp', (_req, _res, next) => {
        next(unauthenticated());
      })
      .use('/lamb/v1/mcp', challengePrograms(address), ((_fault, _req, res, _next) => {
        res.status(401).end();
      }) as express.ErrorRequestHandler);
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const at = (path: string) =>
      new Promise<{ headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
        const { port } = server.address() as AddressInfo;
        const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
        httpRequest({ port, host: '127.0.0.1', path, headers }, (res) => {
          let text = '';
          res.setEncoding('utf8').on('data', (part: string) => (text += part));
          res.on('end', () => {
            resolve({ headers: res.headers, text });
          });
        })
          .on('error', reject)
          .end();
      });

    const [resource, suffixed, issuer, mcp] = await Promise.all(
      [
        '/.well-known/oauth-protected-resource',
        '/.well-known/oauth-protected-resource/lamb/v1/mcp',
        '/.well-known/oauth-authorization-server',
        '/lamb/v1/mcp',
      ].map(at),
    );
    server.close();

    expect(JSON.parse(resource!.text)).to.deep.include({
      resource: 'https://bell.example.edu/lamb/v1/mcp',
      authorization_servers: ['https://bell.example.edu'],
    });
    expect(suffixed!.text).to.equal(resource!.text);
    expect(JSON.parse(issuer!.text)).to.deep.include({
      issuer: 'https://bell.example.edu',
      authorization_endpoint: 'https://bell.example.edu/oauth/authorize',
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    });
    expect(mcp!.headers['www-authenticate']).to.equal(
      'Bearer scope="mcp", resource_metadata="https://bell.example.edu/.well-known/oauth-protected-resource/lamb/v1/mcp"',
    );
    expect(JSON.stringify([resource, issuer, mcp])).not.to.include('evil.example');
    expect(issuer!.headers['cache-control']).to.equal('no-store');
  });
});
