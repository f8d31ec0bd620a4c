import { type Behaviour, modelName, SLOW_TOOL_MS } from '../behaviour.js';
import { type BenchService, post } from '../service.js';

/** A class with an assistant: everybody has an account and a key, all of it made over HTTP as an administrator does. */
export interface School {
  readonly keys: readonly string[];
  /** The orchestrator, as a request names it. */
  readonly model: string;
  /** How its model behaves. */
  readonly behaviour: Behaviour;
}

export interface Lesson {
  readonly everyMs: number;
  /** Of the orchestrator's answer, and of the assistant's that it asks. */
  readonly words: number;
  readonly childWords: number;
}

const AT_ONCE = 8;

export async function makeSchool({ url }: BenchService, people: number, lesson: Lesson): Promise<School> {
  const { everyMs, words, childWords } = lesson;
  const child = await makeAssistant(url, {
    name: 'Source finder',
    behaviour: { words: childWords, everyMs, calls: 0, tool: 'look_up', tools: 0 },
    tools: [],
  });
  const behaviour: Behaviour = {
    ...{ words, everyMs, calls: 2, tool: 'look_up', nextTool: 'look_up_slowly', tools: 2 },
    child: { id: child, words: childWords },
  };
  const orchestrator = await makeAssistant(url, {
    ...{ name: 'Course guide', behaviour },
    tools: [
      { type: 'look_up', config: { function_name: 'look_up', ms: 0 } },
      { type: 'look_up', config: { function_name: 'look_up_slowly', ms: SLOW_TOOL_MS } },
      { type: 'assistant', config: { assistant_id: child } },
    ],
  });
  return {
    keys: await makePeople(url, people),
    model: `lamb_assistant.${String(orchestrator)}`,
    behaviour,
  };
}

interface NewAssistant {
  readonly name: string;
  readonly behaviour: Behaviour;
  readonly tools: readonly { readonly type: string; readonly config: object }[];
}

/** Made and published to its organisation. */
async function makeAssistant(url: string, { name, behaviour, tools }: NewAssistant): Promise<number> {
  const made = await mustPost(url, '/lamb/v1/assistants', {
    name,
    system_prompt: 'You are a helpful assistant.',
    metadata: {
      connector: 'openai',
      llm: modelName(behaviour),
      tools: tools.map((tool) => ({ ...tool, enabled: true, mode: 'function' })),
    },
  });
  const { id } = made as { readonly id: number };
  await mustPost(url, `/lamb/v1/assistants/${String(id)}/publish`, {
    published: true,
    publish_scope: 'organization',
  });
  return id;
}

async function makePeople(url: string, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let first = 0; first < count; first += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, i) =>
      makePerson(url, first + i),
    );
    keys.push(...(await Promise.all(some)));
  }
  return keys;
}

async function makePerson(url: string, number: number): Promise<string> {
  const email = `pupil-${String(number)}@example.com`;
  await mustPost(url, '/lamb/v1/users', {
    ...{ email, name: `Pupil ${String(number)}` },
    password: `correct horse battery staple ${String(number)}`,
  });
  const made = await mustPost(url, '/lamb/v1/api-keys', { name: 'Class', user_email: email });
  return (made as { readonly key: string }).key;
}

async function mustPost(url: string, path: string, body: object): Promise<unknown> {
  const { status, json } = await post(url, path, body);
  if (status < 200 || status > 299) throw new Error(`${path}: ${String(status)} ${JSON.stringify(json)}`);
  return json;
}
