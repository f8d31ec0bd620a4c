import { annotationsIn } from '../../../agents/gate/citations.js';
import { type Assistant, modelIdOf } from '../../core/assistants/assistant.js';
import type { Hiding } from '../../core/base/redactor.js';
import type { ToolCall } from '../../core/message.js';
import type { Answer, Ending, StatusEvent, Usage } from '../../core/runs/event.js';
import type { Frames } from '../chat/openai-wire.js';
import { errorBody } from '../middleware/error-handler.js';
import type { ResponseBody } from './request.js';

export interface ResponseFacts {
  readonly id: string;
  readonly createdAt: number;
  readonly assistant: Pick<Assistant, 'id'>;
  readonly body: ResponseBody;
  readonly showsSteps: boolean;
  readonly redactor: Hiding;
}

/** One answer as the events of the Open Responses specification, in its order. */
export function createResponseFrames(facts: ResponseFacts): Frames {
  const { id, redactor, showsSteps } = facts;
  const messageId = id.replace(/^resp_/, 'msg_');
  let sequence = 0;
  let text = '';
  let messageAt = -1;
  const output: object[] = [];

  const event = (type: string, rest: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...rest })}\n\n`;
  const whole = (rest: object) => ({ response: responseObject(facts, rest) });
  const place = () => ({ item_id: messageId, output_index: messageAt, content_index: 0 });
  const open = () => {
    if (messageAt >= 0) return '';
    messageAt = output.push({}) - 1;
    const item = messageItem(messageId, [], 'in_progress');
    return (
      event('response.output_item.added', { output_index: messageAt, item }) +
      event('response.content_part.added', { ...place(), part: textPart('', []) })
    );
  };
  const close = (ending: Ending) => {
    const annotations = annotationsIn(text, ending.sources);
    const part = textPart(text, annotations);
    const item = messageItem(messageId, [part], statusOf(ending));
    output[messageAt] = item;
    return [
      ...annotations.map((annotation, annotation_index) =>
        event('response.output_text.annotation.added', { ...place(), annotation_index, annotation }),
      ),
      event('response.output_text.done', { ...place(), text, logprobs: [] }),
      event('response.content_part.done', { ...place(), part }),
      event('response.output_item.done', { output_index: messageAt, item }),
    ].join('');
  };
  const called = (call: ToolCall) => {
    const item = callItem(call);
    const output_index = output.push(item) - 1;
    const at = { item_id: item.id, output_index };
    return [
      event('response.output_item.added', {
        output_index,
        item: { ...item, arguments: '', status: 'in_progress' },
      }),
      event('response.function_call_arguments.delta', { ...at, delta: call.arguments }),
      event('response.function_call_arguments.done', { ...at, name: call.name, arguments: call.arguments }),
      event('response.output_item.done', { output_index, item }),
    ].join('');
  };

  return {
    role() {
      const begun = whole({ status: 'in_progress', output: [], usage: null });
      return event('response.created', begun) + event('response.in_progress', begun);
    },
    text(delta) {
      const opened = open();
      text += delta;
      return opened + event('response.output_text.delta', { ...place(), delta, logprobs: [] });
    },
    status(told) {
      const item = showsSteps ? stepItem(told, redactor) : undefined;
      if (!item) return '';
      const output_index = output.push(item) - 1;
      return (
        event('response.output_item.added', { output_index, item }) +
        event('response.output_item.done', { output_index, item })
      );
    },
    heartbeat: () => ': waiting\n\n',
    end(ending) {
      const { calls = [] } = ending;
      // An answer without a word is a message all the same, unless it is calls.
      const said = calls.length === 0 ? open() : '';
      const closed = messageAt >= 0 ? close(ending) : '';
      const handed = calls.map(called).join('');
      const { status, ...rest } = endOf(ending);
      const type = status === 'incomplete' ? 'response.incomplete' : 'response.completed';
      return said + closed + handed + event(type, whole({ status, ...rest, output }));
    },
    usage: () => '',
    error(fault) {
      const { error } = errorBody(fault, redactor) as { error: { code: string; message: string } };
      const told = { code: error.code, message: error.message };
      return (
        event('response.failed', whole({ status: 'failed', error: told, output: [], usage: null })) + DONE
      );
    },
    done: () => DONE,
  };
}

const DONE = 'data: [DONE]\n\n';

/** The same whole, for clients that do not stream. */
export function responseOf(
  facts: ResponseFacts,
  { text, ending }: Answer,
  steps: readonly StatusEvent[],
): object {
  const { calls = [] } = ending;
  const part = textPart(text, annotationsIn(text, ending.sources));
  const message = messageItem(facts.id.replace(/^resp_/, 'msg_'), [part], statusOf(ending));
  const output = [
    ...(facts.showsSteps ? steps.flatMap((told) => stepItem(told, facts.redactor) ?? []) : []),
    ...(text === '' && calls.length > 0 ? [] : [message]),
    ...calls.map(callItem),
  ];
  return responseObject(facts, { ...endOf(ending), output });
}

function endOf(ending: Ending) {
  const reason = INCOMPLETE.get(ending.finishReason);
  return {
    status: statusOf(ending),
    completed_at: reason === undefined ? seconds(Date.now()) : null,
    incomplete_details: reason === undefined ? null : { reason },
    usage: usageOf(ending.usage),
  };
}

const statusOf = ({ finishReason }: Ending) => (INCOMPLETE.has(finishReason) ? 'incomplete' : 'completed');

export const seconds = (ms: number) => Math.floor(ms / 1000);

export const INCOMPLETE = new Map<string, string>([
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
]);

export function responseObject(
  { id, createdAt, assistant, body }: Pick<ResponseFacts, 'id' | 'createdAt' | 'assistant' | 'body'>,
  rest: object,
): object {
  return {
    id,
    object: 'response',
    created_at: createdAt,
    status: 'completed',
    background: false,
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: null,
    metadata: body.metadata ?? {},
    model: modelIdOf(assistant.id),
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: { effort: body.reasoning?.effort ?? null, summary: null },
    service_tier: 'default',
    store: body.store ?? true,
    ...{ presence_penalty: body.presence_penalty ?? 0, frequency_penalty: body.frequency_penalty ?? 0 },
    ...{ temperature: body.temperature ?? 1, top_p: body.top_p ?? 1, top_logprobs: 0 },
    ...{ safety_identifier: null, prompt_cache_key: null },
    text: { format: formatOf(body.text?.format) },
    tool_choice: body.tool_choice ?? 'auto',
    tools: (body.tools ?? []).map(toolOf),
    truncation: body.truncation ?? 'disabled',
    usage: null,
    user: null,
    ...rest,
  };
}

/** With every key that the specification has, also those that a client may leave out. */
const toolOf = (tool: object) => ({ description: null, parameters: null, strict: null, ...tool });

function formatOf(format: NonNullable<ResponseBody['text']>['format']): object {
  if (format == null) return { type: 'text' };
  return format.type === 'json_schema' ? { description: null, strict: false, ...format } : format;
}

export const messageItem = (id: string, content: readonly object[], status: string) => ({
  ...{ id, type: 'message', status, role: 'assistant', content },
});

export const textPart = (text: string, annotations: readonly object[]) => ({
  ...{ type: 'output_text', text, annotations, logprobs: [] },
});

const callItem = ({ id, name, arguments: args }: ToolCall) => ({
  ...{
    id: id.replace(/^call_/, 'fc_'),
    type: 'function_call',
    status: 'completed',
    call_id: id,
    name,
    arguments: args,
  },
});

const STEP_ENDS = new Map([
  ['tool.completed', 'completed'],
  ['tool.failed', 'failed'],
  ['tool.denied', 'denied'],
]);

function stepItem(told: StatusEvent, redactor: Hiding): object | undefined {
  const status = STEP_ENDS.get(told.type);
  if (status === undefined || !('tool' in told) || !('ms' in told) || !('call_id' in told)) return undefined;
  const { call_id, tool, label, ms } = told;
  return redactor.redactIn({
    ...{ id: `step_${call_id}`, type: 'bellwether:tool_step', tool, label, status, ms },
  }) as object;
}

export function usageOf({ promptTokens, completionTokens, cachedTokens = 0, reasoningTokens = 0 }: Usage) {
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  };
}
