import { join } from 'node:path';
import { expect } from 'chai';
import { openDb } from '../../db/open.js';
import { until } from '../http/support/collection-client.js';
import {
  askAndLeave,
  cancelOf,
  readEvents,
  readUntil,
  RESUME,
  textIn,
} from '../http/support/resumable-client.js';
import { describeOnEachEngine, describeOnPostgres } from '../support/databases.js';
import { type FakeModel, startFakeModel, uniqueName } from '../support/fakes/fakes.js';
import { hang, partialText, say, type Step } from '../support/fakes/model-script.js';
import { startNetwork } from '../support/fakes/network.js';
import {
  makeDataDir,
  removeDataDir,
  type Service,
  type ServiceProcess,
  startService,
  startServiceProcess,
} from '../support/service.js';

const WORDS = Array.from({ length: 60 }, (_, i) => `word${String(i)}`).join(' ');

interface RunView {
  readonly status: string;
  readonly error_code: string | null;
}

interface Talk {
  readonly messages: readonly { readonly content: string; readonly incomplete: boolean }[];
}

let model: FakeModel;
const envOf = (database: { readonly kind: string; readonly url?: string }) => ({
  ...(database.kind === 'postgres' ? { DATABASE_URL: database.url ?? '' } : {}),
  ...{ OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${model.url}/v1`, RATE_LIMIT: '0' },
});

async function asking(service: Service, steps: readonly Step[]) {
  const llm = uniqueName('model');
  await model.script(llm, steps);
  const { id } = await service.createAssistant({ metadata: { connector: 'openai', llm } });
  const messages = [{ role: 'user', content: 'Which words?' }];
  return { id, llm, body: { model: `lamb_assistant.${String(id)}`, messages } };
}

const answerIn = async (service: Service, conversationId: string) =>
  (await service.request<Talk>(`/lamb/v1/conversations/${conversationId}`)).json.messages.at(-1);

before(async () => {
  model = await startFakeModel();
});
after(() => model.stop());

describeOnEachEngine('an answer that survives its connection or its process', (_open, _target, migrated) => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await makeDataDir();
  });
  afterEach(() => removeDataDir(dataDir));
  const starts = async () => {
    const place = await migrated();
    const env = envOf(place);
    return {
      database: place.kind === 'postgres' ? place : { ...place, file: join(dataDir, 'bellwether.db') },
      start: () => startService(env, { dataDir }),
      startProcess: () => startServiceProcess(env, { dataDir }),
    };
  };

  it('is whole for a client whose network is cut in the middle of it, with no word twice', async function () {
    this.timeout(60_000);
    const service = await (await starts()).start();
    const network = await startNetwork(service.url);
    const gate = uniqueName('gate');
    const { body } = await asking(service, [say(WORDS, { chunks: 60, pause: { after: 30, until: gate } })]);

    const response = await fetch(`${network.url}/v1/chat/completions`, {
      ...{ method: 'POST', body: JSON.stringify({ stream: true, ...body }) },
      headers: { ...RESUME, authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' },
    });
    const first = await readUntil(response, 'word20');
    network.down();
    await model.release(gate);
    network.up();
    const runId = response.headers.get('x-run-id') ?? '';
    const rest = await readEvents({ ...service, url: network.url }, runId, { after: first.at(-1)?.id ?? 0 });
    network.stop();
    const kept = await answerIn(service, response.headers.get('x-conversation-id') ?? '');
    await service.stop();

    const all = [...first, ...rest.frames];
    expect(all.map(({ id }) => id)).to.deep.equal(all.map((_, i) => i + 1));
    expect(textIn(all)).to.equal(WORDS);
    expect(kept).to.include({ content: WORDS, incomplete: false });
  });

  it('is waited for by a service that is told to stop, though nobody reads it', async function () {
    this.timeout(60_000);
    const { start } = await starts();
    const service = await start();
    const gate = uniqueName('gate');
    const { body, llm } = await asking(service, [
      say(WORDS, { chunks: 60, pause: { after: 30, until: gate } }),
    ]);
    const left = await askAndLeave(service, body, { until: 'word20' });

    const stopped = service.stop();
    await service.waitForLog(({ msg }) => msg === 'stopping');
    await model.release(gate);
    await stopped;
    const next = await start();
    const { frames } = await readEvents(next, left.runId);
    const kept = await answerIn(next, left.conversationId);
    await next.stop();

    expect((await model.ledger(llm)).map(({ closedEarly }) => closedEarly)).to.deep.equal([false]);
    expect(textIn(frames)).to.equal(WORDS);
    expect(kept).to.include({ content: WORDS, incomplete: false });
  });

  it('is told as interrupted when its process was killed: what came before it, and the question, are there; a stream that nobody can resume does not end, and those who come after it record each run once', async function () {
    this.timeout(60_000);
    const { database, start, startProcess } = await starts();
    const killed = await startProcess();
    const [{ body }, other] = [await asking(killed, [hang(3)]), await asking(killed, [hang(2)])];
    const left = await askAndLeave(killed, body, { until: partialText(3) });
    const stream = await killed.stream(other.id, 'Hello?');
    const runId = stream.response.headers.get('x-run-id') ?? '';
    const db = await openDb(database);
    try {
      await until(
        async () => textIn((await soFar(killed, left.runId)).frames),
        (text) => text === partialText(3),
      );
      await until(
        () => db('run_notes').where('id', runId),
        (notes) => notes.length > 0,
      );

      const reading = stream.whole().catch((fault: unknown) => fault);
      await killed.kill();
      const seen = await reading;
      const nexts = await Promise.all([start(), ...(database.kind === 'postgres' ? [start()] : [])]);
      const [next] = nexts as [Service];
      const { frames } = await readEvents(next, left.runId);
      const kept = await answerIn(next, left.conversationId);
      const { json: run } = await until(
        () => next.request<RunView>(`/lamb/v1/runs/${runId}`),
        ({ status }) => status === 200,
      );
      await until(
        () => db('run_notes'),
        (notes) => notes.length === 0,
      );
      await Promise.all(nexts.map((service) => service.stop()));

      expect(textIn(frames)).to.equal(partialText(3));
      expect(frames.at(-1)).to.include({ id: frames.length });
      expect(frames.at(-1)?.data).to.include('"code":"interrupted"');
      expect(kept).to.include({ content: 'Which words?' });
      // The connection breaks; no frame says that this was the end.
      expect(seen).to.be.instanceOf(Error);
      expect(stream.raw()).to.include(partialText(1)).and.not.include('[DONE]');
      expect(run).to.include({ status: 'failed', error_code: 'interrupted' });
      expect(await db('runs').pluck('id')).to.have.members([left.runId, runId]);
    } finally {
      await db.destroy();
    }
  });
});

/** What can be read of a run that has not ended. */
async function soFar(service: Service, runId: string) {
  const response = await fetch(`${service.url}/lamb/v1/runs/${runId}/events`, {
    headers: { authorization: `Bearer ${service.adminKey}` },
  });
  return { frames: await readUntil(response, partialText(3)) };
}

describeOnPostgres(
  'an answer that one replica gives',
  (_open, _target, migrated) => {
    let first: ServiceProcess;
    let second: Service;
    before(async function () {
      this.timeout(60_000);
      const env = envOf(await migrated());
      [first, second] = [await startServiceProcess(env), await startService(env)];
    });
    after(() => Promise.all([first.stop(), second.stop()]));

    it('can be read to its end at another', async function () {
      this.timeout(60_000);
      const gate = uniqueName('gate');
      const { body } = await asking(first, [say(WORDS, { chunks: 60, pause: { after: 30, until: gate } })]);
      const left = await askAndLeave(first, body, { until: 'word20' });

      const reading = readEvents(second, left.runId, { after: left.lastId });
      await model.release(gate);
      const { frames } = await reading;

      const all = [...left.frames, ...frames];
      expect(all.map(({ id }) => id)).to.deep.equal(all.map((_, i) => i + 1));
      expect(textIn(all)).to.equal(WORDS);
    });

    it('is stopped within a second by whoever cancels it at another', async function () {
      this.timeout(60_000);
      const { body, llm } = await asking(first, [hang(3)]);
      const left = await askAndLeave(first, body, { until: partialText(3) });

      const askedAt = Date.now();
      const { json } = await second.request<{ status: string }>(cancelOf(left.runId), { method: 'POST' });
      const [row] = await model.waitFor(llm, { closed: 1 });
      await readEvents(second, left.runId);

      expect(json.status).to.be.oneOf(['cancelled', 'cancelling']);
      expect((row?.closedAt ?? 0) - askedAt).to.be.below(1_000);
      expect(await answerIn(second, left.conversationId)).to.include({ incomplete: true });
    });
  },
  'suite',
);
