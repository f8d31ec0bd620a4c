import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, hang, partialText, say, type Step } from '../../support/fakes/model-script.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { until } from '../support/collection-client.js';
import {
  askAndLeave,
  cancelOf,
  eventsOf,
  framesIn,
  readEvents,
  RESUME,
  textIn,
} from '../support/resumable-client.js';
import { aPerson, inDatabase, type Person, speakingTo } from '../support/users-fixture.js';

interface Talk {
  readonly messages: readonly {
    readonly role: string;
    readonly content: string;
    readonly incomplete: boolean;
  }[];
  readonly running_run_id: string | null;
}

const WORDS = Array.from({ length: 40 }, (_, i) => `word${String(i)}`).join(' ');

describe('an answer that survives', function () {
  this.timeout(60_000);
  let world: TestService;
  let person: Person;
  before(async () => {
    world = await sharedService();
    person = await aPerson(world.service, { config: speakingTo(world.model) });
  });

  const asking = async (steps: readonly Step[], more: object = {}) => {
    const llm = uniqueName('model');
    await world.model.script(llm, steps);
    const metadata = { connector: 'openai', llm, ...more };
    const { id } = await world.service.createAssistant({ metadata }, { key: person.key });
    const body = {
      model: `lamb_assistant.${String(id)}`,
      messages: [{ role: 'user', content: 'Which words?' }],
    };
    return { llm, id, body };
  };
  const paused = async () => {
    const gate = uniqueName('gate');
    const asked = await asking([say(WORDS, { chunks: 40, pause: { after: 20, until: gate } })]);
    return { ...asked, release: () => world.model.release(gate) };
  };
  const talk = async (id: string) =>
    (await world.service.request<Talk>(`/lamb/v1/conversations/${id}`, { key: person.key })).json;
  const cancel = (runId: string, { key } = person) =>
    world.service.request<{ status: string }>(cancelOf(runId), { method: 'POST', key });
  const isOver = (runId: string) => () =>
    inDatabase(world.service, async (_stores, db) => {
      const over = db('resumable_runs').where('id', runId).whereNotNull('ended_at');
      return (await over).length > 0;
    });

  it('goes on when its client goes: no word is lost or doubled, and it is in the conversation that was begun', async () => {
    const { body, release } = await paused();

    const left = await askAndLeave(world.service, body, { until: 'word10', key: person.key });
    const during = await talk(left.conversationId);
    const reading = readEvents(world.service, left.runId, { after: left.lastId, key: person.key });
    await release();
    const rest = await reading;
    const again = await readEvents(world.service, left.runId, { lastEventId: 0, key: person.key });

    const all = [...left.frames, ...rest.frames];
    expect(all.map(({ id }) => id)).to.deep.equal(all.map((_, i) => i + 1));
    expect(textIn(all)).to.equal(WORDS);
    expect(all.at(-1)?.data).to.equal('[DONE]');
    expect(again.frames).to.deep.equal(all);
    expect(during).to.include({ running_run_id: left.runId });
    expect(during.messages.map(({ content }) => content)).to.deep.equal(['Which words?']);
    const after = await talk(left.conversationId);
    expect(after).to.include({ running_run_id: null });
    expect(after.messages.map(({ content, incomplete }) => [content, incomplete])).to.deep.equal([
      ['Which words?', false],
      [WORDS, false],
    ]);
  });

  it('is whole for a client that stays, with the same frames as without, each with its number', async () => {
    const { id } = await asking([say('Yes, indeed.', { chunks: 3 })]);
    const chat = { messages: [{ role: 'user', content: 'Hi' }], stream_options: { include_usage: true } };

    const stream = await world.service.stream(id, chat, { key: person.key, headers: RESUME });
    const { text, done, chunks } = await stream.whole();

    expect({ text, done }).to.deep.equal({ text: 'Yes, indeed.', done: true });
    expect(chunks.at(-1)?.usage).to.include({ completion_tokens: 5 });
    const frames = framesIn(stream.raw());
    expect(frames.map((frame) => frame.id)).to.deep.equal(frames.map((_, i) => i + 1));
  });

  it('is finished also for those who wait for it whole and leave', async () => {
    const { id, release, llm } = await paused();
    const leaving = new AbortController();
    const made = await world.service.request<{ id: string }>('/lamb/v1/conversations', {
      ...{ body: { assistant_id: id }, key: person.key },
    });
    const chat = { messages: [{ role: 'user', content: 'Hi' }], conversation_id: made.json.id };
    const options = { key: person.key, headers: RESUME, signal: leaving.signal };

    const waiting = world.service.chat(id, chat, options).catch(() => undefined);
    await world.model.waitFor(llm, { requests: 1 });
    await until(
      () => talk(made.json.id),
      ({ running_run_id }) => running_run_id !== null,
    );
    const runId = (await talk(made.json.id)).running_run_id!;
    leaving.abort();
    await waiting;
    await release();
    const { frames } = await readEvents(world.service, runId, { key: person.key });

    expect(textIn(frames)).to.equal(WORDS);
    expect((await talk(made.json.id)).messages.at(-1)).to.include({ content: WORDS, incomplete: false });
  });

  it('is for whoever asked alone: to others, administrators too, it is not there', async () => {
    const { body, release } = await paused();
    const stranger = await aPerson(world.service, { role: 'system_admin' });
    const left = await askAndLeave(world.service, body, { until: 'word3', key: person.key });

    const read = await readEvents(world.service, left.runId, { key: stranger.key });
    const cancelled = await cancel(left.runId, stranger);
    const unknown = await readEvents(world.service, 'run_of_nobody', { key: person.key });
    await release();
    const { frames } = await readEvents(world.service, left.runId, { key: person.key });

    expect([read.status, cancelled.status, unknown.status]).to.deep.equal([404, 404, 404]);
    expect(textIn(frames)).to.equal(WORDS);
  });

  it('can be read until ten minutes after its end, and then is in its conversation', async () => {
    const { body } = await asking([say(WORDS, { chunks: 2 })]);
    const { runId } = await askAndLeave(world.service, body, { until: 'word39', key: person.key });
    await until(isOver(runId), Boolean);
    const aged = (minutes: number) =>
      inDatabase(world.service, (_stores, db) =>
        db('resumable_runs')
          .where('id', runId)
          .update({ ended_at: new Date(Date.now() - minutes * 60_000).toISOString() }),
      );
    const status = async () => (await readEvents(world.service, runId, { key: person.key })).status;

    await aged(9.5);
    const before = await status();
    await aged(10.5);
    const after = await status();
    await inDatabase(world.service, (stores) => stores.runFrames.sweep(new Date().toISOString()));
    const swept = await status();
    const kept = await inDatabase(world.service, (_stores, db) => db('run_frames').where('run_id', runId));

    expect([before, after, swept]).to.deep.equal([200, 410, 410]);
    expect(kept).to.deep.equal([]);
  });

  it('stops when it is cancelled: the call of the model is closed, and what was said is kept', async () => {
    const { body, llm } = await asking([hang(3)]);
    const left = await askAndLeave(world.service, body, { until: partialText(3), key: person.key });

    const first = await cancel(left.runId);
    await until(isOver(left.runId), Boolean);
    const second = await cancel(left.runId);
    await world.model.waitFor(llm, { closed: 1 });

    const { frames } = await readEvents(world.service, left.runId, { after: left.lastId, key: person.key });
    // On a busy machine two seconds may not be enough.
    expect(first.json.status).to.be.oneOf(['cancelled', 'cancelling']);
    expect(second.json.status).to.equal('cancelled');
    expect(frames.at(-1)?.data).to.include('"code":"cancelled"');
    expect((await talk(left.conversationId)).messages.at(-1)).to.include({
      ...{ content: partialText(3), incomplete: true },
    });
  });

  it('is not changed by cancelling it when it is over', async () => {
    const { body } = await asking([say(WORDS)]);
    const { runId } = await askAndLeave(world.service, body, { until: 'word39', key: person.key });
    await until(isOver(runId), Boolean);

    const { status, json } = await cancel(runId);

    expect([status, json.status]).to.deep.equal([200, 'completed']);
  });

  it('ends with its conversation: nobody could read it', async () => {
    const { body, llm } = await asking([hang(3)]);
    const left = await askAndLeave(world.service, body, { until: partialText(3), key: person.key });

    await world.service.request(`/lamb/v1/conversations/${left.conversationId}`, {
      ...{ method: 'DELETE', key: person.key },
    });
    await world.model.waitFor(llm, { closed: 1 });

    const kept = await inDatabase(world.service, (_stores, db) =>
      db('run_frames').where('run_id', left.runId),
    );
    expect(kept).to.deep.equal([]);
  });

  it('is told from its first frame again when it goes on with what tools of the client brought', async () => {
    const script = [call('look_up', { word: 'sirimiri' }), say('A fine rain.')];
    const { id, body } = await asking(script, { client_tools: 'allow' });
    const tools = [{ type: 'function', function: { name: 'look_up' } }];
    const options = { key: person.key, headers: RESUME };
    const first = await world.service.stream(id, { messages: body.messages, tools }, options);
    const { chunks } = await first.whole();
    const calls = chunks.flatMap(({ choices }) => choices?.[0]?.delta['tool_calls'] ?? []) as {
      id: string;
    }[];
    const brought = calls.map((each) => ({ role: 'tool', tool_call_id: each.id, content: 'rain' }));
    const messages = [...body.messages, { role: 'assistant', tool_calls: calls }, ...brought];

    const second = await world.service.stream(id, { messages, tools }, options);
    const { text } = await second.whole();

    const runId = second.response.headers.get('x-run-id')!;
    const { frames } = await readEvents(world.service, runId, { key: person.key });
    expect(runId).to.equal(first.response.headers.get('x-run-id'));
    expect(text).to.equal('A fine rain.');
    expect(frames).to.deep.equal(framesIn(second.raw()));
    const kept = await talk(second.response.headers.get('x-conversation-id')!);
    expect(kept.messages.map(({ content }) => content)).to.deep.equal(['Which words?', 'A fine rain.']);
  });

  it('is asked for by a header that says on or off', async () => {
    const { id } = await asking([say('Yes.')]);

    const odd = await world.service.chat(id, 'Hi', { key: person.key, headers: { 'x-resume': 'maybe' } });
    const off = await world.service.chat(id, 'Hi', { key: person.key, headers: { 'x-resume': 'off' } });
    const events = await world.service.request(eventsOf(off.headers.get('x-run-id')!), { key: person.key });
    const back = await world.service.request(`${eventsOf('run_x')}?after=-1`, { key: person.key });

    expect(odd.status).to.equal(400);
    expect(odd.text).to.include('X-Resume');
    expect(off.headers.get('x-conversation-id')).to.equal(null);
    expect([events.status, back.status]).to.deep.equal([410, 400]);
  });
});
