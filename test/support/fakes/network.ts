import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between clients and a service. */
export interface Network {
  readonly url: string;
  /** Breaks every connection; new ones are refused until it is up again. */
  down(): void;
  up(): void;
  stop(): void;
}

export async function startNetwork(target: string): Promise<Network> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isUp = true;
  const server = createServer((client) => {
    if (!isUp) return void client.destroy();
    const upstream = connect(Number(port), hostname);
    const close = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) sockets.add(socket.on('error', close).on('close', close));
    client.pipe(upstream).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const down = () => {
    isUp = false;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    down,
    up() {
      isUp = true;
    },
    stop() {
      down();
      server.close();
    },
  };
}
