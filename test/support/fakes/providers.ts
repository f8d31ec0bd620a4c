import { sendJson, type Fake } from './ledger-server.js';
import { play, problem, type Scripts, type Wire } from './model-performance.js';
import { openAIWire } from './model-wire.js';
import { anthropicWire, geminiWire, ollamaWire } from './provider-wires.js';

/** Where each provider listens; the first group of a pattern is the model, where the path names it. */
const DOORS: readonly { readonly path: RegExp; readonly wire: Wire }[] = [
  { path: /^\/api\/chat$/, wire: ollamaWire },
  { path: /^\/v1\/messages$/, wire: anthropicWire },
  { path: /^\/v1beta\/models\/([^/:]+):(?:stream)?[gG]enerateContent$/, wire: geminiWire },
  { path: /^\/openai\/deployments\/([^/]+)\/chat\/completions$/, wire: openAIWire },
  { path: /^\/openai\/v1\/chat\/completions$/, wire: openAIWire },
];

const doorAt = (path: string) => DOORS.find((door) => door.path.test(path));

function modelIn(path: string, body: unknown): string {
  const named = doorAt(path)?.path.exec(path)?.[1];
  const said: unknown = body && typeof body === 'object' ? Reflect.get(body, 'model') : undefined;
  return named !== undefined ? decodeURIComponent(named) : typeof said === 'string' ? said : '';
}

export const fakeProviders = (scripts: Scripts): Fake => ({
  subjectOf: ({ pathname }, body) => modelIn(pathname, body),
  answer: async (exchange) => {
    const { row, url, res } = exchange;
    const door = row.method === 'POST' ? doorAt(url.pathname) : undefined;
    if (`${row.method} ${url.pathname}` === 'GET /api/tags') {
      return sendJson(res, 200, { models: scripts.names().map((name) => ({ name, model: name })) });
    }
    if (!door) return sendJson(res, 404, problem(`no route ${row.method} ${url.pathname}`));
    return play(scripts.next(row.subject), exchange, door.wire);
  },
});
