/* global AbortController */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from './listen.mjs';

/**
 * The least a server needs to offer an agent as OpenAI's chat completions. `answer` is given the request and a signal
 * that ends when the client leaves, and yields the text as it comes.
 */
export function serveAgent(answer) {
  listen(
    createServer(async (req, res) => {
      const leaving = new AbortController();
      res.once('close', () => leaving.abort());
      try {
        const body = await json(req);
        const frame = frames(body.model);
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        for await (const text of answer(body, leaving.signal)) {
          if (text) res.write(frame({ content: text }));
        }
        res.end(`${frame({}, 'stop')}data: [DONE]\n\n`);
      } catch (fault) {
        if (!leaving.signal.aborted) process.stderr.write(`${fault.stack}\n`);
        res.end(`data: ${JSON.stringify({ error: { message: fault.message } })}\n\n`);
      }
    }),
  );
}

function frames(model) {
  const id = `chatcmpl-${randomUUID()}`;
  const created = Math.floor(Date.now() / 1000);
  return (delta, finish_reason = null) =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
}
