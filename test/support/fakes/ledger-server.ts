import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createGates, createLedger, type Gates, type Ledger, type LedgerRow } from './ledger.js';

/** One request being answered. */
export interface Exchange {
  readonly row: LedgerRow;
  readonly url: URL;
  readonly body: unknown;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly gates: Gates;
  /** Aborted once the connection is closed, by either side. */
  readonly left: AbortSignal;
  /** Breaks the connection from our side; the ledger does not count it as the client's leaving. */
  hangUp(how: 'reset' | 'close'): void;
}

export interface Fake {
  /** What the ledger files a request under. */
  subjectOf(url: URL, body: unknown): string;
  /** What the ledger keeps of a body; all of it unless said otherwise. */
  kept?(body: unknown): unknown;
  /** Bodies are given as the bytes that came, rather than as text or JSON. */
  readonly takesBytes?: boolean;
  answer(exchange: Exchange): Promise<void>;
}

/** A fake that answers on a free port of 127.0.0.1. */
export interface ServedFake {
  readonly url: string;
  readonly ledger: Ledger;
  readonly gates: Gates;
  stop(): Promise<void>;
}

export async function serveFake(fake: Fake): Promise<ServedFake> {
  const books = { ledger: createLedger(), gates: createGates() };
  const server = createServer((req, res) => {
    handle(fake, books, { req, res }).catch((error: unknown) => {
      failed(res, error);
    });
  });
  // An idle socket closed by us just as a client reuses it would look like an upstream fault.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // One that was never stopped does not keep the test run going.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    ...books,
    url: `http://127.0.0.1:${String(port)}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export async function sendJson(res: ServerResponse, status: number, value: unknown): Promise<void> {
  res.writeHead(status, { 'content-type': 'application/json' });
  await new Promise<void>((sent) => res.end(JSON.stringify(value), sent));
}

/** Writes with backpressure; rejects once the client has left. */
export async function write(
  { res, left }: Pick<Exchange, 'res' | 'left'>,
  data: string | Buffer,
): Promise<void> {
  left.throwIfAborted();
  if (!res.write(data)) await once(res, 'drain', { signal: left });
}

/** Resolves once the client has left. */
export async function departure(left: AbortSignal): Promise<void> {
  if (!left.aborted) await once(left, 'abort');
}

async function handle(
  fake: Fake,
  { ledger, gates }: Pick<ServedFake, 'ledger' | 'gates'>,
  { req, res }: Pick<Exchange, 'req' | 'res'>,
): Promise<void> {
  const url = new URL(req.url ?? '/', 'http://fake');
  const bytes = await buffer(req);
  const body = fake.takesBytes === true ? bytes : parsed(bytes.toString());
  const row = rowOf(fake.subjectOf(url, body), req, fake.kept ? fake.kept(body) : body);
  const exchange = openExchange(row, ledger, { url, body, req, res, gates });
  ledger.add(row);
  await fake.answer(exchange);
}

function openExchange(
  row: LedgerRow,
  ledger: Ledger,
  parts: Pick<Exchange, 'url' | 'body' | 'req' | 'res' | 'gates'>,
): Exchange {
  const { res } = parts;
  const leaving = new AbortController();
  let ours = false;

  res.once('finish', () => {
    row.finishedAt = Date.now();
    ledger.changed();
  });
  res.once('close', () => {
    if (!res.writableFinished && !ours) {
      row.closedEarly = true;
      row.closedAt = Date.now();
    }
    leaving.abort();
    ledger.changed();
  });

  return {
    ...parts,
    row,
    left: leaving.signal,
    hangUp(how) {
      ours = true;
      if (how === 'reset') res.socket?.resetAndDestroy();
      // A reset may overtake bytes on their way; a close lets the client see all that was written.
      else res.socket?.destroySoon();
    },
  };
}

function rowOf(subject: string, req: IncomingMessage, body: unknown): LedgerRow {
  return {
    subject,
    at: Date.now(),
    method: req.method ?? '',
    path: req.url ?? '',
    headers: req.headers,
    authorization: req.headers.authorization ?? null,
    body,
    outcome: '',
    closedEarly: false,
    closedAt: null,
    finishedAt: null,
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function failed(res: ServerResponse, error: unknown): void {
  if (res.destroyed || res.headersSent) res.destroy();
  else void sendJson(res, 500, { error: { message: `fake server: ${String(error)}` } });
}
