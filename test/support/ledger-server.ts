import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
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
  /** The name the ledger's subject has in control requests. */
  readonly subject: string;
  subjectOf(url: URL, body: unknown): string;
  /** What the ledger keeps of a body; all of it unless said otherwise. */
  kept?(body: unknown): unknown;
  answer(exchange: Exchange): Promise<void>;
  /** What one returns is its answer. */
  readonly controls?: Readonly<Record<string, (body: unknown) => unknown>>;
}

const Wait = z.object({
  requests: z.number().optional(),
  closed: z.number().optional(),
  finished: z.number().optional(),
  timeoutMs: z.number().default(5_000),
});
const Release = z.object({ name: z.string() });

/** Serves on a free port of 127.0.0.1, prints the address, and ends with SIGTERM or with its parent. */
export async function runFake(fake: Fake): Promise<void> {
  const desk = { fake, ledger: createLedger(), gates: createGates() };
  const server = createServer((req, res) => {
    handle(desk, req, res).catch((error: unknown) => {
      failed(res, error);
    });
  });
  // An idle socket closed by us just as a client reuses it would look like an upstream fault.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const end = () => process.exit(0);
  process.once('SIGTERM', end);
  process.stdin.once('close', end).resume();
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${String(port)}` }));
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

interface Desk {
  readonly fake: Fake;
  readonly ledger: Ledger;
  readonly gates: Gates;
}

async function handle(desk: Desk, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { fake, ledger, gates } = desk;
  const url = new URL(req.url ?? '/', 'http://fake');
  const body = parsed(await text(req));
  if (url.pathname.startsWith('/_')) return control(desk, { url, body, res });

  const row = rowOf(fake.subjectOf(url, body), req, fake.kept ? fake.kept(body) : body);
  const exchange = openExchange(row, ledger, { url, body, req, res, gates });
  ledger.add(row);
  await fake.answer(exchange);
}

async function control(
  { fake, ledger, gates }: Desk,
  { url, body, res }: Pick<Exchange, 'url' | 'body' | 'res'>,
): Promise<void> {
  const subject = url.searchParams.get(fake.subject) ?? subjectIn(body, fake.subject);
  if (url.pathname === '/_ledger') return sendJson(res, 200, { requests: ledger.of(subject) });

  if (url.pathname === '/_wait') {
    const { timeoutMs, ...wanted } = Wait.parse(body);
    const reached = await ledger.reaches(subject, wanted, timeoutMs);
    return sendJson(res, reached ? 200 : 408, { requests: ledger.of(subject) });
  }
  if (url.pathname === '/_release') {
    gates.release(Release.parse(body).name);
    return sendJson(res, 200, {});
  }
  const turn = fake.controls?.[url.pathname];
  if (!turn) return sendJson(res, 404, { error: `no control ${url.pathname}` });
  return sendJson(res, 200, (await turn(body)) ?? {});
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

function subjectIn(body: unknown, name: string): string | null {
  const value = body && typeof body === 'object' ? Reflect.get(body, name) : null;
  return typeof value === 'string' ? value : null;
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
