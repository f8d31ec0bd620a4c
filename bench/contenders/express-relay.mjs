// A relay as it is usually written: Express, fetch, and an event parser.
/* global AbortController, fetch, TextDecoderStream */
import { createServer } from 'node:http';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import express from 'express';
import { listen } from './listen.mjs';

const upstream = process.argv[2];
const app = express().use(express.json({ limit: '20mb' }));

app.post('/v1/chat/completions', async (req, res) => {
  const leaving = new AbortController();
  res.once('close', () => leaving.abort());
  try {
    const answer = await fetch(`${upstream}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(req.body),
      signal: leaving.signal,
    });
    res.writeHead(answer.status, { 'content-type': 'text/event-stream' });
    const events = answer.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for await (const { data } of events) {
      res.write(data === '[DONE]' ? 'data: [DONE]\n\n' : `data: ${JSON.stringify(JSON.parse(data))}\n\n`);
    }
    res.end();
  } catch {
    res.destroy();
  }
});

listen(createServer(app));
