import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atTheEnd, endBeside, markService } from './at-the-end.js';
import { readStream, wholeAnswer, type ChatStream, type Completion } from './chat-client.js';
import { answerCheck, BUILT } from './described-answers.js';
import { startChild, type Child, type Exit } from './child-process.js';
import { uniqueName } from './fakes/fakes.js';
import { createOutput, type Output } from './output.js';

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

/** What can be asked at an address, whoever serves there: a service, or a proxy in front of several. */
export interface ServiceClient {
  readonly url: string;
  readonly adminKey: string;
  request<Body = unknown>(path: string, options?: RequestOptions): Promise<Answer<Body>>;
  chat(assistantId: number, input: ChatInput, options?: CallOptions): Promise<Answer<Completion>>;
  stream(assistantId: number, input: ChatInput, options?: CallOptions): Promise<ChatStream>;
  /** Creates an assistant, named uniquely unless a name is given; fails unless the answer is 201. */
  createAssistant(content: object, options?: CallOptions): Promise<AssistantRecord>;
}

export interface Service extends ServiceClient {
  readonly dataDir: string;
  /** Everything it has said so far. */
  output(): string;
  /** The log lines so far. */
  logs(): LogLine[];
  /** The first log line, past or to come, that passes the test. */
  waitForLog(test: (line: LogLine) => boolean, timeoutMs?: number): Promise<LogLine>;
  /** In good order. */
  stop(): Promise<unknown>;
}

/** A service that can be sent signals. */
export interface ServiceProcess extends Service, Pick<Child, 'pid' | 'exited'> {
  stop(signal?: NodeJS.Signals): Promise<Exit>;
  /** SIGKILL. */
  kill(): Promise<Exit>;
}

export interface ServiceOptions {
  /** A folder to use and to keep; else one is made, and removed when the service ends. */
  readonly dataDir?: string;
}

export interface ServiceHereOptions extends ServiceOptions {
  /** Scrypt's N for passwords, which else take next to no time. */
  readonly passwordCost?: number;
}

export interface ProcessOptions extends ServiceOptions {
  readonly entry?: string;
  /** For those who start several under load. */
  readonly readyTimeoutMs?: number;
}

/** A fresh folder for a service that is to be restarted on it; `removeDataDir` when done. */
export const makeDataDir = (): Promise<string> => mkdtemp(join(tmpdir(), 'bellwether-test-'));

export const removeDataDir = (dataDir: string): Promise<void> =>
  rm(dataDir, { recursive: true, force: true });

type Env = Readonly<Record<string, string>>;

/** Starts the built service in this process, on a free port, with nothing of our environment. */
export async function startService(
  env: Env = {},
  { dataDir: givenDir, passwordCost }: ServiceHereOptions = {},
): Promise<Service> {
  const dataDir = givenDir ?? (await makeDataDir());
  const tidy = async () => {
    if (givenDir === undefined) await removeDataDir(dataDir);
  };
  try {
    const service = await startIn(dataDir, keyed(env, givenDir), {
      hasAdministrator: await hasAdministrator(dataDir, env),
      passwordCost,
    });
    return { ...service, stop: () => service.stop().finally(tidy) };
  } catch (error) {
    await tidy();
    throw error;
  }
}

type Here = Omit<Parameters<typeof import('./service-here.js').startHere>[1], 'say'>;

async function startIn(dataDir: string, env: Env, here: Here): Promise<Service> {
  const { startHere } = (await import(BUILT)) as typeof import('./service-here.js');
  const settings = { ...defaults(dataDir), ...env };
  const said = createOutput('the service');
  const { ended, stop } = await startHere(settings, { say: said.add, ...here });
  void ended.then(said.end);
  const url = await said.waitForLine(listeningUrl, READY_MS);
  markService(dataDir);
  return {
    ...serviceAt(url, said, { dataDir, adminKey: settings.ADMIN_API_KEY }),
    async stop() {
      await endBeside(dataDir);
      stop();
      if ((await ended) !== 0) throw new Error(`The service did not stop well. It wrote:\n${said.output()}`);
    },
  };
}

const READY_MS = 15_000;

/** What is in the database after a first start depends on these. */
const OF_FIRST_START = ['DATABASE_URL', 'ADMIN_EMAIL', 'ADMIN_PASSWORD', 'ADMIN_API_KEY', 'DEMO_DATA'];

const hasAdministrator = async (dataDir: string, env: Env): Promise<boolean> =>
  OF_FIRST_START.every((name) => !(name in env)) && (await isFromTemplate(dataDir));

let template: Promise<string> | undefined;
const fromTemplate = new Set<string>();

/** Puts into a folder without a database what a first start leaves, and the mark of a stop in good order. */
async function isFromTemplate(dataDir: string): Promise<boolean> {
  if (!existsSync(join(dataDir, 'bellwether.db'))) {
    template ??= makeTemplate();
    const from = await template;
    for (const file of ['bellwether.db', 'stopped-in-good-order'])
      await copyFile(join(from, file), join(dataDir, file));
    fromTemplate.add(dataDir);
  }
  return fromTemplate.has(dataDir);
}

