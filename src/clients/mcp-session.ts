import type { McpAddress, McpCall } from '../core/mcp.js';
import { connectTo, type ConnectionDeps, type McpConnection } from './mcp-connection.js';
import type { ListedTool } from './mcp-tools.js';

/** A server as one organisation uses it: connected when needed, let go of when idle. */
export interface McpSession {
  listTools(): Promise<readonly ListedTool[]>;
  callTool(call: McpCall, tool: ListedTool | undefined): Promise<unknown>;
  close(): Promise<void>;
}

interface SessionDeps extends ConnectionDeps {
  readonly idleMs: number;
}

interface Line {
  readonly connection: Promise<McpConnection>;
  busy: number;
}

export function createMcpSession(server: McpAddress, deps: SessionDeps): McpSession {
  let line: Line | undefined;
  let idle: NodeJS.Timeout | undefined;

  const hangUp = async ({ connection }: Line) => {
    await connection.then((open) => open.close()).catch(() => undefined);
  };
  const letGoWhenIdle = (which: Line) => {
    if (which.busy > 0) return;
    clearTimeout(idle);
    // Replaced meanwhile: nobody will ask on it again.
    if (line !== which) void hangUp(which);
    else idle = setTimeout(letGo, deps.idleMs, which).unref();
  };
  const letGo = (which: Line) => {
    if (line !== which || which.busy > 0) return;
    line = undefined;
    void hangUp(which);
  };

  const use = async <T>(
    work: (connection: McpConnection) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    const used = (line ??= { connection: connectTo(server, deps), busy: 0 });
    used.busy += 1;
    try {
      return await work(await used.connection);
    } catch (fault) {
      // Unless it was us, or a plain no, the next call starts with a connection that has not seen it.
      if (line === used && signal?.aborted !== true && !isAnswer(fault)) line = undefined;
      throw fault;
    } finally {
      used.busy -= 1;
      letGoWhenIdle(used);
    }
  };
  const useAgain: typeof use = async (work, signal) => {
    const wasOpen = line !== undefined;
    try {
      return await use(work, signal);
    } catch (fault) {
      // The server has forgotten our session, so it has not done what we asked.
      if (wasOpen && isForgotten(fault)) return await use(work, signal);
      throw fault;
    }
  };

  return {
    listTools: () => useAgain((connection) => connection.listTools()),
    callTool: (call, tool) =>
      useAgain((connection) => connection.callTool(call, tool?.inputSchema), call.signal),
    async close() {
      clearTimeout(idle);
      const open = line;
      line = undefined;
      if (open) await hangUp(open);
    },
  };
}

/** An error that the server wrote has a number; one of the library's has a name. */
function isAnswer(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && typeof fault.code === 'number';
}

function isForgotten(fault: unknown): boolean {
  return fault instanceof Error && 'status' in fault && fault.status === 404;
}
