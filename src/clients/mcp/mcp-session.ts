import type { McpAddress, McpCall } from '../../core/clients/mcp.js';
import { connectTo, type ConnectionDeps, type McpConnection } from './connection.js';
import { createMcpLine } from './mcp-line.js';
import type { ListedTool } from './mcp-tools.js';

/** A server as one organisation uses it, with one set of headers. */
export interface McpSession {
  readonly listTools: () => Promise<readonly ListedTool[]>;
  readonly callTool: (call: McpCall, tool: ListedTool | undefined) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

interface SessionDeps extends ConnectionDeps {
  readonly idleMs: number;
}

export function createMcpSession(server: McpAddress, deps: SessionDeps): McpSession {
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
