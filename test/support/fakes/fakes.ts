import { randomUUID } from 'node:crypto';
import { type EmbeddingFault, fakeEmbeddings } from './embeddings.js';
import { fakeModel } from './model.js';
import { fakeProviders } from './providers.js';
import { fakeWeather } from './weather.js';
import type { LedgerRow, Wanted } from './ledger.js';
import { type Fake as FakeServer, serveFake } from './ledger-server.js';
import { createScripts, type Scripts } from './model-performance.js';
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
  stop(): Promise<void>;
}

export interface FakeModel extends Fake<ModelRequest> {
  /** Replaces the script of this model and starts it from its first step. */
  script(model: string, steps: readonly Step[], options?: Pick<Script, 'repeat'>): Promise<void>;
}

export type FakeWeather = Fake<unknown>;

export const startFakeModel = (): Promise<FakeModel> => startScripted<ModelRequest>(fakeModel);

async function startScripted<Body>(
  fakeWith: (scripts: Scripts) => FakeServer,
): Promise<Fake<Body> & Pick<FakeModel, 'script'>> {
  const scripts = createScripts();
  return {
    ...(await startFake<Body>(fakeWith(scripts))),
    script(model, steps, options = {}) {
      scripts.set(copied({ model, steps, ...options }));
      return Promise.resolve();
    },
  };
}

/** Ollama, Anthropic, Google and Azure OpenAI in one, each at its own paths. */
export type FakeProviders = Fake<Readonly<Record<string, unknown>>> & Pick<FakeModel, 'script'>;

export const startFakeProviders = (): Promise<FakeProviders> =>
  startScripted<Readonly<Record<string, unknown>>>(fakeProviders);

/** The body of a request for vectors. */
export interface EmbeddingRequest {
  readonly model: string;
  readonly input: readonly string[];
  readonly [other: string]: unknown;
}

export interface FakeEmbeddings extends Fake<EmbeddingRequest> {
  /** What goes wrong with the next requests for this model, one after the other. */
  faults(model: string, faults: readonly EmbeddingFault[]): Promise<void>;
}

/** OpenAI's embeddings at /v1 and Ollama's at /api/embed. */
export async function startFakeEmbeddings(): Promise<FakeEmbeddings> {
  const waiting = new Map<string, EmbeddingFault[]>();
  return {
    ...(await startFake<EmbeddingRequest>(fakeEmbeddings(waiting))),
    faults(model, faults) {
      waiting.set(model, [...faults]);
      return Promise.resolve();
    },
  };
}

export const startFakeWeather = (): Promise<FakeWeather> => startFake<unknown>(fakeWeather());

/** A name no other test uses: of a model, a gate or a faulty town. */
export const uniqueName = (prefix: string): string => `${prefix}-${randomUUID().slice(0, 8)}`;

export async function startFake<Body>(server: FakeServer): Promise<Fake<Body>> {
  const { url, ledger, gates, stop } = await serveFake(server);
  // A copy: what a test has read stays as it was.
  const rowsOf = (subject?: string) => copied(ledger.of(subject)) as LedgerRow<Body>[];
  return {
    url,
    stop,
    ledger: (subject) => Promise.resolve(rowsOf(subject)),
    async waitFor(subject, wanted, timeoutMs = 30_000) {
      const isThere = await ledger.reaches(subject, wanted, timeoutMs);
      if (!isThere) throw new Error(missing(subject, wanted, rowsOf(subject)));
      return rowsOf(subject);
    },
    release(name) {
      gates.release(name);
      return Promise.resolve();
    },
  };
}

/** As it would arrive over the wire. */
export const copied = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

function missing(subject: string, wanted: Wanted, rows: readonly LedgerRow[]): string {
  const seen = rows.map(({ path, outcome, closedEarly, finishedAt }) => ({
    path,
    outcome,
    closedEarly,
    finished: finishedAt !== null,
  }));
  return `Waited in vain for ${JSON.stringify(wanted)} of ${subject}; seen: ${JSON.stringify(seen)}`;
}
