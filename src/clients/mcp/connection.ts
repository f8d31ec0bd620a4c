import { AsyncLocalStorage } from 'node:async_hooks';
import type * as Sdk from '@modelcontextprotocol/client';
import type { McpAddress, McpCall } from '../../core/clients/mcp.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { createDeadline, fetchUntil } from '../../core/runs/deadline.js';
import { type ListedTool, listedTool, ToolPage } from './tools.js';

const CONNECT_MS = 5_000;
const LIST_MS = 5_000;
const CLOSE_MS = 1_000;
const MOST_PAGES = 10;
const MOST_TOOLS = 500;
/** A server that asks things back without end gets no more than this many answers at a time. */
const MOST_AT_ONCE = 8;
const MOST_PROGRESS = 100;
/** The signal is what ends a call; the library wants a number all the same. */
const LONG_MS = 24 * 3_600_000;

/** One session with one server. */
export interface McpConnection {
  listTools(): Promise<readonly ListedTool[]>;
  /** The answer as it came. */
  callTool(call: McpCall, inputSchema: JsonSchema | undefined): Promise<unknown>;
  close(): Promise<void>;
}

export interface ConnectionDeps {
  readonly fetch: typeof fetch;
  readonly onListChanged: () => void;
}

/** What one of our requests causes, the requests it leads to included. */
interface Cause {
  readonly signal: AbortSignal;
  readonly fail: (fault: unknown) => void;
  open: number;
}

interface Causes {
  /** What has led to whatever asks for it; undefined once that is over. */
  current(): Cause | undefined;
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export async function connectTo(server: McpAddress, deps: ConnectionDeps): Promise<McpConnection> {
  // Only who uses it pays for loading it.
  const sdk = await import('@modelcontextprotocol/client');
  const causes = createCauses();
  const transport = new sdk.StreamableHTTPClientTransport(server.url, {
    fetch: fetchFor(deps.fetch, causes),
    requestInit: { headers: { ...server.headers } },
  });
  const client = clientThatGivesNothing(sdk);
  client.setNotificationHandler('notifications/tools/list_changed', deps.onListChanged);
  const inTime = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
    const deadline = createDeadline(new AbortController().signal, ms);
    return await within(causes, deadline.signal, work).finally(deadline.dispose);
  };
  await inTime(CONNECT_MS, () => client.connect(transport, { timeout: CONNECT_MS }));

  return {
    listTools: () => inTime(LIST_MS, () => allPages(client, server.url.host)),
    callTool: ({ name, args, signal, progress }, inputSchema) =>
      within(causes, signal, () =>
        client.callTool(
          { name, arguments: { ...args } },
          {
            signal,
            timeout: LONG_MS,
            onprogress: percentages(progress),
            // Given here, so that the library neither lists nor checks by a schema of the server's own making.
            toolDefinition: { name, inputSchema: { ...inputSchema, type: 'object' } },
          },
        ),
      ),
    async close() {
      await inTime(CLOSE_MS, () => transport.terminateSession()).catch(() => undefined);
      await client.close();
    },
  };
}

/** A server that asks for a model's words, a person's or a folder is refused. */
function clientThatGivesNothing({ Client }: typeof Sdk): Sdk.Client {
  return new Client(
    { name: 'bellwether', version: '1' },
    {
      capabilities: {},
      inputRequired: { autoFulfill: false },
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: CONNECT_MS } },
    },
  );
}

async function allPages(client: Sdk.Client, host: string): Promise<readonly ListedTool[]> {
  const found: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= MOST_PAGES && found.length < MOST_TOOLS; page++) {
    const request = { method: 'tools/list', params: cursor === undefined ? {} : { cursor } };
    const { tools, nextCursor } = await client.request(request, ToolPage, { timeout: LIST_MS });
    found.push(...tools.flatMap((tool) => listedTool(tool, host) ?? []));
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return found.slice(0, MOST_TOOLS);
}

/**
 * Up to Node 22 every promise of the process is followed as long as one such storage is in use, chats that have nothing to do
 * with it included, and for each that ever was: it is in use while there are requests under way.
 */
