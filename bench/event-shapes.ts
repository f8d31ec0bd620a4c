import { textsOf } from './behaviour.js';

/**
 * How servers that speak like OpenAI write the events of a streamed answer: which keys, in which order, and what differs
 * from event to event. Written from their public documentation.
 */
export interface EventShape {
  readonly name: string;
  readonly title: string;
  /** What comes before the first word. */
  before(answer: Answer): readonly string[];
  /** One word; `place` is which. */
  word(answer: Answer, text: string, place: number): string;
  /** What comes after the last one, up to `[DONE]`. */
  after(answer: Answer): readonly string[];
}

export interface Answer {
  /** Each answer has its own. */
  readonly id: string;
  readonly words: number;
}

/** As long as those that providers give. */
export const USUAL_ID = 'chatcmpl-00000000000000000000000000000';

const CREATED = 1_763_000_000;
const OBJECT = 'chat.completion.chunk';
const PROMPT_TOKENS = 20;

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const comment = (text: string) => `: ${text}\n\n`;
const tokens = (completion_tokens: number) => ({
  ...{ prompt_tokens: PROMPT_TOKENS, completion_tokens, total_tokens: PROMPT_TOKENS + completion_tokens },
});

/** OpenAI pads every event, so that its length does not tell what is in it. */
const padding = (place: number) => 'Kq3vTz8LmWx0aBcD'.slice(0, 1 + ((place * 7) % 16));

const openai: EventShape = shape('openai', 'OpenAI', ({ id }) => {
  const chunk = (choices: readonly object[], usage: object | null, place: number) =>
    event({
      ...{ id, object: OBJECT, created: CREATED, model: 'gpt-4o-mini-2024-07-18', service_tier: 'default' },
      ...{ system_fingerprint: 'fp_560af6e559', choices, usage, obfuscation: padding(place) },
    });
  const choice = (delta: object, finish_reason: string | null = null) => [
    { index: 0, delta, logprobs: null, finish_reason },
  ];
  return {
    before: [chunk(choice({ role: 'assistant', content: '', refusal: null }), null, 0)],
    word: (content, place) => chunk(choice({ content }), null, place),
    after: (words) => [
      chunk(choice({}, 'stop'), null, 3),
      chunk(
        [],
        { ...tokens(words), prompt_tokens_details: { cached_tokens: 0 }, completion_tokens_details: {} },
        5,
      ),
    ],
  };
});

const SAFE = { filtered: false, severity: 'safe' };
const FILTERED = { hate: SAFE, self_harm: SAFE, sexual: SAFE, violence: SAFE };

const azure: EventShape = shape('azure', 'Azure OpenAI', ({ id }) => {
  const chunk = (choices: readonly object[], more: object = {}) =>
    event({
      ...{ choices, created: CREATED, id, model: 'gpt-4o-2024-11-20', object: OBJECT },
      ...{ system_fingerprint: 'fp_ee1d74bde0', usage: null, ...more },
    });
  const choice = (delta: object, filtered: object, finish_reason: string | null = null) => [
    { content_filter_results: filtered, delta, finish_reason, index: 0, logprobs: null },
  ];
  return {
    before: [
      event({
        ...{ choices: [], created: 0, id: '', model: '', object: '' },
        prompt_filter_results: [{ prompt_index: 0, content_filter_results: FILTERED }],
      }),
      chunk(choice({ content: '', refusal: null, role: 'assistant' }, {})),
    ],
    word: (content) => chunk(choice({ content }, FILTERED)),
    after: (words) => [chunk(choice({}, {}, 'stop')), chunk([], { usage: tokens(words) })],
  };
});

const vllm: EventShape = shape('vllm', 'vLLM', ({ id }) => {
  const head = { id, object: OBJECT, created: CREATED, model: 'Qwen/Qwen2.5-7B-Instruct' };
  const chunk = (delta: object, more: object = { finish_reason: null }) =>
    event({ ...head, choices: [{ index: 0, delta, logprobs: null, ...more, token_ids: null }] });
  return {
    before: [chunk({ role: 'assistant', content: '' })],
    word: (content) => chunk({ content }),
    after: (words) => [
      chunk({ content: '' }, { finish_reason: 'stop', stop_reason: null }),
      event({ ...head, choices: [], usage: tokens(words) }),
    ],
  };
});

