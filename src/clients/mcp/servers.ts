import { createHash } from 'node:crypto';
import type { McpAddress, McpServers } from '../../core/clients/mcp.js';
import type { Logger } from '../../core/log.js';
import { contentOf } from './mcp-content.js';
import { createMcpSession, type McpSession } from './mcp-session.js';
import { createToolList, shownFault, type ToolList } from './tools.js';

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
