import { type Behaviour, behaviourOf, CHILD_HEARD, keyOf, textsOf, valueOf, wordsOf } from './behaviour.js';
import { answerIn, shapeNamed, USUAL_ID } from './event-shapes.js';

/** The request as far as the fake model reads it. */
export interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
  readonly messages: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_call_id?: string;
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** The frames of one answer. Each has the answer's own id: LangGraph takes messages of one id for the same. */
export function chunksFor(asked: Asked, id: string): string[] {
  const { shape, words } = behaviourOf(asked.model);
  if (shape !== undefined) return shapedAnswer(shape, words);
  const frames = stepOf(asked) === 'calls' ? askForTools(asked, id) : answer(asked, id);
  return [
    ...frames,
    ...(asked.stream_options?.include_usage === true ? [usage(id, frames.length)] : []),
    'data: [DONE]\n\n',
  ];
}

/** Put into words once: a model that is slow to answer would have everybody wait, which costs them more than work. */
const shaped = new Map<string, string[]>();

function shapedAnswer(shape: string, words: number): string[] {
  const key = `${shape} ${String(words)}`;
  const known = shaped.get(key) ?? answerIn(shapeNamed(shape), { id: USUAL_ID, words });
  shaped.set(key, known);
  return known;
}

/** Whether the model asks for calls now, or answers with what they brought, or without any. */
export function stepOf({ model, messages }: Asked): 'calls' | 'answer' | 'plain' {
  if (behaviourOf(model).calls === 0) return 'plain';
  return messages.some(({ role }) => role === 'tool') ? 'answer' : 'calls';
}

function answer(asked: Asked, id: string): string[] {
  const [head, tail] = frameParts(id);
  const { words } = behaviourOf(asked.model);
  return [
    frame(id, { role: 'assistant', content: '' }),
    ...[...textsOf(words), ...foundIn(asked)].map((text) => `${head}${text}${tail}`),
    frame(id, {}, 'stop'),
  ];
}

/** One word for each call whose result came back under its own id; anything else is told in the answer. */
function foundIn({ model, messages }: Asked): string[] {
  const { calls, child } = behaviourOf(model);
  const told = (key: string, expected: string, said: string) => {
    const result = messages.find(({ tool_call_id }) => tool_call_id?.endsWith(`_${key}`));
    return JSON.stringify(result?.content ?? '').includes(expected) ? `${said} ` : 'result-missing ';
  };
  const values = Array.from({ length: calls }, (_, call) => {
    const value = valueOf(keyOf(call));
    return told(keyOf(call), value, value);
  });
  return child ? [...values, told('child', wordsOf(child.words).trim(), CHILD_HEARD)] : values;
}

/** As models do it: the name first, the arguments in pieces. */
function askForTools(asked: Asked, id: string): string[] {
  const calls = callsFor(behaviourOf(asked.model), asked);
  const offered = new Set(asked.tools?.map((one) => one.function.name));
  if (!calls.every(({ tool }) => offered.has(tool))) return [frame(id, {}, 'stop')];
  const delta = (index: number, more: object) => frame(id, { tool_calls: [{ index, ...more }] });
  const frames = calls.map(({ key, tool, pieces }, index) => [
    delta(index, {
      id: `call_${id.replace(/\D/g, '')}_${key}`,
      type: 'function',
      function: { name: tool, arguments: '' },
    }),
    ...pieces.map((piece) => delta(index, { function: { arguments: piece } })),
  ]);
  return [frame(id, { role: 'assistant', content: null }), ...frames.flat(), frame(id, {}, 'tool_calls')];
}

interface Call {
  readonly key: string;
  readonly tool: string;
  /** Of its arguments. */
  readonly pieces: readonly string[];
}

function callsFor({ calls, tool, nextTool, child }: Behaviour, asked: Asked): Call[] {
  const lookUps = Array.from({ length: calls }, (_, call) => ({
    key: keyOf(call),
    tool: call > 0 && nextTool ? nextTool : tool,
    pieces: ['{"key":', `"${keyOf(call)}"`, '}'],
  }));
  if (!child) return lookUps;
  const query = JSON.stringify(lastQuestion(asked));
  return [
    ...lookUps,
    { key: 'child', tool: `call_assistant_${String(child.id)}`, pieces: ['{"query":', query, '}'] },
  ];
}

/** What was said last by who is asking. */
export function lastQuestion({ messages }: Asked): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content;
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}

function usage(id: string, completion_tokens: number): string {
  const tokens = { prompt_tokens: 20, completion_tokens, total_tokens: 20 + completion_tokens };
  return `data: ${JSON.stringify({ ...envelope(id), choices: [], usage: tokens })}\n\n`;
}

function frame(id: string, delta: object, finish_reason: string | null = null): string {
  return `data: ${JSON.stringify({ ...envelope(id), choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
}

/** Words need no escaping, so a frame is put into words once for all of an answer. */
function frameParts(id: string): [string, string] {
  const [head = '', tail = ''] = frame(id, { content: '%' }).split('%');
  return [head, tail];
}

function envelope(id: string) {
  return { id, object: 'chat.completion.chunk', created: 1_700_000_000, model: 'bench' };
}
