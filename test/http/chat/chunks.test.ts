import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { ChunkWriter, drainOrClose } from '../../../src/http/chat/sse.js';

/** More than a system takes for somebody who does not read. */
const LARGE = 'word '.repeat(4_000_000);
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the chunks of a stream', () => {
  let close: (() => Promise<unknown>) | undefined;
  afterEach(async () => {
    await close?.();
    close = undefined;
  });

  async function connected(answer: RequestListener): Promise<Socket> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    close = async () => {
      socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    return socket;
  }

  /** A turn of the event loop after one another. */
  async function say(res: ServerResponse, ...words: readonly string[]): Promise<void> {
    const out = new ChunkWriter(res.writeHead(200));
    for (const word of words) {
      out.write(word);
      await nextTurn();
    }
    res.end();
  }

  const saying =
    (...words: readonly string[]): RequestListener =>
    (_req, res) => {
      say(res, ...words).catch(() => res.destroy());
    };

  const ask = (path: string, version = '1.1', more = '') =>
    `GET ${path} HTTP/${version}\r\nHost: here\r\n${more}\r\n`;

  async function readUntil(socket: Socket, end: RegExp): Promise<string> {
    const arrived: Buffer[] = [];
    for await (const bytes of socket) {
      arrived.push(bytes as Buffer);
      if (end.test(Buffer.concat(arrived).toString())) break;
    }
    return Buffer.concat(arrived).toString();
  }

  it('are as long as they say, whatever is written in them', async () => {
    const words = ['plain', 'né', '🌋', '\r\n0\r\n\r\n', 'x'.repeat(70_000), 'last'];
    const socket = await connected(saying(...words));

    socket.write(ask('/'));
    const answer = await readUntil(socket, /last\r\n0\r\n\r\n$/);

    const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
    const chunks = words.map((word) => `${Buffer.byteLength(word).toString(16)}\r\n${word}\r\n`);
    expect(body).to.equal(`${chunks.join('')}0\r\n\r\n`);
  });

  it('of an answer wait for the end of the one before it', async () => {
    let answerFirst = () => {};
    const socket = await connected((req, res) => {
      const answer = () => {
        say(res, `${req.url!} a`, `${req.url!} b`).catch(() => res.destroy());
      };
      if (req.url === '/1') {
        answerFirst = answer;
        return;
      }
      answer();
      answerFirst();
    });

    socket.write(ask('/1') + ask('/2'));
    const answer = await readUntil(socket, /\/2 b\r\n0\r\n\r\n$/);

    const chunks = answer.split('\r\n').filter((line) => /^(?:\/.*|0)$/.test(line));
    expect(chunks).to.deep.equal(['/1 a', '/1 b', '0', '/2 a', '/2 b', '0']);
  });

  it('are none for somebody who knows no chunks', async () => {
    const socket = await connected(saying('a', 'b', 'c'));

    socket.write(ask('/', '1.0'));
    const answer = await readUntil(socket, /^$/);

    expect(answer).to.match(/\r\n\r\nabc$/);
  });

  it('end nothing when there is nothing in them', async () => {
    const socket = await connected(saying('a', '', 'b'));

    socket.write(ask('/'));
    const answer = await readUntil(socket, /\r\n0\r\n\r\n/);

    expect(answer).to.match(/\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n$/);
  });

  it('that come too late are not taken for a part of the next answer', async () => {
    const refused: string[] = [];
    const socket = await connected((req, res) => {
      const out = new ChunkWriter(res.writeHead(200));
      res.on('error', ({ message }) => refused.push(message));
      out.write(`${req.url!} a`);
      setImmediate(() => {
        res.end();
        out.write(`${req.url!} late`);
      });
    });

    socket.write(ask('/1') + ask('/2'));
    const answer = await readUntil(socket, /\/2 a\r\n0\r\n\r\n/);

    expect(answer).not.to.include('late');
    expect(refused).to.deep.equal(['write after end', 'write after end']);
  });

  it('are no fault of somebody who has closed their side meanwhile', async () => {
    const faults: Error[] = [];
    const said: boolean[] = [];
    const over = new EventEmitter();
    const socket = await connected((req, res) => {
      const out = new ChunkWriter(res.writeHead(200));
      res.socket!.on('error', (fault) => faults.push(fault));
      out.write('a');
      req.socket.once('end', () => {
        // By now Node has closed the other side, too.
        said.push(res.socket!.writable);
        out.write('b');
      });
      res.once('close', () => over.emit('now'));
    });
    const closed = once(over, 'now');

    socket.write(ask('/'));
    await once(socket, 'data');
    socket.end();
    await closed;

    expect([said, faults]).to.deep.equal([[false], []]);
  });

  it('say when they are more than is read, and are waited for until they are', async () => {
    const accepted: boolean[] = [];
    const sayAll = async (res: ServerResponse) => {
      const out = new ChunkWriter(res.writeHead(200));
      for (const word of ['a', LARGE, 'b']) {
        accepted.push(out.write(word));
        const caughtUp = accepted.at(-1) === false ? drainOrClose(res) : nextTurn();
        if (word === LARGE) socket.resume();
        await caughtUp;
      }
      res.end();
    };
    const socket = await connected((_req, res) => {
      sayAll(res).catch(() => res.destroy());
    });
    let bytes = 0;
    socket.on('data', (some) => (bytes += some.length)).pause();

    socket.write(ask('/', '1.1', 'Connection: close\r\n'));
    await once(socket, 'end');

    expect(accepted).to.deep.equal([true, false, true]);
    expect(bytes).to.be.above(LARGE.length);
  });
});
