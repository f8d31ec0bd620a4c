import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** The simplest server there is: JSON in, JSON out. Tells where it listens, and ends with whoever started it. */
export function listenWith(answer: (path: string, body: unknown) => Promise<unknown>): void {
  const server = createServer((req, res) => {
    json(req)
      .then((body) => answer(req.url ?? '', body))
      .then((told) => {
        res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
      })
      .catch((fault: unknown) => {
        res.writeHead(500).end(String(fault));
      });
  });
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${String(port)}` })}\n`);
  });
  process.stdin.resume().once('close', () => process.exit(0));
}
