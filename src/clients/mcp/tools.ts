import { z } from 'zod';
import { oneLine } from '../../core/base/text.js';
import type { McpTool } from '../../core/clients/mcp.js';
import { AppError, upstreamFailed } from '../../core/errors.js';
import { fromJsonSchema, type JsonSchema } from '../../core/json-schema.js';
import { type Logger, errorLocation } from '../../core/log.js';
import { tamedSchema } from './schema.js';

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
      log.warn({ fault: errorLocation(thrown) }, 'an MCP server did not list its tools');
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

const LONGEST_NAME = 128;
const LONGEST_DESCRIPTION = 1_000;
const LARGEST_SCHEMA = 64 * 1024;

/** One page of a list, whose items are judged one by one: a tool that is badly described takes no other with it. */
export const ToolPage = z.object({
  tools: z.array(z.unknown()),
  nextCursor: z.string().max(2_000).optional(),
});

const Described = z.object({
  name: z.string().min(1).max(LONGEST_NAME),
  description: z.string().default(''),
  inputSchema: z.record(z.string(), z.unknown()),
});

/** A tool as we tell of it, and what its server wants told back of it at a call. */
export interface ListedTool extends McpTool {
  readonly inputSchema: JsonSchema;
}

/** Undefined when it cannot be understood. Whose words they are is said first: they may be meant to mislead. */
export function listedTool(found: unknown, host: string): ListedTool | undefined {
  const described = Described.safeParse(found);
  if (!described.success) return undefined;
  const { name, description, inputSchema } = described.data;
  const parameters = tamedSchema(inputSchema);
  if (!parameters || !isUnderstood(parameters) || JSON.stringify(inputSchema).length > LARGEST_SCHEMA)
    return undefined;
  const words = oneLine(description, LONGEST_DESCRIPTION);
  return { name, description: `${host} says of it: ${words}`, parameters, inputSchema };
}

function isUnderstood(parameters: JsonSchema): boolean {
  try {
    fromJsonSchema(parameters);
    return true;
  } catch {
    return false;
  }
}
