import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type LogLine, type Service, startService } from '../../support/service.js';
import { aPerson, type Person, publish } from '../support/users-fixture.js';

const CHAT = '/v1/chat/completions';
const LIMIT = 3;

interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Without a length, so that nobody knows its end beforehand. */
  readonly chunked?: boolean;
}

interface Seen {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
  readonly log: object;
  readonly route: unknown;
}

/** Anything unusual about a request sends it past the lane, to the router. */
const DETOURS: Readonly<Record<string, (sent: Sent) => Sent>> = {
  'with a query': (sent) => ({ ...sent, path: `${CHAT}?x=1` }),
  compressed: (sent) => ({
    ...sent,
    headers: { ...sent.headers, 'content-encoding': 'gzip' },
    body: gzipSync(sent.body),
  }),
  'in chunks': (sent) => ({ ...sent, chunked: true }),
};

describe('a chat in the fast lane', function () {
  this.timeout(60_000);
  let service: Service;
  let model: string;
  before(async () => {
    service = await startService({ RATE_LIMIT: String(LIMIT), BODY_LIMIT: '1mb' });
    const { id } = await service.createAssistant({ metadata: { connector: 'bypass' } });
    await publish(service, id, 'everyone', { id: 1 } as Person);
    model = `lamb_assistant.${String(id)}`;
  });
  after(() => service.stop());

  const hello = (more: object = {}) =>
    JSON.stringify({ model, messages: [{ role: 'user', content: 'Grüß Gott, 😀?' }], ...more });

  interface Case {
    readonly status: number;
    readonly body: () => string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly spent?: boolean;
  }
  const CASES: Readonly<Record<string, Case>> = {
    'a whole answer': { status: 200, body: hello },
    'a stream': { status: 200, body: () => hello({ stream: true }) },
    'a stream with usage': {
      status: 200,
      body: () => hello({ stream: true, stream_options: { include_usage: true } }),
    },
    'a stream without statuses': {
      status: 200,
      body: () => hello({ stream: true }),
      headers: { 'x-status': 'off' },
    },
    'a stream that reasons': {
      status: 200,
      body: () => hello({ stream: true }),
      headers: { 'x-status': 'reasoning' },
    },
    'an X-Status that does not exist': { status: 400, body: hello, headers: { 'x-status': 'loud' } },
    'faults in its fields': { status: 400, body: () => hello({ messages: [], temperature: 'hot' }) },
    'an empty object': { status: 400, body: () => '{}' },
    'a list': { status: 400, body: () => '[]' },
    'no JSON': { status: 400, body: () => '{"model": ' },
    'nothing but blanks': { status: 400, body: () => '   ' },
    'a bare text': { status: 400, body: () => '"hello"' },
    'a bare null': { status: 400, body: () => 'null' },
    'a bare number': { status: 400, body: () => '7' },
    'a byte order mark': { status: 200, body: () => `\uFEFF${hello()}` },
    'two byte order marks': { status: 400, body: () => `\uFEFF\uFEFF${hello()}` },
    'blanks and line feeds around it': { status: 200, body: () => ` \r\n\t${hello()}\n ` },
    'a blank that JSON does not know': { status: 400, body: () => `\u00a0${hello()}` },
    'a type with a charset': {
      status: 200,
      body: hello,
      headers: { 'content-type': 'Application/JSON; charset=UTF-8' },
    },
    'a type of its own': {
      status: 200,
      body: hello,
      headers: { 'content-type': 'application/vnd.chat+json' },
    },
    'a type that is not JSON': { status: 415, body: hello, headers: { 'content-type': 'text/plain' } },
    'a charset that is not read': {
      status: 415,
      body: hello,
      headers: { 'content-type': 'application/json; charset=latin1' },
    },
    'no credential': { status: 401, body: hello, headers: { authorization: '' } },
    'a credential of nobody': {
      status: 401,
      body: hello,
      headers: { authorization: 'Bearer bw_0123456789abcdef0123456789abcdef' },
    },
    'an assistant that does not exist': { status: 404, body: () => hello({ model: '999999' }) },
    'a body that is too large': { status: 413, body: () => hello({ user: 'x'.repeat(1_100_000) }) },
    'a key that has had its share': { status: 429, body: hello, spent: true },
  };

  /** Whoever asks is new each time, so that nobody's limit is in the way of another case. */
  async function ask(
    { body, headers = {}, spent = false }: Case,
    detour: (sent: Sent) => Sent,
  ): Promise<Seen> {
    const { key } = await aPerson(service);
    const spend = Array.from({ length: spent ? LIMIT : 0 }, () => service.request('/lamb/v1/me', { key }));
    await Promise.all(spend);
    const usual = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
    const res = await send(service.url, detour({ path: CHAT, headers: usual, body: Buffer.from(body()) }));
    const answer = await textOf(res);
    const line = await service.waitForLog(
      ({ requestId, msg }) => requestId === res.headers['x-request-id'] && msg === 'request',
    );
    const names = res.rawHeaders.filter((_, i) => i % 2 === 0);
    const told = { ...facts(line), run: 'runId' in line, user: 'userId' in line };
    return {
      status: res.statusCode ?? 0,
      headers: [...names, String(res.headers['content-type'])],
      body: withoutNames(answer),
      log: told,
      route: line['route'],
    };
  }

  for (const [what, each] of Object.entries(CASES)) {
    it(`gets what the router answers to ${what}: status, headers, body and line in the log`, async () => {
      const inLane = await ask(each, (sent) => sent);
      const detours = await Promise.all(Object.values(DETOURS).map((detour) => ask(each, detour)));

      expect(inLane.status, inLane.body).to.equal(each.status);
      for (const [i, { route: _route, ...seen }] of detours.entries()) {
        const { route: _own, ...own } = inLane;
        expect(own, Object.keys(DETOURS)[i]).to.deep.equal(seen);
      }
    });
  }

  it('is on the log by its route, also when it is refused', async () => {
    const seen = await Promise.all(
      ['a stream', 'no JSON', 'no credential'].map((what) => ask(CASES[what] as Case, (sent) => sent)),
    );

    expect(seen.map(({ route }) => route)).to.deep.equal([CHAT, CHAT, CHAT]);
  });

  it('is read in as many pieces as it comes in', async () => {
    const { key } = await aPerson(service);
    const body = Buffer.from(hello());
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const req = request(service.url + CHAT, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
    });
    // Cut inside a character as well.
    for (const byte of body) {
      req.write(Buffer.of(byte));
      await new Promise((turn) => setImmediate(turn));
    }
    req.end();
    const [res] = (await once(req, 'response')) as [IncomingMessage];

    expect(await textOf(res)).to.contain('Grüß Gott, 😀?');
  });

  it('leaves the same line in the log when its client leaves in the middle of the body', async () => {
    const lines = await Promise.all([CHAT, `${CHAT}?x=1`].map((path) => leaveHalfWay(path)));

    expect(lines[0]).to.deep.equal(lines[1]);
    expect(lines[0]).to.include({ finished: false, method: 'POST' });
  });

  async function leaveHalfWay(path: string): Promise<object> {
    const { key, id } = await aPerson(service);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const req = request(service.url + path, {
      method: 'POST',
      headers: { ...headers, 'content-length': 1000 },
    });
    req.on('error', () => undefined).write('{"model": ');
    await once(req, 'socket');
    // The limit is counted after the credential and before the body: once it is, the body is waited for.
    await bodyIsAwaited(key);
    req.destroy();
    const line = await service.waitForLog(
      ({ userId, msg, finished }) => userId === id && msg === 'request' && finished === false,
    );
    // Nobody was told a status: which one it would have been is a matter of who hears of the leaving first.
    const { status: _status, ...told } = facts(line) as LogLine;
    return told;
  }

  /** Of this key's three requests one is the body's own; when one more is refused after two, it has been counted. */
  async function bodyIsAwaited(key: string): Promise<void> {
    const statuses = [];
    for (let i = 0; i < LIMIT; i++) statuses.push((await service.request('/lamb/v1/me', { key })).status);
    expect(statuses).to.deep.equal([200, 200, 429]);
  }
});

async function send(url: string, { path, headers, body, chunked = false }: Sent): Promise<IncomingMessage> {
  const length = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length };
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
  const req = request(url + path, { method: 'POST', headers: { ...given, ...length } });
  req.on('error', () => undefined).end(body);
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  return res;
}

/** What differs between any two requests is left out. */
function facts({
  time: _time,
  requestId: _request,
  runId: _run,
  ms: _ms,
  userId: _user,
  route: _route,
  ...rest
}: LogLine) {
  return rest;
}

function withoutNames(body: string): string {
  return body
    .replaceAll(/(run_|chatcmpl-)[0-9a-f-]{36}/g, '$1')
    .replaceAll(/"created":\d+/g, '"created":0')
    .replaceAll(/"ms":\d+/g, '"ms":0')
    .replaceAll(/in \d+ s\./g, 'in so many s.');
}
