import type { McpServer, ProtocolEra, ProtocolError } from '@modelcontextprotocol/server';
import { type AssistantPromptDeps, createAssistantPrompts } from './assistant-prompts.js';
import type { McpExchange } from './call.js';
import { createMcpFaults } from './faults.js';
import { pageFrom } from './pages.js';
import { createToolDesk, type ToolDeskDeps } from './tool-list.js';

/** The parts of the SDK that are needed here; it is loaded when the first client comes. */
export interface McpSdk {
  readonly McpServer: typeof McpServer;
  readonly ProtocolError: typeof ProtocolError;
}

export interface McpServerDeps extends ToolDeskDeps, AssistantPromptDeps {}

const IDENTITY = { name: 'bellwether', title: 'Bellwether', version: '0.1.0' };
const INSTRUCTIONS =
  'Learning assistants and the tools they work with. Ask an assistant with call_assistant_<id>; the other tools can be called by themselves.';

/** Makes the server of one request. What it offers is asked for anew, by that caller's rights as they are now. */
export function createMcpServer(
  sdk: McpSdk,
  deps: McpServerDeps,
): (exchange: McpExchange, era: ProtocolEra) => McpServer {
  const faults = createMcpFaults(sdk.ProtocolError, deps);
  const desk = createToolDesk(deps, faults);
  const asPrompts = createAssistantPrompts(deps);

  return (exchange, era) => {
    const { caller, runId } = exchange;
    const capabilities = { tools: {}, prompts: {} };
    const whole = new sdk.McpServer(IDENTITY, { capabilities, instructions: INSTRUCTIONS });
    // Below its registry: thousands of assistants are not registered to answer one request.
    const { server } = whole;

    server.setRequestHandler('tools/list', ({ params }) => safely(desk.list(caller, params?.cursor)));
    server.setRequestHandler('tools/call', ({ params }, ctx) => {
      const transport = era === 'legacy' ? server.transport : undefined;
      return safely(desk.call(params, exchange, { ctx, transport }));
    });
    server.setRequestHandler('prompts/list', async ({ params }) => {
      const pages = (page: Parameters<typeof asPrompts.page>[1]) => asPrompts.page(caller, page);
      const { data: prompts, ...next } = await safely(pageFrom(pages, { cursor: params?.cursor }));
      return { prompts, ...next };
    });
    server.setRequestHandler('prompts/get', async ({ params: { name, arguments: given } }, ctx) => {
      const work = (signal: AbortSignal) => asPrompts.get(name, given, { caller, runId, signal });
      const prompt = await safely(exchange.during(ctx.mcpReq.id, work));
      if (!prompt) throw faults.unknown('Prompt', name);
      return prompt;
    });
    return whole;
  };

  async function safely<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (thrown) {
      throw faults.asProtocolError(thrown);
    }
  }
}
