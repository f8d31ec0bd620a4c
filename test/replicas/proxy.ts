import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { SCALE } from './scale.js';

/** What stands in front of several replicas: a small load balancer that hides nothing of what becomes of them. */
export interface Proxy {
  readonly url: string;
  add(replica: string): void;
  remove(replica: string): void;
  /** Has it look from now on who is ready: not before there are some that may not be. */
  watch(): void;
  stop(): Promise<void>;
}

/** Says which replica has answered. */
export const REPLICA_HEADER = 'x-replica';

/** Of one connection each (RFC 9110, section 7.6.1). */
const OF_ONE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/**
 * Each request goes to the next replica, and to that one alone: nothing is tried again. A replica whose `/readyz` is not
 * 200 gets none; when no replica is ready all of them do, so that clients hear what the service itself says. A
 * connection that breaks on one side is broken on the other.
 */
export async function startProxy(): Promise<Proxy> {
  const ready = new Map<string, boolean>();
  let turn = 0;
  const next = () => {
    const all = [...ready.keys()];
    const able = all.filter((replica) => ready.get(replica));
    const choice = able.length > 0 ? able : all;
    return choice[turn++ % choice.length];
  };
  const set = (replica: string, isReady: boolean) => {
    if (ready.has(replica)) ready.set(replica, isReady);
  };

  const server = createServer((req, res) => {
    const replica = next();
    if (replica === undefined) return void res.destroy();
    forward(replica, { req, res }, () => {
      set(replica, false);
    });
  });
  // An idle connection that is closed just as a client uses it again would look like a replica's fault.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  // One look at a time: of two the older answer could come last.
  const underWay = new Set<string>();
  const looks = new Agent({ keepAlive: true });
  const lookAt = async (replica: string) => {
    if (underWay.has(replica)) return;
    underWay.add(replica);
    set(replica, await isReady(replica, looks));
    underWay.delete(replica);
  };
  let looking: NodeJS.Timeout | undefined;

  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    add: (replica) => void ready.set(replica, true),
    remove: (replica) => void ready.delete(replica),
    watch() {
      looking ??= setInterval(() => {
        for (const replica of ready.keys()) void lookAt(replica);
      }, SCALE.betweenLooksMs).unref();
    },
    async stop() {
      clearInterval(looking);
      looks.destroy();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** One that is slow to say so is ready all the same: other tests may have the machine. */
const LOOK_MS = 5_000;

function isReady(replica: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get(`${replica}/readyz`, { agent, timeout: LOOK_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => {
      resolve(false);
    });
  });
}

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

function forward(replica: string, { req, res }: Exchange, onUnreachable: () => void): void {
  const { method, url = '/', headers, socket } = req;
  const known = headers['x-forwarded-for'];
  const asked = request(new URL(url, replica), {
    method,
    // A connection of its own: one that a replica has just closed is never used.
    agent: false,
    headers: {
      ...Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_CONNECTION.has(name))),
      'x-forwarded-for': [known, socket.remoteAddress].filter((each) => each !== undefined).join(', '),
    },
  });
  asked.once('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, [
      ...passedOn(answer.rawHeaders),
      ...[REPLICA_HEADER, new URL(replica).port],
    ]);
    res.flushHeaders();
    pipeline(answer, res, () => undefined);
  });
  asked.once('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'ECONNREFUSED') onUnreachable();
    socket.destroy();
  });
  res.once('close', () => asked.destroy());
  req.pipe(asked);
}

/** In pairs, as they came. */
const passedOn = (rawHeaders: readonly string[]) =>
  rawHeaders.filter((_, i) => !OF_ONE_CONNECTION.has(rawHeaders[i - (i % 2)]!.toLowerCase()));
