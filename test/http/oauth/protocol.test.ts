import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { unauthenticated } from '../../../src/core/errors.js';
import { SINGLE_PROCESS } from '../../../src/http/middleware/peers.js';
import { challengePrograms, oauthServer } from '../../../src/http/oauth/server.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { aSessionOf } from '../../web/support/page-fixture.js';
import {
  aColleagueOf,
  aPerson,
  auditOf,
  inDatabase,
  LONG_AGO,
  type Person,
} from '../support/users-fixture.js';
import { databaseBytes } from '../support/credentials.js';
import { aProgram, AUTHORIZATION, CALLBACK, codeIn, connected, decide, opens } from './oauth-fixture.js';

describe('letting a program in', function () {
  this.timeout(60_000);
  let world: TestService;
  let person: Person;
  before(async () => {
    world = await sharedService();
    person = await aPerson(world.service);
  });
  const registered = async (redirectUris?: readonly string[]) => {
    const program = aProgram(world.service);
    return { ...program, clientId: (await program.register(redirectUris)).json.client_id };
  };
  const connectionsOf = async ({ key }: Person) =>
    (await world.service.request<{ data: { id: number }[] }>('/lamb/v1/connections', { key })).json.data;

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
      const { clientId, request } = await registered([
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
      const { clientId, request } = await registered();
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
      const { clientId, request } = await registered();

      const { json } = await decide(world.service, person, request(clientId), { decision: 'deny' });

      const { origin, pathname, searchParams } = new URL(json.redirect_to);
      expect(origin + pathname).to.equal(CALLBACK);
      expect(Object.fromEntries(searchParams)).to.deep.equal({
        ...{ error: 'access_denied', state: 'a state', iss: world.service.url },
      });
    });
  });

  describe('a code', () => {
    it('is worth nothing to another client, another verifier, address or resource, and is then worth nothing at all', async () => {
      const other = (await aProgram(world.service).register([CALLBACK], { client_name: 'Another' })).json
        .client_id;
      const wrongs = [
        { client_id: other },
        { code_verifier: 'x'.repeat(43) },
        { redirect_uri: 'http://127.0.0.1:7778/callback' },
        { resource: 'https://other.example/mcp' },
      ];
      for (const wrong of wrongs) {
        const { clientId, request, exchange } = await registered();
        const code = codeIn((await decide(world.service, person, request(clientId))).json.redirect_to);
        const { status, json } = await exchange(clientId, code, wrong);
        const again = await exchange(clientId, code);

        expect([status, json.error]).to.deep.equal([
          400,
          wrong.resource ? 'invalid_target' : 'invalid_grant',
        ]);
        expect([again.status, again.json.error]).to.deep.equal([400, 'invalid_grant']);
      }
    });

    it('that is used twice ends what came of it, and that is on record', async () => {
      const someone = await aPerson(world.service);
      const { access, code, clientId, exchange, refresh, refreshToken } = await connected(
        world.service,
        someone,
      );
      expect(await opens(world.service, access)).to.equal(200);

      const { json } = await exchange(clientId, code);

      expect(json.error).to.equal('invalid_grant');
      expect(await opens(world.service, access)).to.equal(401);
      expect((await refresh(clientId, refreshToken)).json.error).to.equal('invalid_grant');
      const denials = (await auditOf(world.service, someone)).filter(({ outcome }) => outcome === 'denied');
      expect(denials.map(({ action }) => action)).to.deep.equal(['use connection']);
    });

    it('is over after minutes, and is traded once by many at once', async () => {
      const { clientId, request, exchange } = await registered();
      const agreed = async () =>
        codeIn((await decide(world.service, person, request(clientId))).json.redirect_to);
      const late = await agreed();
      await inDatabase(world.service, (_stores, db) =>
        db('oauth_grants').whereNull('family_hash').update({ expires_at: LONG_AGO }),
      );
      expect((await exchange(clientId, late)).json.error).to.equal('invalid_grant');

      const code = await agreed();
      const answers = await Promise.all([1, 2, 3, 4].map(() => exchange(clientId, code)));
      expect(answers.filter(({ status }) => status === 200).length).to.be.at.most(1);
    });
  });

  describe('a token', () => {
    it('opens the MCP endpoint and no other route, is stored as a hash, and is nobody else’s', async () => {
      const { access, refreshToken, code } = await connected(world.service, person);
      const elsewhere = [
        '/v1/models',
        '/lamb/v1/me',
        '/lamb/v1/api-keys',
        '/lamb/v1/connections',
        '/lamb/v1/mcp/',
      ];

      for (const path of elsewhere) {
        const { status } = await world.service.request(path, { key: access });
        expect([path, status]).to.deep.equal([path, 401]);
      }
      const chat = { model: '1', messages: [{ role: 'user', content: 'Hello' }] };
      expect(
        (await world.service.request('/v1/chat/completions', { key: access, body: chat })).status,
      ).to.equal(401);
      expect(await opens(world.service, access)).to.equal(200);
      expect(await opens(world.service, refreshToken)).to.equal(401);
      const bytes = await databaseBytes(world.service);
      for (const secret of [access, refreshToken, code]) expect(bytes).not.to.contain(secret);
    });

    it('is refreshed for its own client alone; one that was used before ends the family, and that is on record', async () => {
      const someone = await aPerson(world.service);
      const { clientId, refresh, refreshToken: first } = await connected(world.service, someone);
      const other = (await aProgram(world.service).register([CALLBACK], { client_name: 'Another' })).json
        .client_id;
      expect((await refresh(other, first)).json.error).to.equal('invalid_grant');
      expect((await refresh(clientId, first, { resource: 'https://other.example/mcp' })).json.error).to.equal(
        'invalid_target',
      );

      const second = (await refresh(clientId, first)).json;
      const third = (await refresh(clientId, second.refresh_token)).json;
      expect(await opens(world.service, second.access_token)).to.equal(401);
      expect(await opens(world.service, third.access_token)).to.equal(200);
      const stolen = await refresh(clientId, first);

      expect(stolen.json.error).to.equal('invalid_grant');
      expect(await opens(world.service, third.access_token)).to.equal(401);
      expect((await refresh(clientId, third.refresh_token)).json.error).to.equal('invalid_grant');
      const [denial] = (await auditOf(world.service, someone)).filter(({ outcome }) => outcome === 'denied');
      expect(denial).to.include({ action: 'use connection' });
    });

    it('of the round before gets the same pair for ten seconds, and afterwards ends the family', async () => {
      const someone = await aPerson(world.service);
      const { clientId, refresh, refreshToken } = await connected(world.service, someone);

      const [one, two] = await Promise.all([
        refresh(clientId, refreshToken),
        refresh(clientId, refreshToken),
      ]);
      expect(one.json).to.deep.equal(two.json);
      expect(await opens(world.service, one.json.access_token)).to.equal(200);
      await inDatabase(world.service, (_stores, db) =>
        db('oauth_grants').where('user_id', someone.id).update({ refreshed_at: LONG_AGO }),
      );
      const late = await refresh(clientId, refreshToken);

      expect(late.json.error).to.equal('invalid_grant');
      expect(await opens(world.service, one.json.access_token)).to.equal(401);
    });

    it('is revoked by its program, with the same answer for one that is none or another’s', async () => {
      const { access, refreshToken, clientId, form } = await connected(world.service, person);
      const other = (await aProgram(world.service).register([CALLBACK], { client_name: 'Another' })).json
        .client_id;
      const revoke = async (token: string, client_id: string) =>
        (await form('/oauth/revoke', { token, client_id })).status;

      expect(await revoke('bwr_nothing', clientId)).to.equal(200);
      expect(await revoke(refreshToken, other)).to.equal(200);
      expect(await opens(world.service, access)).to.equal(200);
      expect(await revoke(refreshToken, clientId)).to.equal(200);
      expect(await opens(world.service, access)).to.equal(401);
    });

    it('ends at once with its person’s account or password, and when an administrator disconnects it', async () => {
      const admin = await aPerson(world.service, { role: 'org_admin' });
      const member = await aColleagueOf(world.service, admin);
      const change = (body: object) =>
        world.service.request(`/lamb/v1/users/${String(member.id)}`, {
          method: 'PATCH',
          key: admin.key,
          body,
        });

      const first = await connected(world.service, member);
      await change({ password: 'another password 42' });
      expect(await opens(world.service, first.access)).to.equal(401);

      const second = await connected(world.service, member);
      const [{ id }] = (await connectionsOf(member)) as [{ id: number }];
      const at = `/lamb/v1/connections/${String(id)}`;
      const stranger = await aPerson(world.service, { role: 'org_admin' });
      const disconnect = (key: string, whose = '') =>
        world.service.request(`${at}${whose}`, { method: 'DELETE', key }).then(({ status }) => status);
      expect(await disconnect(stranger.key)).to.equal(404);
      expect(await disconnect(stranger.key, `?user_email=${member.email}`)).to.equal(404);
      expect(await opens(world.service, second.access)).to.equal(200);
      expect(await disconnect(admin.key, `?user_email=${member.email}`)).to.equal(204);
      expect(await opens(world.service, second.access)).to.equal(401);

      const third = await connected(world.service, member);
      await change({ enabled: false });
      expect(await opens(world.service, third.access)).to.equal(401);
      await change({ enabled: true });
      expect((await third.refresh(third.clientId, third.refreshToken)).json.error).to.equal('invalid_grant');
    });
  });

  it('answers what is no request of OAuth’s in OAuth’s shape', async () => {
    const { clientId, form } = await registered();
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
    const { clientId, request } = await registered();
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
