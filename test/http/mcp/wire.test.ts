import { BLANK_CONTENT } from '../../../src/core/assistants/assistant.js';
import { request } from 'node:http';
import { expect } from 'chai';
import { mcpUrl } from '../../support/mcp/client.js';
import { type Service, startService } from '../../support/service.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { expectAlive, refusalOf } from '../support/refusal.js';
import { aPerson, inDatabase, type Person } from '../support/users-fixture.js';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const ACCEPT = { accept: 'application/json, text/event-stream' };

describe('the MCP door', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });
  const post = (body: object | string, headers: Record<string, string> = {}) =>
    world.service.request<{ error?: { code?: unknown; message?: string } }>('/lamb/v1/mcp', {
      body,
      headers: {
        ...ACCEPT,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
    });

  it('takes nothing but POST, and says so', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await world.service.request('/lamb/v1/mcp', { method, headers: ACCEPT });

      expect(refusalOf(answer, 405).code).to.equal('method_not_allowed');
      expect(answer.headers.get('allow')).to.equal('POST');
    }
  });

  it('answers a page of its own origin and programs, and refuses pages of any other', async () => {
    const { origin, port } = new URL(world.service.url);
    const foreign = [
      'https://evil.example',
      'null',
      'file://',
      `http://localhost:${port}.evil.example`,
      'http://127.0.0.1:1',
    ];

    expect((await post(LIST)).status).to.equal(200);
    expect((await post(LIST, { origin })).status).to.equal(200);
    for (const page of foreign) refusalOf(await post(LIST, { origin: page }), 403);
  });

  it('is meant by its own names alone: a name that somebody lets point here is refused', async () => {
    const { port } = new URL(world.service.url);

    const statuses = await Promise.all(
      [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'evil.example', `evil.example:${port}`].map(
        (host) => statusWith(world, { host }),
      ),
    );

    expect(statuses).to.deep.equal([200, 200, 200, 403, 403]);
  });

  it('survives whatever is posted, and tells nothing of its inside', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    const bodies: readonly (string | object)[] = [
      '',
      'null',
      '{',
      '"text"',
      '[]',
      '{}',
      `[${JSON.stringify(LIST)}]`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather","arguments":{"city":${deep}}}}`,
      { jsonrpc: '1.0', id: 1, method: 'tools/list' },
      { jsonrpc: '2.0', id: null, method: 'tools/list' },
      { jsonrpc: '2.0', id: {}, method: 'tools/list' },
      { jsonrpc: '2.0', id: 1, method: 7 },
      { jsonrpc: '2.0', id: 1, method: 'no/such' },
      { jsonrpc: '2.0', id: 1, method: 'tools/call' },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 7 } },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'weather', arguments: [] } },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: '__proto__', arguments: {} } },
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather","arguments":{"city":"Bilbao","__proto__":{"x":1}}}}',
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 'bm9uc2Vuc2U' } },
      { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'assistant_1' } },
      { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: { a: 1 } } },
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 7 } },
    ];

    for (const body of bodies) {
      const answer = await post(body);

      expect(answer.status, JSON.stringify(body).slice(0, 200)).to.be.oneOf([200, 202, 400, 404]);
      expect(answer.text).not.to.match(/\n\s+at |node_modules|\/(tmp|work|home)\/|SQLITE|ZodError/);
      await expectAlive(world.service);
    }
    refusalOf(await post(`[${JSON.stringify(LIST)}]`), 400);
  });

  it('takes JSON alone', async () => {
    refusalOf(await post(JSON.stringify(LIST), { 'content-type': 'text/plain' }), 415);
  });
});

describe('the MCP door of a service with limits', function () {
  this.timeout(60_000);
  let service: Service;
  before(async () => {
    service = await startService({ RATE_LIMIT: '2', BODY_LIMIT: '10kb' });
  });
  after(() => service.stop());

  it('takes no more than BODY_LIMIT', async () => {
    const { key } = await aPerson(service);
    const body = { ...LIST, padding: 'x'.repeat(20_000) };

    refusalOf(await service.request('/lamb/v1/mcp', { key, body }), 413);
  });

  it('counts every message against the limit of its key', async () => {
    const { key } = await aPerson(service);
    const ask = () => service.request('/lamb/v1/mcp', { key, body: LIST, headers: ACCEPT });

    const answers = [await ask(), await ask(), await ask()];

    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 429]);
  });
});

describe('lists over MCP', function () {
  this.timeout(60_000);

  it('come a hundred at a time, installed tools first, each entry once', async () => {
    const { service } = await sharedService();
    const person = await aPerson(service);
    await manyAssistants(service, person, 230);

    const tools = await pagesOf(service, person, 'tools');
    const prompts = await pagesOf(service, person, 'prompts');

    expect(tools.map(({ length }) => length).slice(0, 2)).to.deep.equal([100, 100]);
    expect(prompts.map(({ length }) => length)).to.deep.equal([100, 100, 30]);
    const isAssistant = (name: string) => name.startsWith('call_assistant_');
    // Others may have published some to everybody.
    const own = new Set(prompts.flat().map((name) => `call_${name}`));
    expect(tools.flat().filter((name) => own.has(name))).to.have.length(230);
    expect(new Set(tools.flat()).size).to.equal(tools.flat().length);
    expect(tools.flat().findIndex(isAssistant)).to.equal(tools.flat().filter((n) => !isAssistant(n)).length);
    expect(new Set(prompts.flat()).size).to.equal(230);
    expect(prompts.flat()).to.have.length(230);
  });
});

/** The names on each page, asked for as a client without the SDK's help would. */
async function pagesOf(
  { request }: Service,
  { key }: Person,
  kind: 'tools' | 'prompts',
): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const body = { jsonrpc: '2.0', id: 1, method: `${kind}/list`, params: cursor ? { cursor } : {} };
    const { text } = await request('/lamb/v1/mcp', { key, body, headers: ACCEPT });
    const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '{}') as {
      result: Record<typeof kind, { name: string }[]> & { nextCursor?: string };
    };
    pages.push(result[kind].map(({ name }) => name));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

async function manyAssistants(service: Service, owner: Person, count: number): Promise<void> {
  await inDatabase(service, async ({ assistants }) => {
    for (let i = 0; i < count; i++) {
      await assistants.create(owner, { ...BLANK_CONTENT, name: `number ${String(i)}` });
    }
  });
}

/** Not `fetch`, which chooses the Host header itself. */
function statusWith({ service }: TestService, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = request(
      mcpUrl(service),
      {
        method: 'POST',
        headers: {
          ...ACCEPT,
          authorization: `Bearer ${service.adminKey}`,
          'content-type': 'application/json',
          ...headers,
        },
      },
      (response) => {
        response.resume().once('end', () => {
          resolve(response.statusCode ?? 0);
        });
      },
    );
    asking.once('error', reject).end(JSON.stringify(LIST));
  });
}
