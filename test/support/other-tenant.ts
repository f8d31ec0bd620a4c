import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Heard {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** A real server that notes what reached it. */
export interface Neighbour {
  readonly port: number;
  readonly heard: Heard[];
  readonly server: Server;
}

export async function listen(answer: RequestListener): Promise<Neighbour> {
  const heard: Heard[] = [];
  const server = createServer((req, res) => {
    heard.push({ url: req.url ?? '', headers: req.headers });
    answer(req, res);
  });
  // On every address, so that what is not refused does arrive.
  server.listen(0);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, heard, server };
}
