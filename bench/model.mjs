// A model server as fast as it gets: every answer is the same two hundred chunks, in one write.
import { createServer } from 'node:http';

const CHUNKS = 200;
const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const ANSWER = Buffer.from(
  [
    chunk({ role: 'assistant', content: '' }),
    ...Array.from({ length: CHUNKS }, (_, i) => chunk({ content: `word${i} ` })),
    chunk({}, 'stop'),
    `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [], usage: { prompt_tokens: 20, completion_tokens: CHUNKS, total_tokens: CHUNKS + 20 } })}\n\n`,
    'data: [DONE]\n\n',
  ].join(''),
);

const server = createServer((req, res) => {
  req.resume().once('end', () => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.end(ANSWER);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`);
});
process.stdin.resume().once('close', () => process.exit(0));
