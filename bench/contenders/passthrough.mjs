// The floor for any service in Node: bytes in, bytes out, nothing looked at.
import { createServer } from 'node:http';
import { Agent, request } from 'undici';
import { listen } from './listen.mjs';

const upstream = process.argv[2];
const dispatcher = new Agent();

listen(
  createServer(async (req, res) => {
    const body = [];
    for await (const bytes of req) body.push(bytes);
    const answer = await request(`${upstream}${req.url}`, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.concat(body),
    });
    res.writeHead(answer.statusCode, { 'content-type': 'text/event-stream' });
    // Whoever leaves takes the model's answer along.
    res.once('close', () => answer.body.destroy());
    answer.body.on('error', () => res.destroy());
    answer.body.pipe(res);
  }),
);