const ollama: EventShape = shape('ollama', 'Ollama', ({ id }) => {
  const head = {
    ...{ id, object: OBJECT, created: CREATED, model: 'llama3.2', system_fingerprint: 'fp_ollama' },
  };
  const chunk = (content: string, finish_reason: string | null = null) =>
    event({ ...head, choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason }] });
  return {
    before: [],
    word: (content) => chunk(content),
    after: (words) => [chunk('', 'stop'), event({ ...head, choices: [], usage: tokens(words) })],
  };
});

const llamaCpp: EventShape = shape('llama.cpp', 'llama.cpp', ({ id }) => {
  const tail = {
    ...{ created: CREATED, id, model: 'local.gguf', system_fingerprint: 'b6700-3df2244d', object: OBJECT },
  };
  const chunk = (delta: object, finish_reason: string | null = null) =>
    event({ choices: [{ finish_reason, index: 0, delta }], ...tail });
  const timings = { prompt_n: PROMPT_TOKENS, prompt_ms: 41.2, predicted_n: 200, predicted_ms: 5012.7 };
  return {
    before: [chunk({ role: 'assistant', content: null })],
    word: (content) => chunk({ content }),
    after: (words) => [chunk({}, 'stop'), event({ choices: [], ...tail, usage: tokens(words), timings })],
  };
});

const mistral: EventShape = shape('mistral', 'Mistral', ({ id }) => {
  const chunk = (delta: object, more: object, place: number) =>
    event({
      ...{ id, object: OBJECT, created: CREATED, model: 'mistral-small-latest' },
      ...{ choices: [{ index: 0, delta, finish_reason: null, ...more }], p: padding(place) },
    });
  return {
    before: [chunk({ role: 'assistant', content: '' }, {}, 1)],
    word: (content, place) => chunk({ content }, {}, place),
    // What it cost comes with the reason why it ended.
    after: (words) => [
      event({
        ...{ id, object: OBJECT, created: CREATED, model: 'mistral-small-latest' },
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop' }],
        usage: tokens(words),
      }),
    ],
  };
});

const groq: EventShape = shape('groq', 'Groq', ({ id }) => {
  const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
    event({
      ...{ id, object: OBJECT, created: CREATED, model: 'llama-3.3-70b-versatile' },
      ...{ system_fingerprint: 'fp_6507bcfb6f' },
      ...{ choices: [{ index: 0, delta, logprobs: null, finish_reason }], ...more },
    });
  const request = 'req_01k9x0y7m8f6d9a5v2c3b4n5m6';
  return {
    before: [chunk({ role: 'assistant', content: '' }, null, { x_groq: { id: request } })],
    word: (content) => chunk({ content }, null),
    after: (words) => [
      chunk({}, 'stop', {
        x_groq: { id: request, usage: { queue_time: 0.05, ...tokens(words), total_time: 0.7 } },
        usage: tokens(words),
      }),
    ],
  };
});

const openrouter: EventShape = shape('openrouter', 'OpenRouter', ({ id }) => {
  const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
    event({
      ...{ id, provider: 'Google', model: 'google/gemini-2.5-flash', object: OBJECT, created: CREATED },
      choices: [{ index: 0, delta, finish_reason, native_finish_reason: finish_reason, logprobs: null }],
      ...more,
    });
  const said = (content: string) => ({ role: 'assistant', content, reasoning: null, reasoning_details: [] });
  return {
    before: [comment('OPENROUTER PROCESSING'), comment('OPENROUTER PROCESSING')],
    word: (content) => chunk(said(content), null),
    after: (words) => [
      chunk(said(''), 'stop'),
      chunk(said(''), null, { usage: { ...tokens(words), cost: 0.00012, is_byok: false } }),
    ],
  };
});

