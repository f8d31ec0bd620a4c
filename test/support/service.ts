import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStream, type ChatStream, type Completion } from './chat-client.js';
import { startChild, type Child, type Exit } from './child-process.js';
import { uniqueName } from './fakes.js';

export const ADMIN_EMAIL = 'admin@example.test';
export const ADMIN_PASSWORD = 'correct horse battery staple 42';
export const ADMIN_KEY = 'bw_test_0123456789abcdef0123456789abcdef';

export interface RequestOptions {
  readonly method?: string;
  /** An object is sent as JSON; text, bytes and forms are sent as they are. */
  readonly body?: object | string | undefined;
  /** The administrator's unless given; null sends no credential. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export type CallOptions = Pick<RequestOptions, 'key' | 'headers' | 'signal'>;

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when the body is not JSON. */
  readonly json: Body;
  readonly text: string;
}

/** A text alone is one user message. */
export type ChatInput = string | { readonly messages: readonly object[]; readonly [other: string]: unknown };

export interface AssistantRecord {
  readonly id: number;
  readonly name: string;
  readonly owner: string;
  readonly version: number;
  readonly metadata: Record<string, unknown>;
  readonly [other: string]: unknown;
}

export type LogLine = Readonly<Record<string, unknown>>;

export interface Service extends Pick<Child, 'url' | 'pid' | 'exited' | 'output'> {
  readonly adminKey: string;
  readonly dataDir: string;
  /** The log lines so far. */
  logs(): LogLine[];
  /** The first log line, past or to come, that passes the test. */
  waitForLog(test: (line: LogLine) => boolean, timeoutMs?: number): Promise<LogLine>;
  request<Body = unknown>(path: string, options?: RequestOptions): Promise<Answer<Body>>;
  chat(assistantId: number, input: ChatInput, options?: CallOptions): Promise<Answer<Completion>>;
  stream(assistantId: number, input: ChatInput, options?: CallOptions): Promise<ChatStream>;
  /** Creates an assistant, named uniquely unless a name is given; fails unless the answer is 201. */
  createAssistant(content: object, options?: CallOptions): Promise<AssistantRecord>;
  stop(signal?: NodeJS.Signals): Promise<Exit>;
  /** SIGKILL. */
  kill(): Promise<Exit>;
}

export interface ServiceOptions {
  /** A folder to use and to keep; else one is made, and removed when the service ends. */
  readonly dataDir?: string;
  readonly entry?: string;
}

/** A fresh folder for a service that is to be restarted on it; `removeDataDir` when done. */
export const makeDataDir = (): Promise<string> => mkdtemp(join(tmpdir(), 'bellwether-test-'));

export const removeDataDir = (dataDir: string): Promise<void> =>
  rm(dataDir, { recursive: true, force: true });

/** Starts the built service as its own process, on a free port, with nothing of our environment. */
export async function startService(
  env: Readonly<Record<string, string>> = {},
  { dataDir: givenDir, entry = 'dist/src/main.js' }: ServiceOptions = {},
): Promise<Service> {
  const dataDir = givenDir ?? (await makeDataDir());
  const tidy = async () => {
    if (!givenDir) await removeDataDir(dataDir);
  };
  const settings = { ...defaults(dataDir), ...env };
  const options = { nodeArguments: ['--enable-source-maps'], urlIn: listeningUrl };
  const child = await startChild(entry, settings, options).catch(async (error: unknown) => {
    await tidy();
    throw error;
  });

  const stop = async (signal?: NodeJS.Signals) => child.stop(signal).finally(tidy);
  return {
    ...clientOf(child.url, settings.ADMIN_API_KEY),
    url: child.url,
    pid: child.pid,
    exited: child.exited,
    output: child.output,
    adminKey: settings.ADMIN_API_KEY,
    dataDir,
    logs: () =>
      child
        .lines()
        .map(logLine)
        .filter((line) => line !== undefined),
    waitForLog: (test, timeoutMs) =>
      child.waitForLine((text) => {
        const line = logLine(text);
        return line && test(line) ? line : undefined;
      }, timeoutMs),
    stop,
    kill: () => stop('SIGKILL'),
  };
}

function defaults(dataDir: string) {
  return {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    ADMIN_API_KEY: ADMIN_KEY,
    DEMO_DATA: 'false',
  };
}

function clientOf(url: string, adminKey: string) {
  const send = (path: string, options: RequestOptions = {}) => fetch(url + path, init(options, adminKey));

  async function request<Body = unknown>(path: string, options?: RequestOptions): Promise<Answer<Body>> {
    const { status, headers, text } = await send(path, options).then(withText);
    return { status, headers, text, json: parsed(text) as Body };
  }

  return {
    request,
    chat: (assistantId: number, input: ChatInput, options: CallOptions = {}) =>
      request<Completion>('/v1/chat/completions', { ...options, body: chatBody(assistantId, input) }),
    async stream(assistantId: number, input: ChatInput, options: CallOptions = {}): Promise<ChatStream> {
      const body = { stream: true, ...chatBody(assistantId, input) };
      return readStream(await send('/v1/chat/completions', { ...options, body }));
    },
    async createAssistant(content: object, options: CallOptions = {}): Promise<AssistantRecord> {
      const body = { name: uniqueName('assistant'), ...content };
      const made = await request<AssistantRecord>('/lamb/v1/assistants', { ...options, body });
      if (made.status !== 201) throw new Error(`No assistant was made: ${String(made.status)} ${made.text}`);
      return made.json;
    },
  };
}

function init({ method, body, key, headers, signal }: RequestOptions, adminKey: string): RequestInit {
  const bearer = key === undefined ? adminKey : key;
  const asJson = typeof body === 'object' && !isSentAsItIs(body);
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(asJson ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: asJson ? JSON.stringify(body) : (body as NonNullable<RequestInit['body']>) }),
    ...(signal ? { signal } : {}),
  };
}

const isSentAsItIs = (body: object) =>
  body instanceof FormData || body instanceof URLSearchParams || ArrayBuffer.isView(body);

function chatBody(assistantId: number, input: ChatInput): object {
  const content = typeof input === 'string' ? { messages: [{ role: 'user', content: input }] } : input;
  return { model: `lamb_assistant.${String(assistantId)}`, ...content };
}

async function withText(response: Response) {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function logLine(line: string): LogLine | undefined {
  const value = parsed(line);
  return typeof value === 'object' && value !== null ? (value as LogLine) : undefined;
}

function listeningUrl(line: string): string | undefined {
  const { msg, url } = logLine(line) ?? {};
  return msg === 'listening' && typeof url === 'string' ? url : undefined;
}
