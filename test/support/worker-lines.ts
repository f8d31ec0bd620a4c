import { Agent, fetch } from 'undici';
import { type ChatStream, readStream } from './chat-client.js';
import type { Service } from './service.js';

/** One connection that is kept, and so leads to the same worker all the time. */
export interface WorkerLine {
  readonly pid: number;
  ask(path: string, key: string, body?: object): Promise<LineAnswer>;
  stream(assistantId: number, key: string): Promise<ChatStream>;
  close(): Promise<void>;
}

export interface LineAnswer {
  readonly status: number;
  readonly requestId: string;
  readonly text: string;
}

/** As many tries as it takes chance to find every one of a few workers. */
const MOST_TRIES = 50;

/** A line to each worker that takes newcomers. */
export async function aLineToEach(service: Service, workers: number): Promise<readonly WorkerLine[]> {
  const found = new Map<number, WorkerLine>();
  for (let tries = 0; found.size < workers; tries++) {
    if (tries === MOST_TRIES) throw new Error(`Only ${String(found.size)} workers answer.`);
    const line = await openLine(service);
    if (found.has(line.pid)) await line.close();
    else found.set(line.pid, line);
  }
  return [...found.values()];
}

/** A line to whichever worker the next newcomer is sent to. */
export async function openLine(service: Service): Promise<WorkerLine> {
  const dispatcher = new Agent({ connections: 1 });
  const send = async (path: string, key: string | undefined, body?: object) => {
    const headers = {
      accept: 'application/json, text/event-stream',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body ? { 'content-type': 'application/json', 'mcp-session-id': 'one' } : {}),
    };
    const content = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    return (await fetch(service.url + path, { dispatcher, headers, ...content })) as unknown as Response;
  };
  const ask = async (path: string, key?: string, body?: object): Promise<LineAnswer> => {
    const { status, headers, text } = await send(path, key, body).then(async (answer) => ({
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
    }));
    return { status, requestId: headers.get('x-request-id') ?? '', text };
  };
  const { requestId } = await ask('/healthz');
  const { pid } = await service.waitForLog((line) => line['requestId'] === requestId);
  return {
    pid: Number(pid),
    ask,
    async stream(assistantId, key) {
      const messages = [{ role: 'user', content: 'Hello?' }];
      const body = { model: `lamb_assistant.${String(assistantId)}`, stream: true, messages };
      return readStream(await send('/v1/chat/completions', key, body));
    },
    close: () => dispatcher.destroy(),
  };
}
