import type { McpConnection } from './connection.js';

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
