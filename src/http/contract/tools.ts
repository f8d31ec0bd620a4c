import { z } from 'zod';
import { ProviderFacts } from './admin.js';
import { FieldFault } from './common.js';
import type { Told } from './common.js';

/** What the routes of what is installed answer with. */

const JsonSchema = z.record(z.string(), z.unknown()).describe('A JSON Schema.');

export const ToolDescription = z.object({
  name: z.string(),
  display_name: z.string(),
  description: z.string(),
  placeholder: z.string().nullable().describe('What stands for it in a prompt.'),
  category: z.string(),
  version: z.string(),
  function_name: z.string().nullable().describe('What models call it by.'),
  config_schema: JsonSchema,
  args_schema: JsonSchema,
  danger: z.enum(['read', 'write', 'external']),
  repeatable: z.boolean().describe('Whether an assistant may hold it more than once.'),
  modes: z.array(z.enum(['placeholder', 'function'])),
  needs: z.array(z.string()).describe('Tools without which it is of little use.'),
  recommended_with: z.array(z.string()).describe('Tools that go well with it.'),
  presets: z
    .array(z.object({ name: z.string(), title: z.string(), config: z.record(z.string(), z.unknown()) }))
    .describe('Ready-made settings to begin with.'),
});
export type ToolDescription = Told<typeof ToolDescription>;

export const ToolList = z.object({ tools: z.array(ToolDescription), count: z.number() });

export const ConnectorDescription = z.object({
  name: z.string(),
  title: z.string(),
  configured: z.boolean(),
  supports_functions: z.boolean(),
  available_llms: z.array(z.string()),
});
export type ConnectorDescription = Told<typeof ConnectorDescription>;

export const Installed = z
  .object({
    prompt_processors: z.array(z.string()),
    connectors: z.record(z.string(), ConnectorDescription),
    providers: z.array(ProviderFacts),
    rag_processors: z.array(z.string()),
    tools: z.array(ToolDescription),
  })
  .describe('What an assistant can be made of.');

export const ConfigVerdict = z.object({
  valid: z.boolean(),
  errors: z.array(z.string()),
  faults: z.array(FieldFault).exactOptional(),
});
