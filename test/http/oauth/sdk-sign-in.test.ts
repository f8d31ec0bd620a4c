import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { mcpUrl } from '../../support/mcp/client.js';
import type { Service } from '../../support/service.js';
import { sharedService, type TestService } from '../../support/test-service.js';
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
    await client.connect(new TransportV1(url, { authProvider: provider }));
    return client;
  },
  finish: (url, provider, answer) =>
    new TransportV1(url, { authProvider: provider }).finishAuth(answer.get('code') ?? ''),
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
    const { json } = await decide(world.service, someone, asked, { at: url.origin });

    await V2.finish(url, provider, new URL(json.redirect_to).searchParams);

    expect(await toolsOf(V2, url, provider)).to.include('weather');
    const [{ id, client_name, redirect_uri }] = await connectionsOf(someone);
    expect({ client_name, redirect_uri }).to.deep.equal({
      client_name: 'Desk',
      redirect_uri: provider.redirectUrl,
    });
    const deeds = (await auditOf(world.service, someone)).map(({ action, resource }) => [action, resource]);
    expect(deeds).to.deep.include(['connect program', `connection ${String(id)}`]);
  });
});
