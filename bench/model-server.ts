import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { behaviourOf } from './behaviour.js';
import { type Asked, chunksFor } from './model-answers.js';
import { createTurnLedger, type OpenTurn } from './model-turns.js';

/** A model behind OpenAI's protocol. Its ledgers (`GET /ledger`, `GET /turns`) are what counts and times are judged by. */

const ledger = { requests: 0, open: 0, aborted: 0 };
const turns = createTurnLedger();

const server = createServer((req, res) => {
  const answered = req.method === 'GET' ? tellLedger(req, res) : complete(req, res);
  answered.catch((fault: unknown) => {
    res.destroy(fault as Error);
  });
});

async function tellLedger(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const told = req.url === '/turns' ? turns.told() : ledger;
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
  await Promise.resolve();
}

async function complete(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const asked = (await json(req)) as Asked;
  if (asked.stream !== true) {
    res.writeHead(400).end();
    return;
  }
  ledger.requests += 1;
  ledger.open += 1;
  res.once('close', () => {
    ledger.open -= 1;
    if (!res.writableFinished) ledger.aborted += 1;
  });

  const chunks = chunksFor(asked, `chatcmpl-${String(ledger.requests)}`);
  const { everyMs } = behaviourOf(asked.model);
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  res.socket?.setNoDelay(true);
  const turn = turns.begin(asked);
  if (everyMs > 0) await pace(res, { chunks, everyMs, turn });
  else res.end(chunks.join(''));
}

interface Pacing {
  readonly chunks: readonly string[];
  readonly everyMs: number;
  /** Where the times are kept, of a question that is to be followed. */
  readonly turn: OpenTurn | undefined;
}

/** By the clock and not by pauses, which would add up. */
async function pace(res: ServerResponse, { chunks, everyMs, turn }: Pacing): Promise<void> {
  const began = performance.now();
  for (const [i, chunk] of chunks.entries()) {
    // The first frame says only who is speaking; the first word comes with it.
    await pause(Math.max(0, began + (i - 1) * everyMs - performance.now()));
    if (res.destroyed) return;
    turn?.wrote();
    res.write(chunk);
  }
  turn?.end();
  res.end();
}

// A connection that is closed just as it is used again would be our fault and count against somebody else.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${String(port)}` })}\n`);
});
process.stdin.resume().once('close', () => process.exit(0));
