import { AppError, upstreamFailed } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import { whereItBroke } from '../../core/where-it-broke.js';
import type { ListedTool } from './mcp-tools.js';

const MINUTE = 60_000;
/** How long a list is taken as it is; how long an older one is better than none; how soon a failed server is asked again. */
const FRESH_MS = 5 * MINUTE;
const USABLE_MS = 60 * MINUTE;
const FAILED_MS = MINUTE / 4;

/** What one server offers, remembered. */
export interface ToolList {
  read(): Promise<readonly ListedTool[]>;
  /** As remembered, without asking. */
  find(name: string): ListedTool | undefined;
  forget(): void;
}

interface ListDeps {
  readonly ask: () => Promise<readonly ListedTool[]>;
  readonly now: () => number;
  readonly log: Logger;
}

export function createToolList({ ask, now, log }: ListDeps): ToolList {
  let list: { readonly tools: readonly ListedTool[]; readonly at: number } | undefined;
  let failed: { readonly fault: AppError; readonly at: number } | undefined;
  let asking: Promise<readonly ListedTool[]> | undefined;

  const askAnew = async (): Promise<readonly ListedTool[]> => {
    try {
      const tools = await ask();
      list = { tools, at: now() };
      failed = undefined;
      return tools;
    } catch (thrown) {
      failed = { fault: shownFault(thrown), at: now() };
      log.warn({ fault: whereItBroke(thrown) }, 'an MCP server did not list its tools');
      throw failed.fault;
    } finally {
      asking = undefined;
    }
  };
  const askOnce = () => (asking ??= askAnew());

  return {
    async read() {
      const age = list ? now() - list.at : Infinity;
      if (list && age < FRESH_MS) return list.tools;
      const justFailed = failed && now() - failed.at < FAILED_MS ? failed : undefined;
      if (list && age < USABLE_MS) {
        if (!justFailed) askOnce().catch(() => undefined);
        return list.tools;
      }
      if (justFailed) throw justFailed.fault;
      return await askOnce();
    },
    find: (name) => list?.tools.find((tool) => tool.name === name),
    forget() {
      list = undefined;
    },
  };
}

/** The library's messages quote what the server wrote. */
export function shownFault(fault: unknown): AppError {
  for (let cause = fault; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AppError) return cause;
  }
  return upstreamFailed('The MCP server', fault);
}
