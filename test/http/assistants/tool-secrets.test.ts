import { expect } from 'chai';
import type { ModelRequest } from '../../support/fakes/fakes.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import type { LedgerRow } from '../../support/fakes/ledger.js';
import { call, say } from '../../support/fakes/model-script.js';
import { httpTool, mcpTool, type OutboundWorld } from '../../support/outbound-service.js';
import { theOutboundWorld } from '../../support/test-service.js';
import { PROVIDER_KEY, spellings } from '../support/api-client.js';
import { assistantOf, configure, providers } from '../support/settings-client.js';
import { aColleagueOf, aPerson, inDatabase, type Person } from '../support/users-fixture.js';

const VALUE = 'canary/se+cret 0123456789"xyz';
const WEAK = 'canary-other-9876543210';

describe('a secret for tools', () => {
  let world: OutboundWorld;
  let teacher: Person;
  before(async () => {
    world = await theOutboundWorld();
    teacher = await anOrganization({});
  });
  const hostOf = (fake: { readonly url: string }) => new URL(fake.url).host;

  async function anOrganization(more: object): Promise<Person> {
    const person = await aPerson(world.service);
    await setUp(person, {
      LIBRARY: { secret: VALUE, hosts: [hostOf(world.http), hostOf(world.mcp)] },
      ...more,
    });
    return person;
  }
  async function setUp(person: Person, secrets: object): Promise<void> {
    const openai = { api_key: PROVIDER_KEY, base_url: `${world.model.url}/v1` };
    await configure(world.service, person, providers(openai, { secrets }));
  }
  const configOf = async ({ organizationId }: Person) =>
    world.service.request<Record<string, unknown>>(`/lamb/v1/organizations/${String(organizationId)}/config`);

  /** Everything that came of one call, by a teacher of the organisation. */
  async function ask(tool: object, name: string, owner = teacher) {
    const model = uniqueName('model');
    await world.model.script(model, [call(name), say('ok')]);
    const metadata = { connector: 'openai', llm: model, verbose: true, tools: [tool] };
    const assistant = await assistantOf(world.service, owner, metadata);
    const stream = await world.service.stream(assistant.id, 'x', { key: owner.key });
    await stream.whole();
    const rows = await world.model.ledger(model);
    const runId = stream.response.headers.get('x-run-id') ?? '';
    const run = await world.service.request(`/lamb/v1/runs/${runId}`, { key: owner.key });
    return { told: toldIn(rows), rows, seen: stream.raw() + run.text };
  }
  const toldIn = (rows: readonly LedgerRow<ModelRequest>[]) =>
    String(rows.at(-1)?.body.messages.find(({ role }) => role === 'tool')?.content ?? '');
  const keyed = (path: string, reference = '${secret:LIBRARY}') =>
    httpTool({ url: `${world.http.url}/${path}`, headers: { 'X-Api-Key': reference } });
  const expectNowhere = (text: string, secret = VALUE) => {
    for (const spelling of spellings(secret)) expect(text).not.to.contain(spelling);
  };

  it('is filled in when the request is made, for a host it may be sent to', async () => {
    const subject = uniqueName('filled');

    await ask(keyed(`text/${subject}`, 'Token ${secret:LIBRARY}'), 'http_request');

    const [row] = await world.http.ledger(subject);
    expect(row?.headers).to.include({ 'x-api-key': `Token ${VALUE}` });
  });

  it('that the server echoes reaches neither model, nor stream, nor trace, nor log', async () => {
    const { told, rows, seen } = await ask(keyed('echo/back'), 'http_request');

    expect(told).to.contain('"x-api-key":"[redacted]"');
    expectNowhere(told + seen + JSON.stringify(rows.map(({ body }) => body)) + world.service.output());
  });

  it('that an MCP server echoes, in what it says of itself or as an answer, goes no further', async () => {
    const headers = { 'X-Api-Key': '${secret:LIBRARY}' };
    const answering = mcpTool({
      server: `${world.mcp.url}/tools/${uniqueName('s')}`,
      tools: ['headers'],
      headers,
    });
    const describing = mcpTool({
      server: `${world.mcp.url}/nosy/${uniqueName('s')}`,
      tools: ['leak'],
      headers,
    });

    const answered = await ask(answering, 'mcp_headers');
    const described = await ask(describing, 'mcp_leak');

    expect(answered.told).to.contain('[redacted]');
    expect(JSON.stringify(described.rows[0]?.body.tools)).to.contain('It was [redacted].');
    for (const { rows, seen } of [answered, described]) {
      expectNowhere(seen + JSON.stringify(rows.map(({ body }) => body)) + world.service.output());
    }
  });

  it('is sent to no other host, and the model learns what is missing', async () => {
    const subject = uniqueName('elsewhere');
    const url = `${world.other.url}/echo/${subject}`;

    const { told } = await ask(
      httpTool({ url, headers: { 'X-Api-Key': '${secret:LIBRARY}' } }),
      'http_request',
    );

    expect(told).to.equal(
      `Error: The secret "LIBRARY" may not be sent to ${world.other.url}. An administrator can add the host to the secret's hosts.`,
    );
    expect(await world.other.ledger(subject)).to.deep.equal([]);
  });

  it('does not go along with a redirect to another host', async () => {
    const subject = uniqueName('moved');
    const to = encodeURIComponent(`${world.other.url}/echo/${subject}`);

    await ask(keyed(`redirect/x?to=${to}`), 'http_request');

    const [row] = await world.other.ledger(subject);
    expect(row).to.include({ outcome: 'echo' });
    expectNowhere(JSON.stringify(row));
  });

  it('that is not set up, or is another organisation’s, is named and not sent', async () => {
    const subject = uniqueName('unknown');
    const stranger = await aPerson(world.service);
    await setUp(stranger, {});

    const own = await ask(keyed(`echo/${subject}`, '${secret:NOBODY}'), 'http_request');
    const others = await ask(keyed(`echo/${subject}`), 'http_request', stranger);

    expect(own.told).to.match(/^Error: The secret "NOBODY" is not set up\./);
    expect(others.told).to.match(/^Error: The secret "LIBRARY" is not set up\./);
    expect(await world.http.ledger(subject)).to.deep.equal([]);
  });

  it('is taken as it is at the moment of the call', async () => {
    const person = await anOrganization({});
    await ask(keyed('text/first'), 'http_request', person);
    const subject = uniqueName('changed');

    await setUp(person, { LIBRARY: { secret: WEAK, hosts: [hostOf(world.http)] } });
    await ask(keyed(`text/${subject}`), 'http_request', person);

    const [row] = await world.http.ledger(subject);
    expect(row?.headers).to.include({ 'x-api-key': WEAK });
  });

  it('whatever it is called, is sealed at rest, masked when shown, and kept when its mask is sent back', async () => {
    const hosts = [hostOf(world.http)];
    const person = await anOrganization({ API_KEY: { secret: WEAK, hosts }, token: { secret: WEAK, hosts } });
    const shown = await configOf(person);

    await configure(world.service, person, shown.json);
    const { told } = await ask(keyed('echo/kept', '${secret:API_KEY}'), 'http_request', person);

    const stored = await inDatabase(world.service, (_stores, db) =>
      db('organizations').where('id', person.organizationId).first<{ config: string }>('config'),
    );
    expect(shown.json)
      .to.have.nested.property('setups.default.secrets.API_KEY')
      .that.deep.equals({ secret: '••••', hosts });
    expectNowhere(JSON.stringify(stored), WEAK);
    expect(told).to.contain('"x-api-key":"[redacted]"');
  });

  describe('is refused when it is set up with', () => {
    const hosts = ['api.example.org'];
    for (const [what, secrets, fault] of [
      ['no hosts', { A: { secret: WEAK, hosts: [] } }, /at least one host/],
      ['no list of hosts', { A: { secret: WEAK } }, /must be \{"secret"/],
      ['its value alone', { A: WEAK }, /must be \{"secret"/],
      ['any host at all', { A: { secret: WEAK, hosts: ['*'] } }, /"\*" is no host/],
      ['an address for a host', { A: { secret: WEAK, hosts: ['https://x.org/'] } }, /is no host/],
      ['a user for a host', { A: { secret: WEAK, hosts: ['a@x.org'] } }, /is no host/],
      ['a value too short to be hidden', { A: { secret: 'abc', hosts } }, /too short/],
      ['a name that nothing can refer to', { 'a b': { secret: WEAK, hosts } }, /letters, digits/],
      ['no names', [WEAK], /object of \{secret, hosts\}/],
    ] as const) {
      it(what, async () => {
        const path = `/lamb/v1/organizations/${String(teacher.organizationId)}/config`;

        const { status, text } = await world.service.request(path, {
          method: 'PUT',
          body: { setups: { default: { secrets } } },
        });

        expect(status).to.equal(422);
        expect(JSON.parse(text)).to.have.nested.property('error.message').that.matches(fault);
        expect(text).not.to.contain(WEAK);
      });
    }
  });

  it('is for administrators to set up, not for teachers', async () => {
    const colleague = await aColleagueOf(world.service, teacher);
    const path = `/lamb/v1/organizations/${String(teacher.organizationId)}/config`;

    const { status } = await world.service.request(path, { method: 'PUT', body: {}, key: colleague.key });

    expect(status).to.equal(403);
  });

  it('stays referred to when its assistant is exported', async () => {
    const tool = httpTool({
      url: `${world.http.url}/echo/x`,
      headers: { Authorization: 'Bearer ${secret:LIBRARY}', 'X-Api-Key': 'typed-in-by-hand' },
    });
    const { id } = await assistantOf(world.service, teacher, { tools: [tool] });

    const { text } = await world.service.request(`/lamb/v1/assistants/${String(id)}/export`, {
      key: teacher.key,
    });

    expect(text).to.contain('Bearer ${secret:LIBRARY}').and.not.to.contain('typed-in-by-hand');
  });
});
