import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { newRequestId } from '../core/base/ids.js';
import { sendJson } from './middleware/error-handler.js';

/** The listening socket. It is taken before anything is made, so that a port in use leaves nothing half-begun. */
export interface HttpServer {
  readonly url: string;
  /** From now on requests are served; until then each is told to come back. */
  open(app: RequestListener): void;
  /**
   * From now on each connection ends with the answer it waits for. A proxy keeps connections, and would send somebody's
   * question into one that is closed the next moment.
   */
  keepNoConnections(): void;
  /** Newcomers go to another process from now on; whoever is inside may stay. */
  stopListening(): void;
  close(): Promise<void>;
}

export async function openHttpServer({ host, port }: { host: string; port: number }): Promise<HttpServer> {
  let listener: RequestListener = notYet;
  let keepsConnections = true;
  const server = createServer((req, res) => {
    if (!keepsConnections) res.setHeader('Connection', 'close');
    listener(req, res);
  });
  // Longer than proxies keep theirs (nginx and most balancers: 60 s). Of Node's own 5 s, a request that comes at their end
  // meets a connection that is being closed.
  server.keepAliveTimeout = 75_000;
  answerClientErrors(server);
  await listen(server, host, port);
  return {
    url: urlOf(server.address() as AddressInfo),
    open(app) {
      listener = app;
    },
    keepNoConnections() {
      keepsConnections = false;
    },
    stopListening() {
      server.close();
    },
    close: () => close(server),
  };
}

const notYet: RequestListener = (_req, res) => {
  const message = 'The service is starting. Try again in a moment.';
  res.writeHead(503, {
    'Content-Type': 'application/json',
    'Retry-After': '1',
    'X-Request-Id': newRequestId(),
  });
  res.end(JSON.stringify({ error: { message, type: 'api_error', code: 'starting', param: null } }));
};

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

function urlOf({ address, family, port }: AddressInfo): string {
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `http://${host === '0.0.0.0' || host === '[::]' ? 'localhost' : host}:${String(port)}`;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  server.closeAllConnections();
  await closed;
}

const STATUSES: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive.'],
};
const MALFORMED = [400, 'Bad Request', 'The request is not valid HTTP.'] as const;

/** Answered without a body by Node itself, if it were left to. */
function refuseExpectation(_req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('X-Request-Id', newRequestId());
  sendJson(res, 417, bodyOf('The Expect header asks for something that this server does not do.'));
}

/** What Node refuses before it is a request is told in the same shape as everything else. */
function answerClientErrors(server: Server): void {
  server.on('checkExpectation', refuseExpectation);
  server.on('clientError', (fault: Error & { readonly code?: string }, socket: Duplex) => {
    if (!socket.writable || fault.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const [status, phrase, message] = STATUSES[fault.code ?? ''] ?? MALFORMED;
    const body = JSON.stringify(bodyOf(message));
    const head = [
      `HTTP/1.1 ${String(status)} ${phrase}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${String(Buffer.byteLength(body))}`,
      `X-Request-Id: ${newRequestId()}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

function bodyOf(message: string) {
  return { error: { message, type: 'invalid_request_error', code: 'bad_request', param: null } };
}
