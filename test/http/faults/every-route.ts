import type { ErrorBody } from '../../support/chat-client.js';
import type { RequestOptions, Service } from '../../support/service.js';

interface Asked {
  readonly path: string;
  readonly options: RequestOptions;
}

/** Every route that the service describes, of something that is there and with a body that says nothing. */
export async function askingEverything(service: Service, id: number): Promise<readonly Asked[]> {
  interface Described {
    readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  }
  const { json } = await service.request<Described>('/openapi.json', { key: null });
  const model = `lamb_assistant.${String(id)}`;
  const described = Object.entries(json.paths).flatMap(([path, methods]) =>
    ['get', 'post', 'put', 'patch', 'delete']
      .filter((method) => method in methods && !ENDLESS.test(path))
      .map((method): Asked => {
        // Of nothing, so that it may be asked thrice.
        const named = path.replaceAll(/\{[^}]+\}/g, method === 'get' ? String(id) : '99999');
        const body = method === 'get' || method === 'delete' ? {} : { body: {} };
        return { path: named, options: { method: method.toUpperCase(), ...body } };
      }),
  );
  return [
    ...described,
    { path: '/lamb/v1/auth/login', options: { key: null, body: { email: 'a@b.test', password: 'x' } } },
    { path: '/lamb/v1/me', options: { key: 'bw_wrong_0123456789abcdef0123456789abcdef' } },
    { path: '/v1/responses', options: { body: { model, input: 'Hello?' } } },
    { path: '/lamb/v1/mcp', options: { ...MCP, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } } },
  ];
}

const MCP = {
  headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
};
const AT_ONCE = 16;
/** Told by the machine and not by the database, or with the time in it. */
const ENDLESS = /metrics|readyz/;

/** What each came to, in a line: its status, and the code of what is no fault of who asks. */
export async function answersTo(service: Service, asked: readonly Asked[]): Promise<readonly string[]> {
  const told: string[] = [];
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    const some = asked.slice(from, from + AT_ONCE).map((one) => answerTo(service, one));
    told.push(...(await Promise.all(some)));
  }
  return told;
}

async function answerTo(service: Service, { path, options }: Asked): Promise<string> {
  const { status, json } = await service.request<{ readonly error?: ErrorBody | string } | undefined>(
    path,
    options,
  );
  const error = json?.error;
  const code = status < 500 ? [] : [typeof error === 'string' ? error : error?.code];
  return [options.method ?? 'POST', path, status, ...code].join(' ');
}
