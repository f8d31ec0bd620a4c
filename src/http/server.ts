import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newRequestId } from '../core/base/ids.js';
import { answerClientErrors } from './client-error.js';

/** The listening socket. It is taken before anything is made, so that a port in use leaves nothing half-begun. */
export interface FrontDoor {
  readonly url: string;
  /** From now on requests are served; until then each is told to come back. */
  open(app: RequestListener): void;
  /** Newcomers go to another process from now on; whoever is inside may stay. */
  stopListening(): void;
  close(): Promise<void>;
}

export async function createFrontDoor({ host, port }: { host: string; port: number }): Promise<FrontDoor> {
  let listener: RequestListener = notYet;
  const server = createServer((req, res) => {
    listener(req, res);
  });
  answerClientErrors(server);
  await listen(server, host, port);
  return {
    url: urlOf(server.address() as AddressInfo),
    open(app) {
      listener = app;
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
