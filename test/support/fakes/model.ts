import { sendJson, type Exchange, type Fake } from './ledger-server.js';
import { play, problem, type Scripts } from './model-performance.js';
import { openAIWire } from './model-wire.js';

function listModels(names: readonly string[], { row, res }: Exchange): Promise<void> {
  row.outcome = 'models';
  const data = names.map((id) => ({ id, object: 'model', created: 0, owned_by: 'script' }));
  return sendJson(res, 200, { object: 'list', data });
}

function modelIn(body: unknown): string | undefined {
  const model: unknown = body && typeof body === 'object' ? Reflect.get(body, 'model') : undefined;
  return typeof model === 'string' ? model : undefined;
}

export const fakeModel = (scripts: Scripts): Fake => ({
  subjectOf: (_url, body) => modelIn(body) ?? '',
  answer: async (exchange) => {
    const { row, url, res } = exchange;
    const route = `${row.method} ${url.pathname}`;
    if (route === 'GET /v1/models') return listModels(scripts.names(), exchange);
    if (route !== 'POST /v1/chat/completions') return sendJson(res, 404, problem(`no route ${route}`));
    if (!row.subject) return sendJson(res, 400, problem('you must provide a model parameter'));
    return play(scripts.next(row.subject), exchange, openAIWire);
  },
});
