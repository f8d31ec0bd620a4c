import { invokeTool } from '../../agents/gate/invoke-tool.js';
import type { ToolOutcome } from '../../agents/gate/invocation.js';
import { openToolbox } from '../../agents/gate/toolbox.js';
import type { ToolEntry } from '../../src/core/assistants/assistant.js';
import type { StatusEvent } from '../../src/core/runs/event.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import type { AnyTool } from '../../src/core/tool.js';
import { aContext, anEntry } from './run-context.js';

export interface CallOptions {
  /** What the author set: `config`, `approval`, `mode` and whatever else an entry holds. */
  readonly entry?: Partial<ToolEntry>;
  readonly context?: RunContext;
  /** One of several, by the name the model sees. */
  readonly functionName?: string;
}

export interface Called {
  readonly outcome: ToolOutcome;
  readonly events: readonly StatusEvent[];
}

/**
 * Calls a tool as a model would: laid out for an assistant that holds it, then through the gate, with everything that
 * a real run checks. In `placeholder` mode the arguments come from the chat, and `args` is not looked at.
 */
export async function callTool(
  tool: AnyTool,
  args: object | string = {},
  { entry, context = aContext(), functionName }: CallOptions = {},
): Promise<Called> {
  const ctx = holding(anEntry({ type: tool.name, ...entry }), context);
  const { functions, placeholders } = await openToolbox(new Map([[tool.name, tool]]), ctx);
  const [placeholder] = placeholders;
  const ready = placeholder
    ? placeholder.ready
    : functions.get(functionName ?? [...functions.keys()][0] ?? '');
  const events: StatusEvent[] = [];
  const outcome = await invokeTool(
    {
      ready,
      ...(placeholder
        ? {
            site: { kind: 'placeholder', placeholder: placeholder.placeholder, callId: 'call_1' },
            args: { fromChat: ready?.tool.argsFromChat?.(ctx.chat, ready.config) },
          }
        : {
            site: { kind: 'tool', iteration: 1, callId: 'call_1' },
            args: { fromModel: typeof args === 'string' ? args : JSON.stringify(args) },
          }),
    },
    ctx,
    (event) => void events.push(event),
  );
  return { outcome, events };
}

/** What the model is told of the tool's functions. */
export async function specsOf(tool: AnyTool, entry: Partial<ToolEntry> = {}) {
  const ctx = holding(anEntry({ type: tool.name, ...entry }), aContext());
  return (await openToolbox(new Map([[tool.name, tool]]), ctx)).specs;
}

function holding(entry: ToolEntry, context: RunContext): RunContext {
  const { assistant } = context;
  return { ...context, assistant: { ...assistant, setup: { ...assistant.setup, tools: [entry] } } };
}
