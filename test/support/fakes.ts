import { randomUUID } from 'node:crypto';
import { startChild, type Exit } from './child-process.js';
import type { LedgerRow, Wanted } from './ledger.js';
import type { Script, Step } from './model-script.js';

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly Record<string, unknown>[] | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: 'function';
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** The body of a request the model received. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly tools?: readonly {
    readonly type: 'function';
    readonly function: {
      readonly name: string;
      readonly description?: string;
      readonly parameters?: Record<string, unknown>;
    };
  }[];
  readonly tool_choice?: unknown;
  readonly [other: string]: unknown;
}

export interface Fake<Body> {
  readonly url: string;
  /** Every request about this subject so far; without one, every request. */
  ledger(subject?: string): Promise<LedgerRow<Body>[]>;
  /** The ledger as soon as it holds what is wanted; fails when the time runs out first. */
  waitFor(subject: string, wanted: Wanted, timeoutMs?: number): Promise<LedgerRow<Body>[]>;
  /** Opens a gate for good. */
  release(name: string): Promise<void>;
  stop(): Promise<Exit>;
}

export interface FakeModel extends Fake<ModelRequest> {
  /** Replaces the script of this model and starts it from its first step. */
  script(model: string, steps: readonly Step[], options?: Pick<Script, 'repeat'>): Promise<void>;
}

export type FakeWeather = Fake<unknown>;

export const startFakeModel = (): Promise<FakeModel> =>
  startScripted<ModelRequest>('dist/test/support/fake-model.js');

async function startScripted<Body>(program: string): Promise<Fake<Body> & Pick<FakeModel, 'script'>> {
  const fake = await startFake<Body>(program, 'model');
  return {
    ...fake,
    async script(model, steps, options = {}) {
      await post(`${fake.url}/_script`, { model, steps, ...options });
    },
  };
}

/** Ollama, Anthropic, Google and Azure OpenAI in one, each at its own paths. */
export type FakeProviders = Fake<Readonly<Record<string, unknown>>> & Pick<FakeModel, 'script'>;

export const startFakeProviders = (): Promise<FakeProviders> =>
  startScripted<Readonly<Record<string, unknown>>>('dist/test/support/fake-providers.js');

/** The body of a request for vectors. */
export interface EmbeddingRequest {
  readonly model: string;
  readonly input: readonly string[];
  readonly [other: string]: unknown;
}

export interface FakeEmbeddings extends Fake<EmbeddingRequest> {
  /** What goes wrong with the next requests for this model, one after the other. */
  faults(model: string, faults: readonly string[]): Promise<void>;
}

/** OpenAI's embeddings at /v1 and Ollama's at /api/embed. */
export async function startFakeEmbeddings(): Promise<FakeEmbeddings> {
  const fake = await startFake<EmbeddingRequest>('dist/test/support/fake-embeddings.js', 'model');
  return { ...fake, faults: (model, faults) => post(`${fake.url}/_faults`, { model, faults }) };
}

export const startFakeWeather = (): Promise<FakeWeather> =>
  startFake<unknown>('dist/test/support/fake-weather.js', 'city');

/** A name no other test uses: of a model, a gate or a faulty town. */
export const uniqueName = (prefix: string): string => `${prefix}-${randomUUID().slice(0, 8)}`;

export async function startFake<Body>(script: string, subjectName: string): Promise<Fake<Body>> {
  const { url, stop } = await startChild(script);
  return {
    url,
    async ledger(subject) {
      const query = subject === undefined ? '' : `?${subjectName}=${encodeURIComponent(subject)}`;
      return requestsIn<Body>(await fetch(`${url}/_ledger${query}`));
    },
    async waitFor(subject, wanted, timeoutMs = 5_000) {
      const response = await send(`${url}/_wait`, { [subjectName]: subject, ...wanted, timeoutMs });
      const requests = await requestsIn<Body>(response);
      if (response.status === 408) throw new Error(missing(subject, wanted, requests));
      return requests;
    },
    async release(name) {
      await post(`${url}/_release`, { name });
    },
    stop: () => stop(),
  };
}

const send = (url: string, body: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

export async function post(url: string, body: object): Promise<void> {
  const response = await send(url, body);
  const answer = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${String(response.status)}: ${answer}`);
}

async function requestsIn<Body>(response: Response): Promise<LedgerRow<Body>[]> {
  const { requests } = (await response.json()) as { requests?: LedgerRow<Body>[] };
  if (!requests) throw new Error(`${response.url} answered ${String(response.status)} without a ledger`);
  return requests;
}

function missing(subject: string, wanted: Wanted, rows: readonly LedgerRow[]): string {
  const seen = rows.map(({ path, outcome, closedEarly, finishedAt }) => ({
    path,
    outcome,
    closedEarly,
    finished: finishedAt !== null,
  }));
  return `Waited in vain for ${JSON.stringify(wanted)} of ${subject}; seen: ${JSON.stringify(seen)}`;
}
