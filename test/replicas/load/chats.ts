import { say } from '../../support/fakes/model-script.js';
import { asking } from '../asked-model.js';
import type { Installation } from '../installation.js';
import { type Activity, type Audit, compare, refusalIn, sent, unlessTorn } from './load.js';

/** Whose answer lasts eight times as long. */
export const lasting = (paceMs: number) => ({
  messages: [{ role: 'user', content: asking(say('abcdefgh', { chunks: 8, paceMs })) }],
  conversation_id: 'new',
});
/** Half a second, and more than one for every third person: long enough to be cut in the middle. */
const questionOf = (person: number) => lasting(person % 3 === 0 ? 150 : 60);

interface Told {
  readonly runId: string;
  readonly conversationId: string;
}

export interface Chats {
  readonly assistantId: number;
  readonly whole: Activity;
  readonly streamed: Activity;
  /** The codes of errors at the end of streams, since it was last asked. */
  takeEnds(): readonly string[];
}

/** Half of those who chat have their answers streamed. Each question begins a conversation. */
export async function chatting(at: Installation, people: number): Promise<Chats> {
  const { id } = await at.assistant();
  const keys = await Promise.all(Array.from({ length: people }, () => at.newKey()));
  const endedWith: string[] = [];

  const ofKind = (
    name: string,
    ask: (person: number, tell: (told: Told) => void) => ReturnType<Activity['act']>,
  ) => {
    const told: Told[] = [];
    return {
      ...{ name, people },
      act: (person: number) => ask(person, (one) => void told.push(one)),
      audit: () => auditOf(at, told),
    };
  };
  return {
    assistantId: id,
    takeEnds: () => endedWith.splice(0),
    whole: ofKind('chats', async (person, tell) => {
      const answer = await sent(at.chat(id, questionOf(person), { key: keys[person]! }));
      if (typeof answer === 'string') return answer;
      if (answer.json.choices[0]?.finish_reason !== 'stop') throw new Error(`No answer: ${answer.text}`);
      tell(toldIn(answer.headers));
      return 'told';
    }),
    streamed: ofKind('streams', async (person, tell) => {
      const stream = await unlessTorn(at.stream(id, questionOf(person), { key: keys[person]! }));
      if (stream === 'torn') return stream;
      const { status, headers } = stream.response;
      const seen = await unlessTorn(stream.whole());
      if (seen === 'torn') return seen;
      if (status !== 200) return refusalIn({ status, headers, text: stream.raw() });
      const isFinished = seen.chunks.some(({ choices }) => choices?.[0]?.finish_reason === 'stop');
      if (seen.error) {
        endedWith.push(seen.error.code ?? '');
        if (isFinished) throw new Error('A stream told its end and an error.');
        return 'refused';
      }
      if (!isFinished || !seen.done) throw new Error(`A stream ended as if it was whole: ${stream.raw()}`);
      tell(toldIn(headers));
      return 'told';
    }),
  };
}

const toldIn = (headers: Headers): Told => ({
  runId: headers.get('x-run-id') ?? '',
  conversationId: headers.get('x-conversation-id') ?? '',
});

/** A run, its step, its cost and its answer are on record, each once. */
async function auditOf({ db }: Installation, told: readonly Told[]): Promise<Audit> {
  const runs = told.map(({ runId }) => runId);
  const conversations = told.map(({ conversationId }) => conversationId);
  const found = (table: string, column: string, among: readonly string[]) =>
    db(table).whereIn(column, among).pluck<string[]>(column);
  const audits = [
    compare(runs, await found('runs', 'id', runs).where('status', 'completed')),
    compare(runs, await found('run_steps', 'run_id', runs)),
    compare(runs, await found('usage_ledger', 'run_id', runs)),
    compare(
      conversations,
      await found('messages', 'conversation_id', conversations).where('role', 'assistant'),
    ),
  ];
  return {
    lost: audits.flatMap(({ lost }) => lost),
    doubled: audits.flatMap(({ doubled }) => doubled),
  };
}
