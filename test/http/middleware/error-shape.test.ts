import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import express from 'express';
import { listenerOf } from '../../../src/http/middleware/error-handler.js';
import { sharedService, type TestService } from '../../support/test-service.js';

/** Everything that fails before a route of ours has a say, or where Express would answer by itself. */
describe('an error, wherever it comes from, has OpenAI’s shape and tells nothing of the machine', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  /** As it stands on the wire: no client mends what is sent. */
  const send = (head: readonly string[], body: string | Buffer = ''): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(world.service.url);
      const socket = connect(Number(port), hostname);
      let text = '';
      socket.setTimeout(10_000, () => socket.destroy(new Error(`no answer to ${head[0] ?? ''}`)));
      socket.on('data', (bytes) => {
        text += bytes.toString();
        // The connection may be kept open; one whole answer is enough.
        if (/\r\n\r\n.*\}$/s.test(text)) socket.end();
      });
      socket.on('error', reject);
      socket.on('close', () => {
        resolve(text);
      });
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      if (body !== '') socket.write(body);
    });
  const host = 'Host: localhost';
  const key = () => `Authorization: Bearer ${world.service.adminKey}`;
  const json = 'Content-Type: application/json';
  const withBody = (path: string, body: string | Buffer, ...headers: string[]) =>
    send(
      [
        `POST ${path} HTTP/1.1`,
        host,
        key(),
        `Content-Length: ${String(Buffer.byteLength(body))}`,
        ...headers,
      ],
      body,
    );

  const cases: Readonly<Record<string, () => Promise<string>>> = {
    'an address that ends in %': () => send(['GET /% HTTP/1.1', host]),
    'an address of the API that ends in %': () => send(['GET /lamb/v1/runs/% HTTP/1.1', host, key()]),
    'half a character in an address': () => send(['GET /lamb/v1/files/%E0%A4%A HTTP/1.1', host, key()]),
    'a file name of the pages that cannot be decoded': () => send(['GET /assets/%c0%ae HTTP/1.1', host]),
    'an address with a null': () => send(['GET /assets/%00 HTTP/1.1', host]),
    'a query that cannot be decoded': () => send(['GET /lamb/v1/runs?cursor=%E0%A4%A HTTP/1.1', host, key()]),
    'an address that is a whole URL of nothing': () => send(['GET http:// HTTP/1.1', host]),
    'no request at all': () => send(['BLAH']),
    'a header without a name': () => send(['GET / HTTP/1.1', host, ': x']),
    'a header with a control character': () => send(['GET / HTTP/1.1', host, 'X-A: \u0001']),
    'headers that are too large': () => send(['GET / HTTP/1.1', host, `X-A: ${'x'.repeat(40_000)}`]),
    'a length and chunks': () =>
      send(
        ['POST /lamb/v1/assistants HTTP/1.1', host, 'Content-Length: 3', 'Transfer-Encoding: chunked'],
        'abc',
      ),
    'an expectation that nobody meets': () => send(['GET /healthz HTTP/1.1', host, 'Expect: miracles']),
    'a body that is no JSON': () => withBody('/lamb/v1/assistants', '{', json),
    'a body in an unknown encoding': () => withBody('/lamb/v1/assistants', '{}', json, 'Content-Encoding: x'),
    'a body in an unknown alphabet': () => withBody('/lamb/v1/assistants', '{}', `${json}; charset=x-y`),
    'a body that cannot be unpacked': () =>
      withBody('/lamb/v1/assistants', 'not gzip', json, 'Content-Encoding: gzip'),
    'a body that unpacks to half of it': () =>
      withBody(
        '/lamb/v1/assistants',
        gzipSync('{"name":"x"}').subarray(0, 20),
        json,
        'Content-Encoding: gzip',
      ),
    'a form without a boundary': () => withBody('/lamb/v1/files', 'x', 'Content-Type: multipart/form-data'),
    'a form that is none': () =>
      withBody('/lamb/v1/files', 'x', 'Content-Type: multipart/form-data; boundary=b'),
    'a form that breaks off': () =>
      withBody(
        '/lamb/v1/files',
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc',
        'Content-Type: multipart/form-data; boundary=b',
      ),
  };

  for (const [what, ask] of Object.entries(cases)) {
    it(what, async () => {
      const answer = await ask();

      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head, answer).to.match(/^HTTP\/1\.1 4\d\d /);
      const { error } = JSON.parse(body) as { error: Record<string, unknown> };
      expect(error).to.have.all.keys('message', 'type', 'code', 'param');
      expect(error['message']).to.be.a('string').and.not.equal('');
      expect(answer).not.to.match(/<html|<pre|node_modules|\bat \w+.*:\d+:\d+|\.[jt]s:\d/i);
    });
  }

  it('a fault while a fault is told', async () => {
    const breaking = () => {
      throw new Error('/home/somebody/redactor.ts');
    };
    const log = { debug: breaking, info: breaking, warn: breaking, error: breaking };
    const hiding = { redact: breaking, redactIn: breaking, json: breaking };
    const redactor = { ...hiding, protect: breaking, renew: breaking, of: () => hiding };
    const server = createServer(listenerOf(express().use(breaking), { log, redactor }));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    try {
      const answer = await fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);

      expect(answer.status).to.equal(500);
      expect(await answer.json()).to.have.nested.property('error.code', 'internal_error');
    } finally {
      server.close();
    }
  });
});
