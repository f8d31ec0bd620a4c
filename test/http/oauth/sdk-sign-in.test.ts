import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { mcpUrl } from '../../support/mcp-client.js';
import type { Service } from '../../support/service.js';
import { createTestService, endWorld, sharedService, type TestService } from '../../support/test-service.js';
import { aPerson, auditOf, inDatabase, LONG_AGO, type Person } from '../support/users-fixture.js';
import { aProvider, decide, type TestProvider } from './oauth-fixture.js';

interface Connected {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  close(): Promise<void>;
}
interface Sdk {
  /** Rejects with the SDK's own UnauthorizedError when the person has to be asked first. */
  connect(url: URL, provider: OAuthClientProvider): Promise<Connected>;
  finish(url: URL, provider: OAuthClientProvider, answer: URLSearchParams): Promise<void>;
}

const V1: Sdk = {
  async connect(url, provider) {
    const client = new ClientV1({ name: 'test', version: '1.0.0' });
    await client.connect(new TransportV1(url, { authProvider: provider as never }) as never);
    return client;
  },
  finish: (url, provider, answer) =>
    new TransportV1(url, { authProvider: provider as never }).finishAuth(answer.get('code') ?? ''),
};
const V2: Sdk = {
  async connect(url, provider) {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
    return client;
  },
  // Given the whole answer, it also checks who it comes from (RFC 9207).
  finish: (url, provider, answer) =>
    new StreamableHTTPClientTransport(url, { authProvider: provider }).finishAuth(answer),
};

/** All that a person and their browser do. */
async function agree(service: Service, person: Person, provider: TestProvider): Promise<URLSearchParams> {
  const { json } = await decide(service, person, Object.fromEntries(provider.sentTo().searchParams));
  return new URL(json.redirect_to).searchParams;
}