function createCauses(): Causes {
  const storage = new AsyncLocalStorage<Cause>();
  let underWay = 0;
  return {
    current: () => storage.getStore(),
    async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      underWay += 1;
      try {
        return await new Promise<T>((resolve, reject) => {
          storage.run({ signal, fail: reject, open: 0 }, () => {
            work().then(resolve, reject);
          });
        });
      } finally {
        underWay -= 1;
        if (underWay === 0) storage.disable();
      }
    },
  };
}

/** Ends with its signal, and as soon as one of its answers breaks off; leaves nothing open behind it. */
async function within<T>(causes: Causes, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const over = new AbortController();
  const onAbort = () => {
    over.abort(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await causes.run(over.signal, work);
  } finally {
    signal.removeEventListener('abort', onAbort);
    over.abort();
  }
}

/** Our `fetch` for one connection. Nothing is listened to but the answers to what we ask. */
function fetchFor(fetch: typeof globalThis.fetch, causes: Causes) {
  return async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const isResuming = new Headers(init.headers).has('last-event-id');
    if (init.method === 'GET' && !isResuming) return new Response(null, { status: 405 });
    const cause = causes.current();
    if (!cause) throw new Error('Nobody waits for this any more.');
    if (cause.open >= MOST_AT_ONCE) throw new Error('Too much is asked for at the same time.');
    cause.open += 1;
    try {
      const response = await fetchUntil(fetch, cause.signal)(url, init);
      return response.body ? watched(response, cause) : response;
    } finally {
      cause.open -= 1;
    }
  };
}

/** The library does not tell who waits for an answer that its stream broke off. */
function watched(response: Response, { fail }: Cause): Response {
  const { status, statusText, headers } = response;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (fault) {
        fail(fault);
        controller.error(fault);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, { status, statusText, headers });
}

function percentages(tell: McpCall['progress']) {
  let told = 0;
  return ({ progress, total }: { progress: number; total?: number | undefined }) => {
    if (told++ < MOST_PROGRESS)
      tell(total === undefined || total <= 0 ? undefined : (progress / total) * 100);
  };
}

/** A connection that is made when it is needed, shared while it is good, and let go of when nobody asks on it. */
export interface McpLine {
  use<T>(work: (connection: McpConnection) => Promise<T>, signal?: AbortSignal): Promise<T>;
  isOpen(): boolean;
  close(): Promise<void>;
}

interface Used {
  readonly connection: Promise<McpConnection>;
  busy: number;
}

export function createMcpLine(connect: () => Promise<McpConnection>, idleMs: number): McpLine {
  let current: Used | undefined;
  let idle: NodeJS.Timeout | undefined;

  const letGo = (used: Used) => {
    if (current !== used || used.busy > 0) return;
    current = undefined;
    void hangUp(used);
  };
  const rest = (used: Used) => {
    used.busy -= 1;
    if (used.busy > 0) return;
    clearTimeout(idle);
    // Replaced meanwhile: nobody will ask on it again.
    if (current !== used) void hangUp(used);
    else idle = setTimeout(letGo, idleMs, used).unref();
  };

  return {
    async use(work, signal) {
      const used = (current ??= { connection: connect(), busy: 0 });
      used.busy += 1;
      try {
        return await work(await used.connection);
      } catch (fault) {
        // Unless it was us, or a plain no, the next call starts with a connection that has not seen it.
        if (current === used && signal?.aborted !== true && !isAnswer(fault)) current = undefined;
        throw fault;
      } finally {
        rest(used);
      }
    },
    isOpen: () => current !== undefined,
    async close() {
      clearTimeout(idle);
      const open = current;
      current = undefined;
      if (open) await hangUp(open);
    },
  };
}

async function hangUp({ connection }: Used): Promise<void> {
  await connection.then((open) => open.close()).catch(() => undefined);
}

/** An error that the server wrote has a number; one of the library's has a name. */
function isAnswer(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && typeof fault.code === 'number';
}
