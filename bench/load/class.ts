import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import { monotonicMs } from '../clock.js';
import { markOf } from '../model-turns.js';
import { seededRandom } from '../seeded-random.js';
import { ask } from './ask.js';
import type { Answered, ClassJob, ClassResult } from './jobs.js';

export async function attendClass(job: ClassJob): Promise<ClassResult> {
  const random = seededRandom(job.seed);
  const { least, most } = job.readingMs;
  const plans = job.keys.map((key, i) => ({
    ...{ key, name: `u${String(i)}` },
    comesAfterMs: random() * job.withinMs,
    pausesMs: Array.from({ length: job.questions - 1 }, () => least + random() * (most - least)),
  }));
  const beganAt = monotonicMs();
  const answers = await Promise.all(plans.map((plan) => attend(plan, job)));
  return { beganAt, answers: answers.flat() };
}

interface Plan {
  readonly name: string;
  readonly key: string;
  readonly comesAfterMs: number;
  readonly pausesMs: readonly number[];
}

/** Somebody with a connection of their own, as everybody in a class has. */
async function attend({ name, key, comesAfterMs, pausesMs }: Plan, job: ClassJob): Promise<Answered[]> {
  await pause(comesAfterMs);
  const client = new Client(job.url);
  const answers: Answered[] = [];
  let conversation = 'new';
  try {
    for (const [i, pauseMs] of [0, ...pausesMs].entries()) {
      await pause(pauseMs);
      const asking = { client, key, id: `${name}-${String(i)}`, conversation };
      const { answered, conversationId } = await askOne(asking, job);
      answers.push(answered);
      conversation = conversationId ?? conversation;
    }
  } finally {
    await client.destroy();
  }
  return answers;
}

interface Asking {
  readonly client: Client;
  readonly key: string;
  readonly id: string;
  readonly conversation: string;
}

async function askOne({ client, key, id, conversation }: Asking, { url, model, expected, events }: ClassJob) {
  const body = JSON.stringify({
    ...{ model, stream: true, conversation_id: conversation },
    messages: [{ role: 'user', content: `${markOf(id)} What do we know about this, and why?` }],
  });
  const wordsAt: number[] = [];
  let seen = 0;
  const onText = (text: string) => {
    const now = monotonicMs();
    for (let at = text.indexOf(' ', seen); at >= 0; at = text.indexOf(' ', seen)) {
      wordsAt.push(now);
      seen = at + 1;
    }
  };
  const sentAt = monotonicMs();
  try {
    const said = await ask({ url, key, body, expected }, { dispatcher: client, onText });
    const fault = faultIn(said.events, events);
    const answered = { id, sentAt, endedAt: monotonicMs(), wordsAt, ...(fault ? { fault } : {}) };
    return { answered, conversationId: said.conversationId };
  } catch (fault) {
    const told = fault instanceof Error ? fault.message : String(fault);
    return { answered: { id, sentAt, endedAt: monotonicMs(), wordsAt, fault: told } };
  }
}

function faultIn(events: readonly string[], expected: Readonly<Record<string, number>>): string | undefined {
  const wrong = Object.entries(expected)
    .map(([type, times]) => ({ type, times, seen: events.filter((event) => event === type).length }))
    .filter(({ times, seen }) => times !== seen);
  if (wrong.length === 0) return undefined;
  return wrong
    .map(({ type, times, seen }) => `${type} ${String(seen)} times, not ${String(times)}`)
    .join('; ');
}
