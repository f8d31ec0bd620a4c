/** What the model is to do is said in its name, so that whoever stands in between need not know of it. */
export interface Behaviour {
  /** Chunks of its answer, one word each. */
  readonly words: number;
  /** Milliseconds between them; 0 puts the whole answer into one write. */
  readonly everyMs: number;
  /** Calls it asks for, all at once, before it answers. */
  readonly calls: number;
  /** The function it calls. */
  readonly tool: ToolName;
  /** Functions on offer. */
  readonly tools: number;
  /** The function of every call but the first, where that is another one. */
  readonly nextTool?: ToolName;
  /** An assistant that it asks in the same breath, and how many words that one answers in. */
  readonly child?: { readonly id: number; readonly words: number };
  /** How its events are written, by the name of an `EventShape`; in the plainest way when absent. */
  readonly shape?: string;
}

export type ToolName = 'look_up' | 'look_up_slowly';

/** What `look_up_slowly` takes. */
export const SLOW_TOOL_MS = 50;

const PREFIX = 'bench?';

export const CHAT: Behaviour = { words: 200, everyMs: 0, calls: 0, tool: 'look_up', tools: 0 };

export function modelName(behaviour: Behaviour): string {
  const { words, everyMs, calls, tool, tools, nextTool, child, shape } = behaviour;
  const name = `${PREFIX}words=${String(words)}&every=${String(everyMs)}&calls=${String(calls)}&tool=${tool}&tools=${String(tools)}`;
  const next = nextTool === undefined ? '' : `&next=${nextTool}`;
  const asks = child === undefined ? '' : `&child=${String(child.id)}&child_words=${String(child.words)}`;
  return name + next + asks + (shape === undefined ? '' : `&shape=${shape}`);
}

export function behaviourOf(name: string): Behaviour {
  const said = new URLSearchParams(name.slice(PREFIX.length));
  const number = (key: string) => Number(said.get(key) ?? 0);
  return {
    words: number('words'),
    everyMs: number('every'),
    calls: number('calls'),
    tool: toolNamed(said.get('tool')),
    tools: number('tools'),
    ...(said.has('next') ? { nextTool: toolNamed(said.get('next')) } : {}),
    ...(said.has('child') ? { child: { id: number('child'), words: number('child_words') } } : {}),
    ...(said.has('shape') ? { shape: said.get('shape') ?? '' } : {}),
  };
}

const toolNamed = (name: string | null): ToolName =>
  name === 'look_up_slowly' ? 'look_up_slowly' : 'look_up';

/** What it says, chunk by chunk. */
export const textsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `word${String(i)} `);

export const wordsOf = (count: number): string => textsOf(count).join('');

/** The argument of the nth call. */
export const keyOf = (call: number): string => `key${String(call)}`;

/** What the tool gives for it: the model repeats it, so an answer without it was not made with the tool. */
export const valueOf = (key: string): string => `value-of-${key}`;

/** What the model says when the whole answer of the assistant it asked came back to it. */
export const CHILD_HEARD = 'child-heard';

/** All the text of a right answer. */
export function rightAnswer({ words, calls, child }: Behaviour): string {
  const found = Array.from({ length: calls }, (_, call) => `${valueOf(keyOf(call))} `).join('');
  return wordsOf(words) + found + (child ? `${CHILD_HEARD} ` : '');
}
