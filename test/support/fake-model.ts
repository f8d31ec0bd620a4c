import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { departure, runFake, sendJson, write, type Exchange } from './ledger-server.js';
import {
  partialText,
  type Fail,
  type Flood,
  type Hang,
  type Moment,
  type Raw,
  type Reset,
  type Script,
  type Step,
} from './model-script.js';
import { callCompletion, openStream, sayCompletion, sendBeginning, sendCompletion } from './model-wire.js';

const KINDS = ['say', 'call', 'status', 'reset', 'hang', 'raw', 'flood', 'wait'];

function createScripts() {
  const running = new Map<string, { script: Script; used: number }>();
  return {
    names: () => [...running.keys()],
    set(script: Script): void {
      running.set(script.model, { script, used: 0 });
    },
    next(model: string): Step | 'unscripted' | 'exhausted' {
      const current = running.get(model);
      if (!current) return 'unscripted';
      const { steps, repeat } = current.script;
      return steps[current.used++] ?? (repeat ? steps.at(-1) : undefined) ?? 'exhausted';
    },
  };
}

async function perform(step: Step | 'unscripted' | 'exhausted', exchange: Exchange): Promise<void> {
  if (step === 'unscripted') return perform({ say: `Hello from ${exchange.row.subject}.` }, exchange);
  if (step === 'exhausted') return sendJson(exchange.res, 500, problem('script exhausted'));

  if ('wait' in step) {
    await exchange.gates.pass(step.wait, exchange.left);
    return perform(step.then, exchange);
  }
  if ('status' in step) return failWith(step, exchange);
  if ('raw' in step) return sendRaw(step, exchange);
  if ('flood' in step) return pour(step, exchange);
  if ('reset' in step) return breakOff(step, exchange);
  if ('hang' in step) return stall(step, exchange);
  if (step.delayMs) await delay(step.delayMs, undefined, { signal: exchange.left });
  return sendCompletion(exchange, 'say' in step ? sayCompletion(step) : callCompletion(step));
}

async function breakOff({ reset }: Reset, exchange: Exchange): Promise<void> {
  await reachMoment(reset, exchange);
  exchange.hangUp(reset === 'before-headers' ? 'reset' : 'close');
}

async function stall({ hang }: Hang, exchange: Exchange): Promise<void> {
  await reachMoment(hang, exchange);
  await departure(exchange.left);
}

async function reachMoment(moment: Moment, exchange: Exchange): Promise<void> {
  if (moment === 'before-headers') return;
  const count = moment === 'after-headers' ? 0 : moment;
  await sendBeginning(exchange, Array<string>(count).fill(partialText(1)));
}

async function failWith({ status, body, headers }: Fail, { res }: Exchange): Promise<void> {
  const content = body ?? problem(`scripted status ${String(status)}`);
  const isText = typeof content === 'string';
  res.setHeader('content-type', isText ? 'text/html' : 'application/json');
  for (const [name, value] of Object.entries(headers ?? {})) res.setHeader(name, value);
  res.writeHead(status);
  await new Promise<void>((sent) => res.end(isText ? content : JSON.stringify(content), sent));
}

async function sendRaw({ raw, contentType, sliceBytes, paceMs }: Raw, exchange: Exchange): Promise<void> {
  openStream(exchange, contentType);
  const writes = sliceBytes ? slices(Buffer.from(raw.join('')), sliceBytes) : raw;
  for (const data of writes) {
    await write(exchange, data);
    // A turn of the event loop between two writes, so that they leave as separate packets.
    await (paceMs ? delay(paceMs, undefined, { signal: exchange.left }) : setImmediate());
  }
  exchange.res.end();
}

async function pour({ flood, times, contentType }: Flood, exchange: Exchange): Promise<void> {
  openStream(exchange, contentType);
  for (let sent = 0; times === 'endless' || sent < times; sent++) {
    await write(exchange, flood);
    // Without a turn of the event loop the client's leaving would go unnoticed.
    await setImmediate();
  }
  exchange.res.end();
}

function* slices(bytes: Buffer, size: number): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

function listModels(names: readonly string[], { row, res }: Exchange): Promise<void> {
  row.outcome = 'models';
  const data = names.map((id) => ({ id, object: 'model', created: 0, owned_by: 'script' }));
  return sendJson(res, 200, { object: 'list', data });
}

function outcomeOf(step: Step | 'unscripted' | 'exhausted'): string {
  return typeof step === 'string' ? step : (KINDS.find((kind) => kind in step) ?? '');
}

function modelIn(body: unknown): string | undefined {
  const model: unknown = body && typeof body === 'object' ? Reflect.get(body, 'model') : undefined;
  return typeof model === 'string' ? model : undefined;
}

const problem = (message: string) => ({ error: { message, type: 'server_error', code: null, param: null } });

const scripts = createScripts();

await runFake({
  subject: 'model',
  subjectOf: (_url, body) => modelIn(body) ?? '',
  controls: {
    '/_script': (body) => {
      scripts.set(body as Script);
    },
  },
  answer: async (exchange) => {
    const { row, url, res, left } = exchange;
    const route = `${row.method} ${url.pathname}`;
    if (route === 'GET /v1/models') return listModels(scripts.names(), exchange);
    if (route !== 'POST /v1/chat/completions') return sendJson(res, 404, problem(`no route ${route}`));
    if (!row.subject) return sendJson(res, 400, problem('you must provide a model parameter'));

    const step = scripts.next(row.subject);
    row.outcome = outcomeOf(step);
    await perform(step, exchange).catch((error: unknown) => {
      if (!left.aborted) throw error;
    });
  },
});
