import { connect } from 'node:net';
import { finished } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { say } from '../../support/fakes/model-script.js';
import { type Service, startService } from '../../support/service.js';
import { createTestService, endWorld, type TestService } from '../../support/test-service.js';
import { expectAlive, refusalOf } from '../support/refusal.js';

const CHAT = '/v1/chat/completions';
const ASSISTANTS = '/lamb/v1/assistants';
const JSON_TYPE = { 'content-type': 'application/json' };
const hello = { role: 'user', content: 'Hello?' };
/** A body may have 20 MiB. */
const TOO_MUCH = 21_000_000;
const nested = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

describe('a bad request', function () {
  this.timeout(60_000);
  let world: TestService;
  let model: string;
  // A service of its own: a fault that ends the process must not end other suites with it.
  before(async () => {
    world = await createTestService();
    model = `lamb_assistant.${String((await world.assistant([say('Hi.')], { repeat: true })).id)}`;
  });
  after(() => endWorld(world));

  afterEach(async () => {
    await expectAlive(world.service);
    const uncaught = world.service.logs().filter(({ msg }) => /not (caught|handled)/.test(String(msg)));
    expect(uncaught).to.deep.equal([]);
  });

  const send = (path: string, body: object | string | undefined, headers: Record<string, string> = {}) =>
    world.service.request(path, { method: 'POST', body, headers });
  const chat = (fields: object, headers = {}) => send(CHAT, { model, messages: [hello], ...fields }, headers);
  const json = (body: string, headers = {}) => send(CHAT, body, { ...JSON_TYPE, ...headers });

  describe('of which every fault is named', () => {
    it('when all fields are of the wrong type', async () => {
      const fields = {
        ...{ model: 7, messages: 'Hello?', stream: 'yes', stream_options: [], temperature: 'hot', top_p: 2 },
        ...{
          max_tokens: 0,
          max_completion_tokens: 1.5,
          stop: 7,
          seed: 'x',
          response_format: 'json',
          user: {},
        },
        conversation_id: [],
      };

      const { message } = refusalOf(await chat(fields), 400);

      for (const field of Object.keys(fields)) expect(message).to.contain(field);
    });

    it('when several messages are wrong, each by its number', async () => {
      const messages = [hello, { role: 'user' }, { role: 'system', content: 7 }, 'Hello?', null];

      const { message, param } = refusalOf(await chat({ messages }), 400);

      for (const place of ['messages.1', 'messages.2', 'messages.3', 'messages.4'])
        expect(message).to.contain(place);
      expect(message).not.to.contain('messages.0');
      expect(param).to.match(/^messages\.1/);
    });

    for (const [what, messages, place] of [
      ['no messages', [], 'messages'],
      ['no message of the user', [{ role: 'assistant', content: 'Hi.' }], 'user'],
      ['only system messages', [{ role: 'system', content: 'Obey.' }], 'user'],
      ['an unknown role', [hello, { role: 'root', content: 'x' }], 'messages.1.role'],
      ['no role', [hello, { content: 'x' }], 'messages.1.role'],
      ['a role of the prototype', [hello, { role: '__proto__', content: 'x' }], 'messages.1.role'],
      ['an unknown part', [{ role: 'user', content: [{ type: 'video', url: 'x' }] }], 'video'],
      [
        'a text part without text',
        [{ role: 'user', content: [{ type: 'text' }] }],
        'messages.0.content.0.text',
      ],
      [
        'an image part without a link',
        [{ role: 'user', content: [{ type: 'image_url' }] }],
        'messages.0.content.0.image_url',
      ],
      [
        'an image from the file system',
        [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }] }],
        'messages.0.content.0.image_url.url',
      ],
      ['content that is null', [{ role: 'user', content: null }], 'messages.0.content'],
    ] as const) {
      it(`when there is ${what}`, async () => {
        expect(refusalOf(await chat({ messages }), 400).message).to.contain(place);
      });
    }

    it('when X-Status is none of its three values', async () => {
      for (const value of ['loud', 'Events', 'off, events']) {
        const { message } = refusalOf(await chat({}, { 'X-Status': value }), 400);
        expect(message).to.contain('events').and.to.contain('off').and.to.contain('reasoning');
      }
    });

    it('before any stream begins', async () => {
      refusalOf(await chat({ stream: true, messages: [] }), 400);
      refusalOf(await chat({ stream: true, model: 'no such model' }), 404);
    });
  });

  describe('with a body that cannot be read', () => {
    for (const [what, body] of [
      ['malformed', '{"model": "x", '],
      ['no JSON at all', 'model=x&messages=y'],
      ['a bare text', '"hello"'],
      ['a bare null', 'null'],
      ['a list', '[]'],
      ['empty', ''],
      ['nothing but blanks', '   '],
      ['broken in its UTF-8', '{"model":"\xff\xfe'],
    ] as const) {
      it(`gets 400 when it is ${what}`, async () => {
        refusalOf(await json(body), 400);
      });
    }

    it('gets 400 when there is none, and is told what to send', async () => {
      const answers = [await send(CHAT, undefined), await send(ASSISTANTS, undefined)];

      for (const answer of answers) expect(refusalOf(answer, 400).message).to.contain('application/json');
    });

    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'garbage',
      '',
    ]) {
      it(`gets 415 when its type is "${type}"`, async () => {
        const answer = await send(CHAT, JSON.stringify({ model, messages: [hello] }), {
          'content-type': type,
        });

        expect(refusalOf(answer, 415).message).to.contain('application/json');
      });
    }

    for (const charset of ['latin1', 'utf-99', 'klingon', 'utf-7x']) {
      it(`gets 415 when its charset is ${charset}`, async () => {
        refusalOf(await json('{}', { 'content-type': `application/json; charset=${charset}` }), 415);
      });
    }

    it('gets 415 when it is encoded in an unknown way', async () => {
      refusalOf(await json('{}', { 'content-encoding': 'lzma' }), 415);
    });

    for (const encoding of ['gzip', 'deflate', 'br']) {
      it(`gets 400 when it says it is ${encoding} and is not`, async () => {
        refusalOf(await json('this was never compressed', { 'content-encoding': encoding }), 400);
      });
    }

    it('gets 4xx when both its charset and its compression are wrong', async () => {
      const headers = { 'content-type': 'application/json; charset=utf-99', 'content-encoding': 'gzip' };

      for (let i = 0; i < 5; i++) refusalOf(await json('x'.repeat(100_000), headers), 415);
    });
  });

  describe('that is too much', () => {
    it('gets 413 for a body of 21 MB', async () => {
      const messages = [{ role: 'user', content: 'x'.repeat(TOO_MUCH) }];

      expect(refusalOf(await chat({ messages }), 413).message).to.contain('BODY_LIMIT');
    });

    it('gets 413 for a small body that unpacks to 21 MB', async () => {
      const bomb = gzipSync(
        JSON.stringify({ model, messages: [{ role: 'user', content: ' '.repeat(TOO_MUCH) }] }),
      );

      const answer = await send(CHAT, bomb, { ...JSON_TYPE, 'content-encoding': 'gzip' });

      expect(bomb.length).to.be.lessThan(100_000);
      refusalOf(answer, 413);
    });

    it('gets 413 for a sign-in of more than 16 kB, which needs no credential', async () => {
      const body = { email: 'a@example.test', password: 'x'.repeat(20_000) };

      refusalOf(await world.service.request('/lamb/v1/auth/login', { body, key: null }), 413);
    });

    for (const [what, path, body] of [
      ['a whole body', CHAT, nested(100_000)],
      ['lists in lists', CHAT, '['.repeat(100_000) + ']'.repeat(100_000)],
      [
        'the content of a message',
        CHAT,
        `{"model":"1","messages":[{"role":"user","content":${nested(100_000)}}]}`,
      ],
      ['a sign-in', '/lamb/v1/auth/login', `{"email":"x","password":${nested(2_000)}}`],
    ] as const) {
      it(`gets 400 for ${what} that nests too deep`, async () => {
        refusalOf(await send(path, body, JSON_TYPE), 400);
      });
    }

    it('gets 400 for a response format that nests too deep to be passed on', async () => {
      const body = `{"model":"${model}","messages":[${JSON.stringify(hello)}],"response_format":{"type":"x","deep":${nested(100_000)}}}`;

      refusalOf(await json(body), 400);
    });

    it('gets 200 for deep keys that nobody reads', async () => {
      const body = `{"model":"${model}","messages":[${JSON.stringify(hello)}],"ignored":${nested(100_000)}}`;

      expect((await json(body)).status).to.equal(200);
    });

    it('gets a short answer however many its faults are', async () => {
      const messages = Array.from({ length: 50_000 }, () => ({ role: 'root' }));

      const answer = await chat({ messages });

      refusalOf(answer, 400);
      expect(answer.text.length).to.be.lessThan(10_000);
    });

    it('gets a short answer however many bad parts a message has', async () => {
      const content = Array.from({ length: 300_000 }, () => 0);

      const answer = await chat({ messages: [{ role: 'user', content }] });

      refusalOf(answer, 400);
      expect(answer.text.length).to.be.lessThan(10_000);
    });

    it('gets a short answer however many unknown keys it has', async () => {
      const keys = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`unknown_${String(i)}`, 1]));

      const answer = await send(ASSISTANTS, { name: 'x', ...keys });

      refusalOf(answer, 400);
      expect(answer.text.length).to.be.lessThan(10_000);
    });
  });

  describe('that HTTP itself cannot make sense of', () => {
    const authorization = () => `Authorization: Bearer ${world.service.adminKey}\r\n`;
    const post = (headers: string, body: string) =>
      exchange(
        world.service.url,
        `POST ${CHAT} HTTP/1.1\r\nHost: x\r\n${authorization()}${headers}\r\n${body}`,
      );

    it('is let go when its body is cut short', async () => {
      const answer = await post(
        'Content-Type: application/json\r\nContent-Length: 1000\r\n',
        '{"model": "x", "mess',
      );

      expect(answer).to.match(/^(HTTP\/1\.1 400 |$)/);
      expect(answer).not.to.match(/\n\s+at /);
    });

    it('is let go when a chunk is cut short', async () => {
      const answer = await post(
        'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n',
        'ff\r\n{"model"',
      );

      expect(answer).to.match(/^(HTTP\/1\.1 400 |$)/);
    });

    for (const [what, status, request] of [
      ['a header of 32 kB', 431, `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(32_000)}\r\n\r\n`],
      ['an address of 32 kB', 431, `GET /${'a'.repeat(32_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
      ['what is no HTTP', 400, 'HELLO\r\n\r\n'],
      [
        'a body of two lengths',
        400,
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      ],
    ] as const) {
      it(`gets ${String(status)} in OpenAI's shape for ${what}`, async () => {
        const answer = await exchange(world.service.url, request);

        const [head = '', body = ''] = answer.split('\r\n\r\n');
        expect(head).to.match(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
        expect(body).to.match(/^\{"error":\{"message":/);
      });
    }

    for (const path of [
      '/lamb/v1/assistants/%ZZ',
      '/lamb/v1/conversations/%E0%A4%A',
      '/lamb/v1/completions/tools/%',
    ]) {
      it(`gets 400 for ${path}, which is not encoded correctly`, async () => {
        refusalOf(await world.service.request(path), 400);
      });
    }

    for (const id of ['abc', '0', '-1', '1.5', 'NaN', '1;DROP TABLE assistants', '99999999999999999999']) {
      it(`gets 400 or 404 for an assistant with the id ${id}`, async () => {
        const answer = await world.service.request(`${ASSISTANTS}/${encodeURIComponent(id)}`);

        refusalOf(answer, answer.status === 404 ? 404 : 400);
      });
    }
  });

  describe('for a route that does not exist', () => {
    for (const [method, path] of [
      ['GET', '/no/such/route'],
      ['GET', '/v1/chat/completions'],
      ['PATCH', '/lamb/v1/assistants/1'],
      ['DELETE', '/v1/models'],
      ['GET', '/lamb/v1/assistants/1/no-such-part'],
      ['GET', '/..%2f..%2fetc/passwd'],
      ['GET', `/${'x'.repeat(5_000)}`],
    ] as const) {
      it(`gets 404 in OpenAI's shape: ${method} ${path.slice(0, 40)}`, async () => {
        const answer = await world.service.request(path, { method });

        expect(refusalOf(answer, 404)).to.include({ type: 'invalid_request_error', code: 'not_found' });
        expect(answer.text.length).to.be.lessThan(500);
      });
    }
  });
});

describe('an assistant with far too many tools', function () {
  this.timeout(60_000);
  let service: Service;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.stop());

  for (const type of ['weather', 'no-such-tool']) {
    it(`is refused shortly and in good time, and the service lives: 40 000 of type ${type}`, async () => {
      const tools = Array.from({ length: 40_000 }, () => type);
      const body = { name: 'many', metadata: { tools } };

      const answer = await service.request('/lamb/v1/assistants', {
        body,
        signal: AbortSignal.timeout(5_000),
      });

      refusalOf(answer, answer.status === 400 ? 400 : 422);
      expect(answer.text.length).to.be.lessThan(20_000);
      await expectAlive(service);
    });
  }
});

/** Sends these bytes as they are, closes its side, and gives all that came back, also when it was cut off. */
async function exchange(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const received: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => received.push(bytes));
  socket.end(request);
  await finished(socket).catch(() => undefined);
  return Buffer.concat(received).toString();
}
