import { z } from 'zod';
import { HttpAddress } from '../src/core/base/text.js';
import { forbidden } from '../src/core/errors.js';
import type { JsonSchema } from '../src/core/json-schema.js';
import type { ToolServices } from '../src/core/runs/run-context.js';
import { defineTool } from '../src/core/tool.js';
import { CustomHeaders, filledHeaders } from '../src/tool-kit/http-request.js';

const Config = z.object({
  server: HttpAddress.describe('Where the MCP server listens (streamable HTTP)').meta({
    'x-resource': 'mcp-server',
  }),
  tools: z
    .array(z.string().min(1).max(128))
    .min(1, 'name at least one tool of the server')
    .max(64)
    .describe('The tools of the server that may be used, by the names it gives them; no others ever are'),
  headers: CustomHeaders,
  prefix: z
    .string()
    .regex(
      /^[A-Za-z][A-Za-z0-9_-]{0,31}$/,
      'must begin with a letter and have at most 32 letters, digits, "_" or "-"',
    )
    .default('mcp')
    .describe('What the names of its functions begin with'),
});
type Config = z.output<typeof Config>;

export default defineTool({
  name: 'mcp',
  title: 'MCP server',
  description: 'Uses tools of another server over the Model Context Protocol.',
  category: 'custom',
  version: '1.0.0',
  danger: 'external',
  repeatable: true,

  config: Config,
  args: z.looseObject({}),

  async functions(config, ctx) {
    const offered = await ctx.mcp.tools(addressOf(config, ctx), ctx.signal);
    const { hide } = ctx.secrets;
    return [...new Set(config.tools)].flatMap((name) => {
      const tool = offered.find((each) => each.name === name);
      if (!tool) return [];
      const parameters = JSON.parse(hide(JSON.stringify(tool.parameters))) as JsonSchema;
      const description = hide(tool.description);
      return [{ name: functionName(config, name), label: name, description, parameters }];
    });
  },
  subject: ({ prefix }) => Promise.resolve({ name: prefix }),
  touches: () => [],
  status: (_args, _config, subject) => `calling ${subject.name}`,

  async run(args, config, ctx) {
    const name = config.tools.find((each) => functionName(config, each) === ctx.functionName);
    if (name === undefined) throw forbidden('This tool of the server may not be used.');
    const content = await ctx.mcp.call(addressOf(config, ctx), {
      name,
      args,
      signal: ctx.signal,
      progress: (percent) => {
        ctx.progress(`waiting for ${name}`, percent, { what: 'waiting', subject: name });
      },
    });
    return { content };
  },
});

function functionName({ prefix }: Config, tool: string): string {
  return `${prefix}_${tool}`;
}

function addressOf({ server, headers }: Config, { secrets }: Pick<ToolServices, 'secrets'>) {
  const url = new URL(server);
  return { url, headers: filledHeaders(headers, url, secrets) };
}