async function makeTemplate(): Promise<string> {
  const dataDir = await makeDataDir();
  atTheEnd(() => removeDataDir(dataDir));
  const service = await startIn(dataDir, {}, { hasAdministrator: false, passwordCost: undefined });
  await service.stop();
  return dataDir;
}

/** The key of a folder goes with it, and whoever uses a database after others has to have theirs. */
const keyed = (env: Env, givenDir: string | undefined): Env =>
  givenDir === undefined && 'DATABASE_URL' in env
    ? { SECRET_KEY: 'of all tests on one database', ...env }
    : env;

const MAIN = 'dist/src/main.js';

/** Starts the built service as a process of its own: for tests that look at the process, send it signals or break it. */
export async function startServiceProcess(
  env: Env = {},
  { dataDir: givenDir, entry = MAIN, readyTimeoutMs = READY_MS }: ProcessOptions = {},
): Promise<ServiceProcess> {
  const dataDir = givenDir ?? (await makeDataDir());
  const tidy = async () => {
    if (!givenDir) await removeDataDir(dataDir);
  };
  // The password is in the database: set here, it would be checked at every start.
  const known = entry === MAIN && (await hasAdministrator(dataDir, env)) ? { ADMIN_PASSWORD: '' } : {};
  const settings = { ...defaults(dataDir), ...known, ...keyed(env, givenDir) };
  const options = { urlIn: listeningUrl, readyTimeoutMs };
  const child = await startChild(entry, settings, options).catch(async (error: unknown) => {
    await tidy();
    throw error;
  });
  const stop = async (signal?: NodeJS.Signals) => child.stop(signal).finally(tidy);
  return {
    ...serviceAt(child.url, child, {
      ...{ dataDir, adminKey: settings.ADMIN_API_KEY },
      // A program that stands in for the service answers as it likes.
      checkOf: entry === MAIN ? answerCheck : () => Promise.resolve(() => undefined),
    }),
    pid: child.pid,
    exited: child.exited,
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

interface ServiceFacts extends Pick<Service, 'dataDir' | 'adminKey'> {
  readonly checkOf?: typeof answerCheck;
}

function serviceAt(
  url: string,
  { output, lines, waitForLine }: Output,
  { checkOf = answerCheck, ...facts }: ServiceFacts,
): Omit<Service, 'stop'> {
  return {
    ...{ ...facts, ...clientAt(url, facts.adminKey, checkOf), output },
    logs: () =>
      lines()
        .map(logLine)
        .filter((line) => line !== undefined),
    waitForLog: (test, timeoutMs) =>
      waitForLine((text) => {
        const line = logLine(text);
        return line && test(line) ? line : undefined;
      }, timeoutMs),
  };
}

export function clientAt(url: string, adminKey: string, checkOf = answerCheck): ServiceClient {
  const send = (path: string, options: RequestOptions = {}) => fetch(url + path, init(options, adminKey));

  async function request<Body = unknown>(path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
    const { status, headers, text } = await wholeAnswer(url + path, init(options, adminKey));
    const check = await checkOf();
    check({ method: methodOf(options), path, status, mediaType: mediaTypeIn(headers), text });
    return { status, headers, text, json: parsed(text) as Body };
  }

  return {
    ...{ url, adminKey, request },
    chat: (assistantId: number, input: ChatInput, options: CallOptions = {}) =>
      request<Completion>('/v1/chat/completions', { ...options, body: chatBody(assistantId, input) }),
    async stream(assistantId: number, input: ChatInput, options: CallOptions = {}): Promise<ChatStream> {
      const body = { stream: true, ...chatBody(assistantId, input) };
      const path = '/v1/chat/completions';
      const [response, check] = await Promise.all([send(path, { ...options, body }), checkOf()]);
      const { status, headers } = response;
      return readStream(response, (text) => {
        check({ method: 'POST', path, status, mediaType: mediaTypeIn(headers), text });
      });
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
    method: methodOf({ method, body }),
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

const methodOf = ({ method, body }: { readonly [Key in 'method' | 'body']?: unknown } = {}) =>
  typeof method === 'string' ? method : body === undefined ? 'GET' : 'POST';

const mediaTypeIn = (headers: Headers) => (headers.get('content-type') ?? '').split(';')[0] ?? '';

const isSentAsItIs = (body: object) =>
  body instanceof FormData || body instanceof URLSearchParams || ArrayBuffer.isView(body);

function chatBody(assistantId: number, input: ChatInput): object {
  const content = typeof input === 'string' ? { messages: [{ role: 'user', content: input }] } : input;
  return { model: `lamb_assistant.${String(assistantId)}`, ...content };
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
  const { msg, url, localUrl = url } = logLine(line) ?? {};
  return msg === 'listening' && typeof localUrl === 'string' ? localUrl : undefined;
}
