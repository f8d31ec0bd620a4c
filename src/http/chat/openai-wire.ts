import { type Assistant, modelIdOf } from '../../core/assistants/assistant.js';
import type { Hiding } from '../../core/base/redactor.js';
import type { AppError } from '../../core/errors.js';
import type { ToolCall } from '../../core/message.js';
import { type Answer, type Ending, lineFor, type StatusEvent, type Usage } from '../../core/runs/event.js';
import type * as wire from '../contract/openai/completions.js';
import { errorBody } from '../middleware/error-handler.js';

export type StatusMode = 'events' | 'off' | 'reasoning';

export interface Frames {
  role(): string;
  text(text: string): string;
  /** Empty when the client asked for a pure OpenAI stream. */
  status(event: StatusEvent): string;
  heartbeat(): string;
  end(ending: Ending): string;
  usage(ending: Ending): string;
  error(error: AppError): string;
  done(): string;
}

interface AnswerFacts {
  readonly runId: string;
  /** Of one that goes on: how many there were before. Clients take answers of one id for one. */
  readonly rounds: number;
  readonly assistant: Assistant;
  /** What was asked for and does nothing. */
  readonly ignored: readonly string[];
  readonly redactor: Hiding;
}

type Unnumbered<Told> = Told extends object ? Omit<Told, 'v' | 'seq'> : never;

/** The frames of one stream. Each is one valid `chat.completion.chunk`; status rides in keys of its own beside it. */
export function createFrames(
  { runId, rounds, assistant, ignored, redactor }: AnswerFacts,
  mode: StatusMode,
): Frames {
  const head = JSON.stringify(identity({ runId, rounds, assistant }, 'chat.completion.chunk')).slice(0, -1);
  // Only what differs from frame to frame is put into words each time: text and status are by far the most frequent.
  const choice = `data: ${head},"choices":[{"index":0,"delta":{`;
  const unfinished = '},"finish_reason":null}]';
  const textHead = `${choice}"content":`;
  const textTail = `${unfinished}}\n\n`;
  let seq = 0;

  /** Without the braces around it. */
  const inWords = (facts: object) => redactor.json(facts).slice(1, -1);
  const numbered = (facts: Unnumbered<wire.Status>) =>
    `,"x_bellwether":{"v":1,"seq":${String(++seq)},${inWords(facts)}}`;

  return {
    role: () => `${choice}"role":"assistant","content":""${textTail}`,
    text: (text) => textHead + JSON.stringify(text) + textTail,
    status(event) {
      if (mode === 'off') return '';
      const label = lineFor(event);
      const delta =
        mode === 'reasoning' && label !== undefined
          ? `"reasoning_content":${JSON.stringify(`${redactor.redact(label)}\n`)}`
          : '';
      const forOpenWebUI = label === undefined ? '' : `,${inWords(openWebUIStatus(event, label))}`;
      return `${choice}${delta}${unfinished}${numbered(event)}${forOpenWebUI}}\n\n`;
    },
    heartbeat: () => `${choice}${unfinished}${mode === 'off' ? '' : numbered({ type: 'heartbeat' })}}\n\n`,
    end({ finishReason, iterations, capped, sources, calls = [] }) {
      const facts = { type: 'run.completed', iterations, capped, sources, ...toldIgnored(ignored) } as const;
      const further = assistant.setup.followUps ? { follow_ups: true as const } : {};
      const more = mode === 'off' ? '' : numbered({ ...facts, ...further });
      const called = calls.map(
        (call, index) =>
          `${choice}"tool_calls":[${JSON.stringify({ index, ...openAICall(call) })}]${textTail}`,
      );
      return `${called.join('')}${choice}},"finish_reason":${JSON.stringify(finishReason)}}]${more}}\n\n`;
    },
    usage: ({ usage }) => `data: ${head},"choices":[],"usage":${JSON.stringify(openAIUsage(usage))}}\n\n`,
    error: (error) => `data: ${JSON.stringify(errorBody(error, redactor))}\n\n`,
    done: () => 'data: [DONE]\n\n',
  };
}

/** The same facts in the shape Open WebUI shows above an answer. */
function openWebUIStatus(event: StatusEvent, label: string): object {
  const done = !/\.(started|progress|required)$/.test(event.type);
  return { event: { type: 'status', data: { description: label, done } } };
}

/** A whole answer, for clients that do not stream. */
export function completion(
  { runId, rounds, assistant, ignored, redactor }: AnswerFacts,
  { text, ending }: Answer,
): wire.Completion {
  const { finishReason, iterations, capped, sources, tools, calls } = ending;
  const message = calls
    ? { content: text === '' ? null : text, tool_calls: calls.map(openAICall) }
    : { content: text };
  return {
    ...identity({ runId, rounds, assistant }, 'chat.completion'),
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason }],
    usage: openAIUsage(ending.usage),
    // Moodle's own AI reads it unasked.
    system_fingerprint: null,
    x_bellwether: redactor.redactIn({
      ...{ run_id: runId, iterations, capped, sources, tools },
      ...toldIgnored(ignored),
    } satisfies wire.Completion['x_bellwether']) as wire.Completion['x_bellwether'],
  };
}

const openAICall = ({ id, name, arguments: args }: ToolCall): wire.ClientToolCall => ({
  ...{ id, type: 'function', function: { name, arguments: args } },
});

const toldIgnored = (ignored: readonly string[]) => (ignored.length === 0 ? {} : { ignored });

function identity<Kind extends string>(
  { runId, rounds, assistant }: Pick<AnswerFacts, 'runId' | 'rounds' | 'assistant'>,
  object: Kind,
) {
  return {
    id: `chatcmpl-${runId.replace(/^run_/, '')}${rounds === 0 ? '' : `-${String(rounds)}`}`,
    object,
    created: Math.floor(Date.now() / 1000),
    model: modelIdOf(assistant.id),
  };
}

function openAIUsage({ promptTokens, completionTokens }: Usage): wire.CompletionUsage {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