const litellm: EventShape = shape('litellm', 'LiteLLM', ({ id }) => {
  const head = { id, created: CREATED, model: 'gpt-4o', object: OBJECT };
  const chunk = (choice: object) => event({ ...head, choices: [{ index: 0, ...choice }] });
  return {
    before: [chunk({ delta: { content: '', role: 'assistant' } })],
    word: (content) => chunk({ delta: { content } }),
    after: (words) => [
      chunk({ finish_reason: 'stop', delta: {} }),
      event({ ...head, choices: [{ index: 0, delta: {} }], usage: tokens(words) }),
    ],
  };
});

const deepseek: EventShape = shape('deepseek', 'DeepSeek', ({ id }) => {
  const chunk = (delta: object, finish_reason: string | null, usage: object | null = null) =>
    event({
      ...{ id, object: OBJECT, created: CREATED, model: 'deepseek-reasoner' },
      ...{ system_fingerprint: 'fp_ffc7281d48_prod0820_fp8_kvcache' },
      ...{ choices: [{ index: 0, delta, logprobs: null, finish_reason }], usage },
    });
  const thoughts = ['Let', ' me', ' think', ' about', ' this', '.'];
  return {
    before: [
      comment('keep-alive'),
      chunk({ role: 'assistant', content: null, reasoning_content: '' }, null),
      ...thoughts.map((thought) => chunk({ content: null, reasoning_content: thought }, null)),
    ],
    word: (content) => chunk({ content, reasoning_content: null }, null),
    after: (words) => [chunk({ content: '', reasoning_content: null }, 'stop', tokens(words))],
  };
});

/** What it has cost so far comes with every event. */
const gemini: EventShape = shape('gemini', 'Gemini, as OpenAI', ({ id }) => {
  const chunk = (content: string, words: number, finish: object = {}) =>
    event({
      choices: [{ delta: { content, role: 'assistant' }, ...finish, index: 0 }],
      ...{ created: CREATED, id, model: 'gemini-2.5-flash', object: OBJECT, usage: tokens(words) },
    });
  return {
    before: [],
    word: (content, place) => chunk(content, place + 1),
    after: (words) => [chunk('', words, { finish_reason: 'stop' })],
  };
});

/** A server of one's own in Python, which leaves JSON as the standard library writes it. */
const python: EventShape = shape('python', 'Python, json.dumps', ({ id }) => {
  const head = { id, object: OBJECT, created: CREATED, model: 'local' };
  const chunk = (delta: object, finish_reason: string | null = null) =>
    pythonEvent({ ...head, choices: [{ index: 0, delta, finish_reason }] });
  return {
    before: [chunk({ role: 'assistant', content: '' })],
    word: (content) => chunk({ content }),
    after: (words) => [chunk({}, 'stop'), pythonEvent({ ...head, choices: [], usage: tokens(words) })],
  };
});

export const EVENT_SHAPES: readonly EventShape[] = [
  ...[openai, azure, vllm, ollama, llamaCpp, mistral, groq, openrouter, litellm, deepseek, gemini, python],
];

const pythonEvent = (data: object) => `data: ${pythonJson(data)}\n\n`;

function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonJson(one)}`);
  return `{${members.join(', ')}}`;
}

interface Events {
  readonly before: readonly string[];
  word(text: string, place: number): string;
  after(words: number): readonly string[];
}

function shape(name: string, title: string, eventsOf: (answer: Answer) => Events): EventShape {
  return {
    ...{ name, title },
    before: (answer) => eventsOf(answer).before,
    word: (answer, text, place) => eventsOf(answer).word(text, place),
    after: (answer) => eventsOf(answer).after(answer.words),
  };
}

export function shapeNamed(name: string): EventShape {
  const found = EVENT_SHAPES.find((one) => one.name === name);
  if (!found) throw new Error(`There is no event shape ${name}.`);
  return found;
}

/** All events of one answer. */
export function answerIn(
  { before, word, after }: EventShape,
  answer: Answer,
  texts: readonly string[] = textsOf(answer.words),
): string[] {
  return [
    ...before(answer),
    ...texts.map((text, place) => word(answer, text, place)),
    ...after(answer),
    'data: [DONE]\n\n',
  ];
}
