import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { departure, sendJson, write, type Exchange } from './ledger-server.js';
import {
  partialText,
  type Call,
  type Fail,
  type Flood,
  type Hang,
  type Moment,
  type Raw,
  type Reset,
  type Say,
  type Script,
  type Step,
} from './model-script.js';

/** How one provider puts an answer over the wire. */
export interface Wire {
  /** Of its streams. */
  readonly contentType: string;
  /** A whole answer. */
  complete(exchange: Exchange, step: Say | Call): Promise<void>;
  /** Headers and so many pieces of text of an answer that is never finished. */
  begin(exchange: Exchange, texts: readonly string[]): Promise<void>;
}

export type Played = Step | 'unscripted' | 'exhausted';

const KINDS = ['say', 'call', 'status', 'reset', 'hang', 'raw', 'flood', 'wait'];

export type Scripts = ReturnType<typeof createScripts>;

export function createScripts() {
  const running = new Map<string, { script: Script; used: number }>();
  return {
    names: () => [...running.keys()],
    set(script: Script): void {
      running.set(script.model, { script, used: 0 });
    },
    next(model: string): Played {
      const current = running.get(model);
      if (!current) return 'unscripted';
      const { steps, repeat } = current.script;
      return steps[current.used++] ?? (repeat ? steps.at(-1) : undefined) ?? 'exhausted';
    },
  };
}

/** Answers one request with the next step of its model's script, in the ledger under the step's name. */
export async function play(step: Played, exchange: Exchange, wire: Wire): Promise<void> {
  exchange.row.outcome = typeof step === 'string' ? step : (KINDS.find((kind) => kind in step) ?? '');
  await perform(step, exchange, wire).catch((error: unknown) => {
    if (!exchange.left.aborted) throw error;
  });
}

export function openStream({ res }: Exchange, contentType: string): void {
  res.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-cache' }).flushHeaders();
}

export const problem = (message: string) => ({
  error: { message, type: 'server_error', code: null, param: null },
});

async function perform(step: Played, exchange: Exchange, wire: Wire): Promise<void> {
  if (step === 'unscripted') return perform({ say: `Hello from ${exchange.row.subject}.` }, exchange, wire);
  if (step === 'exhausted') return sendJson(exchange.res, 500, problem('script exhausted'));

  if ('wait' in step) {
    await exchange.gates.pass(step.wait, exchange.left);
    return perform(step.then, exchange, wire);
  }
  if ('status' in step) return failWith(step, exchange);
  if ('raw' in step) return sendRaw(step, exchange, wire);
  if ('flood' in step) return pour(step, exchange, wire);
  if ('reset' in step) return breakOff(step, exchange, wire);
  if ('hang' in step) return stall(step, exchange, wire);
  if (step.delayMs) await delay(step.delayMs, undefined, { signal: exchange.left });
  return wire.complete(exchange, step);
}

async function breakOff({ reset }: Reset, exchange: Exchange, wire: Wire): Promise<void> {
  await reachMoment(reset, exchange, wire);
  exchange.hangUp(reset === 'before-headers' ? 'reset' : 'close');
}

async function stall({ hang }: Hang, exchange: Exchange, wire: Wire): Promise<void> {
  await reachMoment(hang, exchange, wire);
  await departure(exchange.left);
}

async function reachMoment(moment: Moment, exchange: Exchange, wire: Wire): Promise<void> {
  if (moment === 'before-headers') return;
  const count = moment === 'after-headers' ? 0 : moment;
  await wire.begin(exchange, Array<string>(count).fill(partialText(1)));
}

async function failWith({ status, body, headers }: Fail, { res }: Exchange): Promise<void> {
  const content = body ?? problem(`scripted status ${String(status)}`);
  const isText = typeof content === 'string';
  res.setHeader('content-type', isText ? 'text/html' : 'application/json');
  for (const [name, value] of Object.entries(headers ?? {})) res.setHeader(name, value);
  res.writeHead(status);
  await new Promise<void>((sent) => res.end(isText ? content : JSON.stringify(content), sent));
}

async function sendRaw(
  { raw, contentType, sliceBytes, paceMs, then }: Raw,
  exchange: Exchange,
  wire: Wire,
): Promise<void> {
  openStream(exchange, contentType ?? wire.contentType);
  const writes = sliceBytes ? slices(Buffer.from(raw.join('')), sliceBytes) : raw;
  for (const data of writes) {
    await write(exchange, data);
    // A turn of the event loop between two writes, so that they leave as separate packets.
    await (paceMs ? delay(paceMs, undefined, { signal: exchange.left }) : setImmediate());
  }
  if (then === 'left open') await departure(exchange.left);
  else if (then === 'broken') exchange.hangUp('close');
  else exchange.res.end();
}

async function pour({ flood, times, contentType }: Flood, exchange: Exchange, wire: Wire): Promise<void> {
  openStream(exchange, contentType ?? wire.contentType);
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
