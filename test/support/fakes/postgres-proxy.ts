import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What becomes of what is sent: it arrives, it gets lost and nobody is told, or there is nobody to send it to. */
type Way = 'open' | 'lost' | 'closed';

/** Stands between a service and PostgreSQL. */
export interface PostgresProxy {
  url(real: string): string;
  set(way: Way): void;
  /** Cuts the connection with the answer to one statement, once. */
  cutAfter(statement: string): void;
  wasCut(): boolean;
  /** Resolves when somebody has tried so often to get a connection. */
  tried(times: number): Promise<void>;
  end(): void;
}

export async function startPostgresProxy(real: string): Promise<PostgresProxy> {
  const port = Number(new URL(real).port);
  const sockets = new Set<Socket>();
  let way: Way = 'open';
  let wanted: string | undefined;
  let cut = false;
  let tries = 0;
  let onTry: () => void = () => undefined;

  const server: Server = createServer((client) => {
    tries += 1;
    onTry();
    if (way === 'closed') return void client.destroy();
    const upstream = connect(port, '127.0.0.1');
    let cutting = false;
    const close = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', close).on('close', close);
    }
    client.on('data', (bytes) => {
      if (way === 'lost') return;
      if (wanted !== undefined && bytes.includes(wanted)) {
        wanted = undefined;
        cutting = true;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (way === 'lost') return;
      if (!cutting) return void client.write(bytes);
      // "Ready for query": by now it is committed.
      if (bytes.subarray(-6, -1).equals(Buffer.from([0x5a, 0, 0, 0, 5]))) {
        cut = true;
        close();
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    url: (url) => Object.assign(new URL(url), { port: String(own) }).href,
    set(next) {
      way = next;
      tries = 0;
    },
    cutAfter(statement) {
      wanted = statement;
    },
    wasCut: () => cut,
    tried: (times) =>
      new Promise((resolve) => {
        onTry = () => {
          if (tries >= times) resolve();
        };
        onTry();
      }),
    end() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
