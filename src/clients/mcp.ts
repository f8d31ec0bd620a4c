import { createHash } from 'node:crypto';
import { AppError, upstreamFailed } from '../core/errors.js';
import type { Logger } from '../core/log.js';
import type { McpAddress, McpServers } from '../core/mcp.js';
import { whereItBroke } from '../core/where-it-broke.js';
import { contentOf } from './mcp-content.js';
import { createMcpSession, type McpSession } from './mcp-session.js';
import type { ListedTool } from './mcp-tools.js';

const MINUTE = 60_000;
/** How long a list is taken as it is; how long an older one is better than none; how soon a failed server is tried again. */
const FRESH_MS = 5 * MINUTE;
const USABLE_MS = 60 * MINUTE;
const FAILED_MS = MINUTE / 4;
const IDLE_MS = 5 * MINUTE;
const MOST_SERVERS = 200;
const WHO = 'The MCP server';

interface McpDeps {
  readonly fetch: typeof fetch;
  readonly log: Logger;
  readonly now?: () => number;
}

interface Known {
  readonly session: McpSession;
  list?: { readonly tools: readonly ListedTool[]; readonly at: number };
  asking?: Promise<readonly ListedTool[]> | undefined;
  failed?: { readonly fault: AppError; readonly at: number } | undefined;
}

/** All servers that tools talk to, for every organisation. What one has with a server, no other shares. */
export function createMcpServers({ fetch, log, now = Date.now }: McpDeps) {
  const known = new Map<string, Known>();

  const find = (organizationId: number, server: McpAddress): Known => {
    const key = keyOf(organizationId, server);
    const found = known.get(key) ?? meet(server);
    // Last used, last in the map.
    known.delete(key);
    known.set(key, found);
    for (const [oldest, { session }] of known) {
      if (known.size <= MOST_SERVERS) break;
      known.delete(oldest);
      void session.close();
    }
    return found;
  };
  const meet = (server: McpAddress): Known => {
    const onListChanged = () => {
      delete made.list;
    };
    const made: Known = { session: createMcpSession(server, { fetch, onListChanged, idleMs: IDLE_MS }) };
    return made;
  };
  const ask = (of: Known): Promise<readonly ListedTool[]> =>
    (of.asking ??= of.session
      .listTools()
      .then((tools) => {
        of.list = { tools, at: now() };
        of.failed = undefined;
        return tools;
      })
      .catch((fault: unknown) => {
        of.failed = { fault: shown(fault), at: now() };
        log.warn({ fault: whereItBroke(fault) }, 'an MCP server did not list its tools');
        throw of.failed.fault;
      })
      .finally(() => {
        of.asking = undefined;
      }));
  const toolsOf = async (of: Known): Promise<readonly ListedTool[]> => {
    const age = of.list ? now() - of.list.at : Infinity;
    if (of.list && age < FRESH_MS) return of.list.tools;
    const hasJustFailed = of.failed && now() - of.failed.at < FAILED_MS;
    if (of.list && age < USABLE_MS) {
      if (!hasJustFailed) ask(of).catch(() => undefined);
      return of.list.tools;
    }
    if (hasJustFailed && of.failed) throw of.failed.fault;
    return await ask(of);
  };

  const serversOf = (organizationId: number): McpServers => ({
    tools: (server, signal) => unlessLeft(toolsOf(find(organizationId, server)), signal),
    async call(server, call) {
      const of = find(organizationId, server);
      const tool = of.list?.tools.find(({ name }) => name === call.name);
      const answer = await of.session.callTool(call, tool).catch((fault: unknown) => {
        throw shown(fault);
      });
      return contentOf(answer);
    },
  });

  return {
    of: serversOf,
    async close(): Promise<void> {
      const sessions = [...known.values()].map(({ session }) => session);
      known.clear();
      await Promise.all(sessions.map((session) => session.close()));
    },
  };
}

/** By whom, where and with which headers; of the headers, which hold secrets, only what cannot be read back. */
function keyOf(organizationId: number, { url, headers }: McpAddress): string {
  const facts = [organizationId, url.href, Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1))];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/** The library's messages quote what the server wrote. */
function shown(fault: unknown): AppError {
  for (let cause = fault; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AppError) return cause;
  return upstreamFailed(WHO, fault);
}

function unlessLeft<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort);
    });
  });
}
