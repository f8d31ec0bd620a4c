import { z } from 'zod';
import { oneLine } from '../../core/base/text.js';
import type { McpTool } from '../../core/clients/mcp.js';
import { fromJsonSchema, type JsonSchema } from '../../core/json-schema.js';
import { tamedSchema } from './schema.js';

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
