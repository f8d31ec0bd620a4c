import type { CallToolResult, InputRequiredResult, Tool as McpTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { collect } from '../../../agents/base/collect.js';
import type { RunAssistant } from '../../../agents/run-assistant.js';
import type { Caller } from '../../core/access/caller.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import { seenBy } from '../../core/assistants/served.js';
import type { Page, PageRequest } from '../../core/base/ids.js';
import { safeLabel } from '../../core/base/text.js';
import type { LookupDeps } from '../assistants/lookup.js';
import { faultsOf } from '../middleware/json-body.js';
import type { Asking } from './asking.js';
import { type McpCall, refusalOf, resultOf } from './call.js';

const PREFIX = 'call_assistant_';

export type AssistantToolDeps = Pick<LookupDeps, 'assistants' | 'policy'> & {
  readonly runAssistant: RunAssistant;
};

/** By somebody who may be asked to approve what the assistant wants to do. */
export interface AssistantCall extends McpCall {
  readonly asking: Asking;
}

export interface AssistantTools {
  /** Those the caller may chat with now. */
  page(caller: Caller, page: PageRequest): Promise<Page<McpTool>>;
  /** The id in a name such as `call_assistant_7`. */
  idIn(name: string): number | undefined;
  call(id: number, given: unknown, call: AssistantCall): Promise<CallToolResult | InputRequiredResult>;
}

const Input = z.strictObject({
  query: z.string().min(1, 'must not be empty').describe('The question, complete in itself'),
  conversation_id: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Keeps the exchange: "new" begins a conversation, an id goes on with one'),
});
const INPUT_SCHEMA = z.toJSONSchema(Input, { io: 'input' }) as McpTool['inputSchema'];

const Output = z.object({
  answer: z.string(),
  sources: z.array(
    z.looseObject({
      n: z.number().int().describe('The number by which the answer cites it, like [1]'),
      title: z.string(),
      url: z.string().optional(),
      cited: z.boolean(),
    }),
  ),
  run_id: z.string(),
  conversation_id: z.string().optional().describe('Goes on with the conversation, where one is kept'),
});
// Without the name of a dialect: clients know different ones, and what is used here is the same in all.
const { $schema: _dialect, ...OUTPUT_SCHEMA } = z.toJSONSchema(Output);

/** Assistants as tools. A call is a chat: the same access, cost and record. */
export function createAssistantTools({
  assistants,
  policy,
  runAssistant,
}: AssistantToolDeps): AssistantTools {
  return {
    async page(caller, page) {
      const { data, nextCursor } = await assistants.list(policy.visibleTo(caller), {}, page);
      const offered = data.filter(({ enabled }) => enabled);
      const seen = await Promise.all(offered.map((each) => seenBy(caller, each, { assistants, policy })));
      return { data: seen.map(describe), nextCursor };
    },
    idIn: (name) => idAfter(PREFIX, name),
    async call(id, given, { caller, runId: named, traceparent, signal, tell, asking }) {
      const input = Input.safeParse(given);
      if (!input.success) {
        return refusalOf(`The arguments do not fit. ${faultsOf(input.error).join('; ')}`, named);
      }
      const { query, conversation_id } = input.data;
      const answers = await asking.cameBackWith();
      if (answers && 'resultType' in answers) return answers;
      const { runId, conversationId, start } = await runAssistant({
        ...{ runId: named, caller, traceparent, signal, model: String(id) },
        chat: [{ role: 'user', content: query }],
        sampling: {},
        conversationId: conversation_id,
        ...(answers ? { answers } : {}),
        mayAsk: asking.mayAsk,
      });
      const { text, ending } = await collect(start, (event) => {
        tell(event);
        asking.tell(event);
      });
      if (ending.questions) return asking.later(ending.questions);
      const { sources } = ending;
      const kept = conversationId === undefined ? {} : { conversation_id: conversationId };
      const data = { answer: text, sources, run_id: runId, ...kept };
      return resultOf({ text, sources, runId, conversationId, data });
    },
  };
}

/** The number after a prefix, written as ids are. */
export function idAfter(prefix: string, name: string): number | undefined {
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : undefined;
}

/** The tool that asks this assistant. */
export const callName = (id: number) => `${PREFIX}${String(id)}`;

function describe({ id, name, description }: Assistant): McpTool {
  return {
    name: callName(id),
    title: safeLabel(name),
    description: description === '' ? `Asks the assistant "${safeLabel(name)}".` : description,
    inputSchema: INPUT_SCHEMA,
    outputSchema: OUTPUT_SCHEMA,
  };
}
