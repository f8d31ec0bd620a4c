import { behaviourOf, keyOf, valueOf } from './behaviour.js';

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
  const { calls } = behaviourOf(asked.model);
  const results = asked.messages.filter(({ role }) => role === 'tool');
  const frames = calls > 0 && results.length === 0 ? askForTools(asked, id) : answer(asked, id);
  return [
    ...frames,
    ...(asked.stream_options?.include_usage === true ? [usage(id, frames.length)] : []),
    'data: [DONE]\n\n',
  ];
}

function answer(asked: Asked, id: string): string[] {
  const [head, tail] = frameParts(id);
  const { words } = behaviourOf(asked.model);
  const texts = Array.from({ length: words }, (_, i) => `word${String(i)} `);
  return [
    frame(id, { role: 'assistant', content: '' }),
    ...[...texts, ...foundIn(asked)].map((text) => `${head}${text}${tail}`),
    frame(id, {}, 'stop'),
  ];
}

/** One word for each call whose result came back under its own id; anything else is told in the answer. */
function foundIn({ model, messages }: Asked): string[] {
  const { calls } = behaviourOf(model);
  return Array.from({ length: calls }, (_, call) => {
    const result = messages.find(({ tool_call_id }) => tool_call_id?.endsWith(`_${keyOf(call)}`));
    const value = valueOf(keyOf(call));
    return JSON.stringify(result?.content ?? '').includes(value) ? `${value} ` : 'result-missing ';
  });
}

/** As models do it: the name first, the arguments in pieces. */
function askForTools(asked: Asked, id: string): string[] {
  const { calls, tool } = behaviourOf(asked.model);
  if (!asked.tools?.some((offered) => offered.function.name === tool)) return [frame(id, {}, 'stop')];
  const delta = (index: number, more: object) => frame(id, { tool_calls: [{ index, ...more }] });
  const frames = Array.from({ length: calls }, (_, index) => {
    const pieces = ['{"key":', `"${keyOf(index)}"`, '}'];
    return [
      delta(index, {
        id: `call_${id.replace(/\D/g, '')}_${keyOf(index)}`,
        type: 'function',
        function: { name: tool, arguments: '' },
      }),
      ...pieces.map((piece) => delta(index, { function: { arguments: piece } })),
    ];
  });
  return [frame(id, { role: 'assistant', content: null }), ...frames.flat(), frame(id, {}, 'tool_calls')];
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
