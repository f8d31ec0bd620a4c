import type {
  CallToolResult,
  InputRequiredResult,
  ListToolsResult,
  ServerContext,
  Transport,
} from '@modelcontextprotocol/server';
import { denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { AppError } from '../../core/errors.js';
import { createAssistantLookup, type LookupDeps } from '../assistants/lookup.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import { type AssistantToolDeps, createAssistantTools } from './assistant-tools.js';
import { type AskingDeps, createAsking } from './asking.js';
import { type McpExchange, progressTeller, refusalOf } from './call.js';
import { createDirectTools, type DirectToolDeps } from './direct-tools.js';
import type { FaultDeps, McpFaults } from './faults.js';
import { pageFrom } from './pages.js';

/** What a client came back with was not handed out to it: a fault of the protocol, and no tool's. */
const UNKNOWN_QUESTION = 'unknown_question';

export interface ToolDeskDeps extends LookupDeps, DirectToolDeps, AssistantToolDeps, AskingDeps, FaultDeps {}

interface WantedTool {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

export interface CallPlace {
  readonly ctx: ServerContext;
  /** Where the server may ask while it answers: in revisions that know that. */
  readonly transport: Transport | undefined;
}

/** All that can be called: the installed tools first, then the caller's assistants. */
export interface ToolDesk {
  list(caller: Caller, cursor: string | undefined): Promise<ListToolsResult>;
  call(
    wanted: WantedTool,
    exchange: McpExchange,
    at: CallPlace,
  ): Promise<CallToolResult | InputRequiredResult>;
}

export function createToolDesk(deps: ToolDeskDeps, faults: McpFaults): ToolDesk {
  const direct = createDirectTools(deps);
  const directNames = new Set(direct.list.map(({ name }) => name));
  const assistants = createAssistantTools(deps);
  const find = createAssistantLookup(deps);

  return {
    async list(caller, cursor) {
      const pages = (page: Parameters<typeof assistants.page>[1]) => assistants.page(caller, page);
      const { data: tools, ...next } = await pageFrom(pages, {
        cursor,
        head: mayRunTools(caller) ? direct.list : [],
      });
      return { tools, ...next };
    },
    async call({ name, arguments: given = {} }, exchange, { ctx, transport }) {
      const { caller, runId, traceparent } = exchange;
      const id = assistants.idIn(name);
      const assistant = id === undefined ? undefined : await visible(id, caller);
      const isThere = assistant !== undefined || (directNames.has(name) && mayRunTools(caller));
      if (!isThere) throw await refusal(name, exchange);
      const redactor = deps.redactor.of(caller.organizationId);
      const tell = progressTeller(ctx, redactor);
      try {
        return await exchange.during(ctx.mcpReq.id, (signal) => {
          const call = { caller, runId, traceparent, signal, tell };
          if (!assistant) return direct.call(name, given, call);
          const asking = createAsking({ exchange, ctx, transport, assistant, redactor }, deps);
          return assistants.call(assistant.id, given, { ...call, asking });
        });
      } catch (thrown) {
        if (thrown instanceof AppError && thrown.code === UNKNOWN_QUESTION) throw thrown;
        return refusalOf(redactor.redact(faults.shown(thrown).message), runId);
      }
    },
  };

  /** Students meet tools where a teacher has put them, which is in an assistant. */
  function mayRunTools({ role }: Caller): boolean {
    return role !== 'student';
  }

  /** That somebody tried an assistant which is not theirs is kept by the lookup. */
  async function visible(id: number, caller: Caller): Promise<Assistant | undefined> {
    try {
      return await find.toSee(id, caller, 'chat');
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.status < 500) return undefined;
      throw thrown;
    }
  }

  async function refusal(name: string, { caller, runId }: McpExchange) {
    if (deps.plugins.tools.has(name)) {
      const facts = { action: 'run a tool', resource: `tool ${name}`, reason: 'not offered over MCP', runId };
      await deps.audit.record(denialOf(caller, facts));
    }
    return faults.unknown('Tool', name);
  }
}
