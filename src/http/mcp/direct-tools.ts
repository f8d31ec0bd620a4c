import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/server';
import type { RunOneTool } from '../../../agents/run/one-tool.js';
import { isRecord } from '../../core/base/json.js';
import { type JsonSchema, toJsonSchema } from '../../core/json-schema.js';
import type { Plugins } from '../../core/plugins.js';
import { type AnyTool, modelArgs } from '../../core/tool.js';
import { type McpCall, refusalOf, resultOf } from './call.js';

export interface DirectToolDeps {
  readonly plugins: Plugins;
  readonly runOneTool: RunOneTool;
}

export interface DirectTools {
  readonly list: readonly McpTool[];
  call(name: string, given: Readonly<Record<string, unknown>>, call: McpCall): Promise<CallToolResult>;
}

/** The installed tools that anybody may call by themselves. */
export function createDirectTools({ plugins, runOneTool }: DirectToolDeps): DirectTools {
  return {
    list: [...plugins.tools.values()].filter(isOffered).map(describe),
    async call(tool, { config = {}, ...args }, { tell, ...call }) {
      if (!isRecord(config))
        return refusalOf('The configuration does not fit. config: must be an object', call.runId);
      const { start } = await runOneTool({ ...call, tool, config, args: JSON.stringify(args) });
      const ending = await start((event) => {
        tell(event);
        return undefined;
      });
      if (!ending.ok) return refusalOf(ending.text, call.runId);
      const { output } = plugins.tools.get(tool) ?? {};
      // Clients hold a result to the form that was told, and would refuse it with worse words.
      if (output && !output.safeParse(ending.data).success) {
        return refusalOf('The tool brought nothing of the form that it promises.', call.runId);
      }
      return resultOf({ ...ending, runId: call.runId });
    },
  };
}

/** Assistants are offered one by one, under their own names. */
const OFFERED_OTHERWISE = 'assistant';

/** What writes or acts outside needs an owner's approval, and what depends on a configuration has no shape of its own. */
function isOffered(tool: AnyTool): boolean {
  const { name, danger, asFunction, args } = tool;
  return (
    danger === 'read' && asFunction !== undefined && name !== OFFERED_OTHERWISE && !('config' in args.shape)
  );
}

function describe(tool: AnyTool): McpTool {
  const { name, title, description, output } = tool;
  return {
    ...{ name, title, description, inputSchema: inputOf(tool), annotations: { readOnlyHint: true } },
    ...(output ? { outputSchema: objectSchema(output).schema } : {}),
  };
}

/** The model's arguments, and beside them what an assistant's author would set. */
function inputOf(tool: AnyTool): McpTool['inputSchema'] {
  const args = objectSchema(modelArgs(tool));
  const config = objectSchema(tool.config);
  const hasConfig = Object.keys(config.properties).length > 0;
  const required = [...args.required, ...(hasConfig && config.required.length > 0 ? ['config'] : [])];
  return {
    type: 'object',
    properties: { ...args.properties, ...(hasConfig ? { config: config.schema } : {}) },
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  } as McpTool['inputSchema'];
}

function objectSchema(zodSchema: unknown) {
  const { $schema: _dialect, ...schema } = toJsonSchema(zodSchema);
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return { schema, properties, required };
}
