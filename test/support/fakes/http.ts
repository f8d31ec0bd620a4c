import { once } from 'node:events';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { departure, sendJson, write, type Exchange, type Fake } from './ledger-server.js';

const MEGABYTE = 1024 * 1024;
/** 200 MB, in as many members of one file as RFC 1952 allows: quickly made. */
const BOMB = Buffer.concat(Array<Buffer>(200).fill(gzipSync(Buffer.alloc(MEGABYTE))));

type Answer = (exchange: Exchange) => Promise<void>;

/** By the first part of the path; the second is what the ledger files it under. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  echo: ({ res, row, body }) =>
    sendJson(res, 200, { method: row.method, path: row.path, headers: row.headers, body }),
  json: ({ res }) => send(res, 'application/problem+json; charset=utf-8', '{\n  "answer":  42\n}'),
  badjson: ({ res }) => send(res, 'application/json', '{"answer": '),
  text: ({ res }) => send(res, 'text/plain; charset=utf-8', 'Plain wörds.\nAnd more.'),
  binary: ({ res }) => send(res, 'image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0])),
  untyped: ({ res }) => send(res, '', 'Plain wörds, of no type.'),
  unknown: ({ res }) => send(res, '', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0])),
  nul: ({ res }) => send(res, '', 'text\0and more'),
  empty: async ({ res }) => {
    res.writeHead(204).end();
    await once(res, 'close');
  },
  status: ({ res, url }) =>
    send(res, 'text/plain', 'words of the service', Number(url.searchParams.get('is'))),
  redirect: async ({ res, url }) => {
    const location = url.searchParams.get('to') ?? '';
    res.writeHead(Number(url.searchParams.get('status') ?? 302), { location }).end('moved');
    await once(res, 'close');
  },
  loop: async ({ res, row }) => {
    res.writeHead(302, { location: row.path }).end();
    await once(res, 'close');
  },
  large: (exchange) => pour(exchange, MEGABYTE),
  huge: (exchange) => pour(exchange, 1024 * MEGABYTE),
  endless: (exchange) => pour(exchange, Infinity),
  bomb: ({ res }) => send(res, 'text/plain', BOMB, 200, { 'content-encoding': 'gzip' }),
  silent: ({ left }) => departure(left),
  drip: async (exchange) => {
    exchange.res.writeHead(200, { 'content-type': 'text/plain' });
    for (;;) {
      await write(exchange, '.');
      await delay(50, undefined, { signal: exchange.left });
    }
  },
  reset: (exchange) => {
    exchange.hangUp('reset');
    return Promise.resolve();
  },
};

async function send(
  res: Exchange['res'],
  type: string,
  body: string | Buffer,
  status = 200,
  more: Record<string, string> = {},
): Promise<void> {
  res.writeHead(status, { ...(type === '' ? {} : { 'content-type': type }), ...more });
  await new Promise<void>((sent) => res.end(body, sent));
}

async function pour(exchange: Exchange, bytes: number): Promise<void> {
  const block = 'x'.repeat(64 * 1024);
  exchange.res.writeHead(200, { 'content-type': 'text/plain' });
  for (let sent = 0; sent < bytes; sent += block.length) {
    await write(exchange, block);
    // Without a turn of the event loop the client's leaving would go unnoticed.
    await setImmediate();
  }
  exchange.res.end();
}

/** A server that behaves as the first part of the path says. */
export const FAKE_HTTP: Fake = {
  subjectOf: (url) => url.pathname.split('/')[2] ?? '',
  answer: async (exchange) => {
    const behaviour = exchange.url.pathname.split('/')[1] ?? '';
    exchange.row.outcome = behaviour;
    try {
      await (ANSWERS[behaviour] ?? (() => sendJson(exchange.res, 404, {})))(exchange);
    } catch (error) {
      if (!exchange.left.aborted) throw error;
    }
  },
};
