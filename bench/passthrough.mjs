// The floor for any service in Node: bytes in, bytes out, nothing looked at.
import { createServer } from 'node:http';
import { Agent, request } from 'undici';

const dispatcher = new Agent();
const upstream = process.argv[2];

const server = createServer(async (req, res) => {
  const body = [];
  for await (const bytes of req) body.push(bytes);
  const answer = await request(`${upstream}${req.url}`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat(body),
  });
  res.writeHead(answer.statusCode, { 'content-type': 'text/event-stream' });
  answer.body.pipe(res);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`);
});
process.stdin.resume().once('close', () => process.exit(0));
