import { expect } from 'chai';
import { sharedService, type TestService } from '../../support/test-service.js';
import { databaseBytes } from '../support/credentials.js';
import {
  aColleagueOf,
  aPerson,
  auditOf,
  inDatabase,
  LONG_AGO,
  type Person,
} from '../support/users-fixture.js';
import { aProgram, CALLBACK, codeIn, connected, decide, opens, registered } from './oauth-fixture.js';

describe('of a program that was let in', function () {
  this.timeout(60_000);
  let world: TestService;
  let person: Person;
  before(async () => {
    world = await sharedService();
    person = await aPerson(world.service);
  });
  const connectionsOf = async ({ key }: Person) =>
    (await world.service.request<{ data: { id: number }[] }>('/lamb/v1/connections', { key })).json.data;

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
        const { clientId, request, exchange } = await registered(world.service);
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
      const { clientId, request, exchange } = await registered(world.service);
      const agreed = async () =>
        codeIn((await decide(world.service, person, request(clientId))).json.redirect_to);
      const late = await agreed();
      await inDatabase(world.service, (_stores, db) =>
        db('oauth_grants').whereNull('family_hash').update({ expires_at: LONG_AGO }),
      );
      expect((await exchange(clientId, late)).json.error).to.equal('invalid_grant');

      const code = await agreed();
      const answers = await Promise.all([1, 2, 3, 4].map(() => exchange(clientId, code)));
      const [traded, ...others] = answers.filter(({ status }) => status === 200);
      expect(others).to.deep.equal([]);
      // Which of the four was meant to have it nobody can tell.
      expect(await opens(world.service, traded!.json.access_token)).to.equal(401);
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
});
