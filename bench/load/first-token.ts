import { setTimeout as pause } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { ask, type Question } from './ask.js';
import type { FirstTokenJob, FirstTokenResult } from './jobs.js';

export async function firstToken({ direct, question, pairs }: FirstTokenJob): Promise<FirstTokenResult> {
  const dispatcher = new Agent();
  const directMs: number[] = [];
  const throughMs: number[] = [];
  try {
    for (let pair = 0; pair < pairs; pair++) {
      directMs.push(await askDirectly(direct, dispatcher));
      const { firstMs } = await ask(question, { dispatcher });
      throughMs.push(firstMs);
    }
    return { directMs, throughMs };
  } finally {
    await dispatcher.destroy();
  }
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The least that can be done: the tools wait at the same time, and nothing else happens. */
async function askDirectly(
  { question, toolMs }: FirstTokenJob['direct'],
  dispatcher: Dispatcher,
): Promise<number> {
  const began = performance.now();
  const calls = toolMs > 0 ? await callsFor(question, dispatcher) : [];
  if (calls.length > 0) await Promise.all(calls.map(() => pause(toolMs)));
  const before = performance.now() - began;
  const { firstMs } = await ask({ ...question, body: withResults(question.body, calls) }, { dispatcher });
  return before + firstMs;
}

async function callsFor({ url, body }: Question, dispatcher: Dispatcher): Promise<Call[]> {
  const answer = await request(`${url}/v1/chat/completions`, {
    ...{ dispatcher, body, method: 'POST' },
    headers: { 'content-type': 'application/json' },
  });
  const calls: { id: string; name: string; arguments: string }[] = [];
  for (const frame of (await answer.body.text()).split('\n\n')) {
    if (!frame.includes('tool_calls":[')) continue;
    const { choices } = JSON.parse(frame.slice('data: '.length)) as Fragments;
    for (const { index, id, function: said } of choices[0]?.delta.tool_calls ?? []) {
      const call = (calls[index] ??= { id: '', name: '', arguments: '' });
      call.id += id ?? '';
      call.name += said.name ?? '';
      call.arguments += said.arguments ?? '';
    }
  }
  return calls;
}

interface Fragments {
  readonly choices: readonly {
    readonly delta: {
      readonly tool_calls: readonly {
        readonly index: number;
        readonly id?: string;
        readonly function: { readonly name?: string; readonly arguments?: string };
      }[];
    };
  }[];
}

function withResults(body: string, calls: readonly Call[]): string {
  if (calls.length === 0) return body;
  const asked = JSON.parse(body) as { readonly messages: readonly object[] };
  const said = calls.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
  const results = calls.map((call) => {
    const { key } = JSON.parse(call.arguments) as { readonly key: string };
    return { role: 'tool', tool_call_id: call.id, content: `value-of-${key}` };
  });
  return JSON.stringify({
    ...asked,
    messages: [...asked.messages, { role: 'assistant', content: null, tool_calls: said }, ...results],
  });
}