describe('signing in to MCP with nothing but its address', function () {
  this.timeout(60_000);
  let world: TestService;
  let person: Person;
  before(async () => {
    world = await sharedService();
    person = await aPerson(world.service);
  });

  const toolsOf = async (sdk: Sdk, url: URL, provider: OAuthClientProvider) => {
    const client = await sdk.connect(url, provider);
    try {
      return (await client.listTools()).tools.map(({ name }) => name);
    } finally {
      await client.close();
    }
  };

  for (const [version, sdk] of [['1', V1] as const, ['2', V2] as const]) {
    it(`works with the official client, version ${version}, as it is: asked, let in, refreshed, and out when disconnected`, async () => {
      const url = mcpUrl(world.service);
      const provider = aProvider(`SDK ${version}`);
      const fault = await sdk.connect(url, provider).catch((thrown: unknown) => thrown);
      expect((fault as Error).constructor.name).to.equal(UnauthorizedError.name);
      expect(provider.sentTo().href).to.match(new RegExp(`^${world.service.url}/oauth/authorize\\?`));

      await sdk.finish(url, provider, await agree(world.service, person, provider));
      expect(await toolsOf(sdk, url, provider)).to.include('weather');

      // Its time is over: the client refreshes by itself.
      const before = provider.kept.tokens;
      await inDatabase(world.service, (_stores, db) =>
        db('oauth_grants').where('user_id', person.id).update({ access_expires_at: LONG_AGO }),
      );
      expect(await toolsOf(sdk, url, provider)).to.include('weather');
      expect(provider.kept.tokens?.access_token).not.to.equal(before?.access_token);

      const [{ id }] = await connectionsOf(person);
      const gone = await world.service.request(`/lamb/v1/connections/${String(id)}`, {
        ...{ method: 'DELETE', key: person.key },
      });
      expect(gone.status).to.equal(204);
      const asked = await sdk.connect(url, provider).catch((thrown: unknown) => thrown);
      expect((asked as Error).constructor.name).to.equal(UnauthorizedError.name);
      expect(await connectionsOf(person)).to.deep.equal([]);
    });
  }

  const connectionsOf = async ({ key }: Person) =>
    (
      await world.service.request<{ data: [{ id: number; client_name: string; redirect_uri: string }] }>(
        '/lamb/v1/connections',
        { key },
      )
    ).json.data;

  it('lets the client’s two requests refresh at once, as happens whenever a token has run out', async () => {
    const someone = await aPerson(world.service);
    const url = mcpUrl(world.service);
    const provider = aProvider();
    await V2.connect(url, provider).catch(() => undefined);
    await V2.finish(url, provider, await agree(world.service, someone, provider));
    const client = await V2.connect(url, provider);
    await inDatabase(world.service, (_stores, db) =>
      db('oauth_grants').where('user_id', someone.id).update({ access_expires_at: LONG_AGO }),
    );

    const lists = await Promise.all([client.listTools(), client.listTools(), client.listTools()]);
    await client.close();

    expect(lists.map(({ tools }) => tools.length > 0)).to.deep.equal([true, true, true]);
    expect(await connectionsOf(someone)).to.have.length(1);
  });

  it('works under the name that the client calls, and puts on record who let what in', async () => {
    const someone = await aPerson(world.service);
    const url = new URL(mcpUrl(world.service).href.replace('127.0.0.1', 'localhost'));
    const provider = aProvider('Desk');
    await V2.connect(url, provider).catch(() => undefined);
    expect(provider.sentTo().hostname).to.equal('localhost');
    const asked = Object.fromEntries(provider.sentTo().searchParams);
    const there = { ...world.service, url: url.origin };
    const { json } = await decideAt(there, someone, asked);

    await V2.finish(url, provider, new URL(json.redirect_to).searchParams);

    expect(await toolsOf(V2, url, provider)).to.include('weather');
    const [{ id, client_name, redirect_uri }] = await connectionsOf(someone);
    expect({ client_name, redirect_uri }).to.deep.equal({
      client_name: 'Desk',
      redirect_uri: provider.redirectUrl,
    });
    expect(await auditOf(world.service, someone)).to.deep.include.members([
      ...(await auditOf(world.service, someone)).filter(
        ({ action, resource }) => action === 'connect program' && resource === `connection ${String(id)}`,
      ),
    ]);
  });

  /** The page is at the address that the metadata names. */
  async function decideAt(service: Service, someone: Person, asked: Record<string, string>) {
    const { aSessionOf } = await import('../../web/support/page-fixture.js');
    const answer = await fetch(`${service.url}/lamb/v1/oauth/authorization`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await aSessionOf(service, someone)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ...asked, decision: 'allow' }),
    });
    return { json: (await answer.json()) as { redirect_to: string } };
  }
});

describe('the address in the metadata', function () {
  this.timeout(60_000);

  it('is PUBLIC_URL wherever there is one, whatever name a request or a proxy gives', async () => {
    const { service, ...rest } = await createTestService({ PUBLIC_URL: 'https://bell.example.edu/' });
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const at = (path: string) => service.request<Record<string, unknown>>(path, { key: null, headers });

    const [resource, suffixed, server, mcp] = await Promise.all(
      [
        '/.well-known/oauth-protected-resource',
        '/.well-known/oauth-protected-resource/lamb/v1/mcp',
        '/.well-known/oauth-authorization-server',
        '/lamb/v1/mcp',
      ].map(at),
    );
    await endWorld({ service, ...rest });

    expect(resource!.json).to.deep.include({
      resource: 'https://bell.example.edu/lamb/v1/mcp',
      authorization_servers: ['https://bell.example.edu'],
    });
    expect(suffixed!.json).to.deep.equal(resource!.json);
    expect(server!.json).to.deep.include({
      issuer: 'https://bell.example.edu',
      authorization_endpoint: 'https://bell.example.edu/oauth/authorize',
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    });
    expect(mcp!.status).to.equal(401);
    expect(mcp!.headers.get('www-authenticate')).to.equal(
      'Bearer scope="mcp", resource_metadata="https://bell.example.edu/.well-known/oauth-protected-resource/lamb/v1/mcp"',
    );
    for (const { text, headers: said } of [resource!, server!, mcp!]) {
      expect(text + JSON.stringify([...said])).not.to.include('evil.example');
    }
    expect(server!.headers.get('cache-control')).to.equal('no-store');
  });
});
