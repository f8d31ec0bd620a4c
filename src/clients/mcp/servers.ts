import { createHash } from 'node:crypto';
import { z } from 'zod';
import { oneLine } from '../../core/base/text.js';
import type { McpAddress, McpCall, McpServers } from '../../core/clients/mcp.js';
import { AppError, unusableAnswer } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import { type ConnectionDeps, connectTo, createMcpLine, type McpConnection } from './connection.js';
import { createToolList, type ListedTool, shownFault, type ToolList } from './tools.js';

const IDLE_MS = 5 * 60_000;
/** Of one organisation; past it, those used longest ago are let go of. */
const MOST_SERVERS = 50;

interface McpDeps {
  readonly fetch: typeof fetch;
  readonly log: Logger;
  readonly now?: () => number;
}

interface Known {
  readonly session: McpSession;
  readonly list: ToolList;
}

/** All servers that tools talk to, for every organisation. What one has with a server, no other shares. */
export function createMcpServers(deps: McpDeps) {
  const organizations = new Map<number, Map<string, Known>>();

  return {
    of(organizationId: number): McpServers {
      const known = organizations.get(organizationId) ?? new Map<string, Known>();
      organizations.set(organizationId, known);
      return serversAmong(known, deps);
    },
    async close(): Promise<void> {
      const sessions = [...organizations.values()].flatMap((known) => [...known.values()]);
      organizations.clear();
      await Promise.all(sessions.map(({ session }) => session.close()));
    },
  };
}

function serversAmong(known: Map<string, Known>, deps: McpDeps): McpServers {
  const find = (server: McpAddress): Known => {
    const key = keyOf(server);
    const found = known.get(key) ?? meet(server, deps);
    // Last used, last in the map.
    known.delete(key);
    known.set(key, found);
    const [oldest] = known;
    if (oldest && known.size > MOST_SERVERS) {
      known.delete(oldest[0]);
      void oldest[1].session.close();
    }
    return found;
  };

  return {
    tools: (server, signal) => unlessLeft(find(server).list.read(), signal),
    async call(server, call) {
      const { session, list } = find(server);
      const answer = await session.callTool(call, list.find(call.name)).catch((fault: unknown) => {
        throw shownFault(fault);
      });
      return contentOf(answer);
    },
  };
}

function meet(server: McpAddress, { fetch, log, now = Date.now }: McpDeps): Known {
  const onListChanged = () => {
    list.forget();
  };
  const session = createMcpSession(server, { fetch, onListChanged, idleMs: IDLE_MS });
  const list = createToolList({ ask: session.listTools, now, log });
  return { session, list };
}

/** Where, and with which headers; of these, which hold secrets, only what cannot be read back. */
function keyOf({ url, headers }: McpAddress): string {
  const facts = [url.href, Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1))];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

function unlessLeft<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort);
    });
  });
}

/** A server as one organisation uses it, with one set of headers. */
interface McpSession {
  readonly listTools: () => Promise<readonly ListedTool[]>;
  readonly callTool: (call: McpCall, tool: ListedTool | undefined) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

interface SessionDeps extends ConnectionDeps {
  readonly idleMs: number;
}

function createMcpSession(server: McpAddress, deps: SessionDeps): McpSession {
  const line = createMcpLine(() => connectTo(server, deps), deps.idleMs);

  const use = async <T>(
    work: (connection: McpConnection) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    const wasOpen = line.isOpen();
    try {
      return await line.use(work, signal);
    } catch (fault) {
      // The server has forgotten our session, so it has not done what we asked.
      if (wasOpen && isForgotten(fault)) return await line.use(work, signal);
      throw fault;
    }
  };

  return {
    listTools: () => use((connection) => connection.listTools()),
    callTool: (call, tool) => use((connection) => connection.callTool(call, tool?.inputSchema), call.signal),
    close: line.close,
  };
}

function isForgotten(fault: unknown): boolean {
  return fault instanceof Error && 'status' in fault && fault.status === 404;
}

const LONGEST_ERROR = 1_000;

const Result = z.object({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
});

const Item = z.union([
  z.object({ type: z.literal('text'), text: z.string() }).transform(({ text }) => text),
  z
    .object({ type: z.literal('resource'), resource: z.object({ text: z.string() }) })
    .transform(({ resource }) => resource.text),
  z
    .object({ type: z.string(), mimeType: z.string().optional(), name: z.string().optional() })
    .transform(
      ({ type, mimeType, name }) => `[left out: ${oneLine([type, mimeType ?? name].join(' '), 100)}]`,
    ),
]);

/** What a tool answered, as text; what is no text is named in a line. Throws what the tool itself calls an error. */
function contentOf(answer: unknown): string {
  const result = Result.safeParse(answer);
  if (!result.success) throw unusableAnswer('The MCP server gave an unusable answer.');
  const { content, structuredContent, isError } = result.data;
  const texts = content.map((item) => Item.parse(item));
  const text =
    texts.length === 0 && structuredContent !== undefined
      ? JSON.stringify(structuredContent)
      : texts.join('\n\n');
  if (isError) throw reported(text);
  return text;
}

/** Meant for the model, which may mend its call by it. */
function reported(text: string): AppError {
  return new AppError(`The tool reported an error: ${oneLine(text, LONGEST_ERROR)}`, {
    status: 502,
    type: 'api_error',
    code: 'tool_reported_error',
  });
}
