import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A provider that sends a piece of its answer when told to, and not before. */
export interface SteppedModel {
  readonly url: string;
  /** How many connections it was given. */
  connections(): number;
  /** The next question, waiting for its answer. */
  asked(): Promise<ServerResponse>;
  stop(): void;
}

export async function startSteppedModel(): Promise<SteppedModel> {
  const server = createServer((req, res) => {
    req.resume().once('end', () => server.emit('asked', res));
  });
  let connections = 0;
  server.on('connection', () => (connections += 1));
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    connections: () => connections,
    asked: async () => ((await once(server, 'asked')) as [ServerResponse])[0],
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const chunk = (fields: object) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })}\n\n`;
const delta = (content: object, finish: string | null = null) =>
  chunk({ choices: [{ index: 0, delta: content, finish_reason: finish }] });

/** One event with these words. */
const words = (text: string): string => delta({ content: text });

const BEGINNING = delta({ role: 'assistant', content: '' });
const ending = (finish: string) =>
  `${delta({}, finish)}${chunk({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })}data: [DONE]\n\n`;

/** One event that asks for all of these functions. */
const calling = (names: readonly string[], args: object): string =>
  delta({
    tool_calls: names.map((name, index) => ({
      ...{ index, id: `call_${String(index)}`, type: 'function' },
      function: { name, arguments: JSON.stringify(args) },
    })),
  });

export interface SteppedChat {
  readonly runId: string;
  readonly text: string;
}

const oneConnection = new Agent({ keepAlive: true, maxSockets: 1 });

/**
 * Streams an answer in so many pieces, each sent when all of the one before it has reached the client: so one piece is
 * one read, and nothing that is counted depends on how fast anybody is.
 */
export async function chatInStep(
  { url, key, body }: { readonly url: string; readonly key: string; readonly body: object },
  model: SteppedModel,
  pieces: readonly (readonly string[])[],
  /** Functions that are asked for first, all in one round. */
  calls?: { readonly names: readonly string[]; readonly args: object },
): Promise<SteppedChat> {
  const question = model.asked();
  const sent = JSON.stringify({ stream: true, ...body });
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(sent),
  };
  const req = request(`${url}/v1/chat/completions`, { method: 'POST', headers, agent: oneConnection });
  req.end(sent);
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  const ended = once(res, 'end');
  let received = '';
  res.setEncoding('utf8').on('data', (more: string) => {
    received += more;
    res.emit('more');
  });
  const until = async (what: string) => {
    while (!received.includes(what)) await once(res, 'more');
  };

  let answer = await question;
  await until('model.started');
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  if (calls) {
    const next = model.asked();
    answer.end(BEGINNING + calling(calls.names, calls.args) + ending('tool_calls'));
    answer = await next;
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
  }
  for (const [number, piece] of pieces.entries()) {
    answer.write((number === 0 ? BEGINNING : '') + piece.map(words).join(''));
    await until(piece.at(-1) ?? '');
  }
  answer.end(ending('stop'));
  await ended;
  return { runId: String(res.headers['x-run-id']), text: textIn(received) };
}

function textIn(received: string): string {
  return [...received.matchAll(/"delta":\{"content":"([^"]*)"/g)].map(([, text]) => text).join('');
}
