import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import knex from 'knex';
import { startPostgres, type PostgresServer, type StopMode } from '../../support/runner/postgres-server.js';
import type { ErrorBody } from '../../support/chat-client.js';
import { type FakeModel, startFakeModel, uniqueName } from '../../support/fakes/fakes.js';
import { say } from '../../support/fakes/model-script.js';
import { startPostgresProxy } from '../../support/fakes/postgres-proxy.js';
import { type Service, startService } from '../../support/service.js';
import { refusalOf } from '../support/refusal.js';
import { answersTo, askingEverything } from './every-route.js';

const PEOPLE = 12;
const ANSWERS_BEFORE = 24;
const REFUSALS_MEANWHILE = 24;
/** To ask all the time would take the processor from PostgreSQL, which is to start. */
const AFTER_REFUSAL_MS = 100;
const CHAT = { messages: [{ role: 'user', content: 'Hello?' }], conversation_id: 'new' };

/** What one request came to: its answer was told to its end, or it was said that it failed. */
interface Outcome {
  readonly told: boolean;
  /** Of the answer, or of the fault that the stream ended with. */
  readonly code: string | number;
  readonly runId: string;
  readonly conversationId: string;
}

describe('PostgreSQL', function () {
  this.timeout(120_000);
  let postgres: PostgresServer;
  let model: FakeModel;
  let llm: string;
  const running: Service[] = [];
  before(async () => {
    postgres = await startPostgres('lasting');
    model = await startFakeModel();
    llm = uniqueName('model');
    await model.script(llm, [say('abcd', { chunks: 4 })], { repeat: true });
  });
  afterEach(async () => {
    await postgres.start();
    await Promise.all(running.splice(0).map((service) => service.stop()));
  });
  after(async () => {
    await model.stop();
    await postgres.remove();
  });

  const start = async (databaseUrl: string) => {
    const service = await startService({
      ...{ DATABASE_URL: databaseUrl, RATE_LIMIT: '0' },
      ...{ OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${model.url}/v1` },
    });
    running.push(service);
    const { id } = await service.createAssistant({ metadata: { connector: 'openai', llm } });
    return { service, id };
  };

  for (const mode of ['fast', 'immediate'] satisfies StopMode[]) {
    it(`stopped under load (${mode}) and started again: what was answered is on record, the rest is told as 503`, async () => {
      const { service, id } = await start(postgres.url);
      const outcomes: Outcome[] = [];
      const load = keepAsking(service, id, outcomes);

      await load.until(() => outcomes.filter(({ told }) => told).length >= ANSWERS_BEFORE);
      await postgres.stop(mode);
      const refusedBefore = outcomes.filter(({ told }) => !told).length;
      await load.until(
        () => outcomes.filter(({ told }) => !told).length >= refusedBefore + REFUSALS_MEANWHILE,
      );
      await postgres.start();
      const toldBefore = outcomes.filter(({ told }) => told).length;
      await load.until(() => outcomes.filter(({ told }) => told).length >= toldBefore + PEOPLE);
      await load.end();

      const codes = outcomes.filter(({ told }) => !told).map(({ code }) => code);
      expect([...new Set(codes)].sort()).to.deep.equal(['database_unavailable']);
      await expectOnRecord(outcomes.filter(({ told }) => told));
    });
  }

  it('stopped: whatever is asked is answered as before or told as 503, and everything is back with it', async () => {
    const { service, id } = await start(postgres.url);
    const asked = await askingEverything(service, id);
    const before = await answersTo(service, asked);

    await postgres.stop('fast');
    const meanwhile = await answersTo(service, asked);
    const health = await service.request('/healthz', { key: null });
    const ready = await service.request('/readyz', { key: null });
    await postgres.start();
    const after = await service.chat(id, CHAT);

    const changed = meanwhile.filter((told, i) => told !== before[i]);
    expect(changed.filter((told) => !AWAY.test(told))).to.deep.equal([]);
    expect(changed).to.have.length.of.at.least(asked.length / 2);
    expect([health.status, ready.status]).to.deep.equal([200, 503]);
    expect(after.status, after.text).to.equal(200);
  });

  it('that does not answer, on connections that nobody has closed, is away within seconds, and then at once', async () => {
    const proxy = await startPostgresProxy(postgres.url);
    try {
      const { service, id } = await start(proxy.url(postgres.url));
      expect((await service.chat(id, CHAT)).status).to.equal(200);

      proxy.set('lost');
      const first = await timed(() => service.chat(id, CHAT));
      const second = await timed(() => service.chat(id, CHAT));
      const ready = await service.request('/readyz', { key: null });
      proxy.set('open');
      const waiting = Date.now();
      let back = await service.chat(id, CHAT);
      while (back.status !== 200 && Date.now() - waiting < 10_000) {
        await delay(AFTER_REFUSAL_MS);
        back = await service.chat(id, CHAT);
      }

      expect(refusalOf(first.answer, 503)).to.include({ code: 'database_unavailable' });
      expect(first.ms).to.be.lessThan(15_000);
      expect(refusalOf(second.answer, 503)).to.include({ code: 'database_unavailable' });
      expect(second.ms).to.be.lessThan(1_000);
      expect(ready.status).to.equal(503);
      await expectOnRecord([toldBy(back)]);
    } finally {
      await Promise.all(running.splice(0).map((service) => service.stop()));
      proxy.end();
    }
  });

  it('that comes after the service is waited for', async () => {
    const proxy = await startPostgresProxy(postgres.url);
    try {
      proxy.set('closed');
      const starting = startService({ DATABASE_URL: proxy.url(postgres.url) });
      await proxy.tried(2);
      proxy.set('open');
      const service = await starting;
      const ready = await service.request('/readyz', { key: null });
      await service.stop();

      expect(ready.status).to.equal(200);
      expect(service.logs().map(({ msg }) => msg)).to.include(
        'the database cannot be reached: waiting for it',
      );
    } finally {
      proxy.end();
    }
  });

  for (const statement of ['record_runs', 'append_messages']) {
    it(`whose connection is lost with the answer to a commit (${statement}) is asked again, and has it once`, async () => {
      const cutting = await startPostgresProxy(postgres.url);
      try {
        const { service, id } = await start(cutting.url(postgres.url));
        cutting.cutAfter(statement);

        const answer = await service.chat(id, CHAT);

        expect(cutting.wasCut()).to.equal(true);
        expect(answer.status, answer.text).to.equal(200);
        await expectOnRecord([toldBy(answer)]);
      } finally {
        await Promise.all(running.splice(0).map((service) => service.stop()));
        cutting.end();
      }
    });
  }

  async function expectOnRecord(told: readonly Outcome[]): Promise<void> {
    const db = knex({ client: 'pg', connection: postgres.url });
    try {
      const ids = told.map(({ runId }) => runId).sort();
      const of = (table: string, column: string) =>
        db(table).whereIn(column, ids).orderBy(column).pluck<string[]>(column);
      const conversations = told.map(({ conversationId }) => conversationId).sort();
      expect(await of('runs', 'id')).to.deep.equal(ids);
      expect(await of('run_steps', 'run_id')).to.deep.equal(ids);
      expect(await of('usage_ledger', 'run_id')).to.deep.equal(ids);
      const said = db('messages').whereIn('conversation_id', conversations).orderBy('conversation_id');
      expect(await said.where('role', 'assistant').pluck('conversation_id')).to.deep.equal(conversations);
    } finally {
      await db.destroy();
    }
  }
});

/** Programs that sign people in know the words of OAuth alone. */
const AWAY = / (503 database_unavailable|\/oauth\/\w+ 503 temporarily_unavailable)$/;

async function timed<T>(ask: () => Promise<T>): Promise<{ readonly answer: T; readonly ms: number }> {
  const startedAt = performance.now();
  const answer = await ask();
  return { answer, ms: performance.now() - startedAt };
}

/** Half of the people stream. Each asks again at once, or a moment after they were refused. */
function keepAsking(service: Service, assistantId: number, outcomes: Outcome[]) {
  let over = false;
  let look: () => void = () => undefined;
  const person = async (ask: (service: Service, assistantId: number) => Promise<Outcome>) => {
    while (!over) {
      const outcome = await ask(service, assistantId);
      outcomes.push(outcome);
      look();
      if (!outcome.told) await delay(AFTER_REFUSAL_MS);
    }
  };
  const people = Promise.all(
    Array.from({ length: PEOPLE }, (_, i) => person(i % 2 === 0 ? askStreaming : askWhole)),
  );
  return {
    until: (isSo: () => boolean) =>
      Promise.race([
        people,
        new Promise<void>((resolve) => {
          look = () => {
            if (isSo()) resolve();
          };
          look();
        }),
      ]),
    async end() {
      over = true;
      await people;
    },
  };
}

async function askWhole(service: Service, assistantId: number): Promise<Outcome> {
  const answer = await service.chat(assistantId, CHAT);
  if (answer.status === 200) return toldBy(answer);
  return { ...toldBy(answer), told: false, code: refusalOf(answer, 503).code ?? '' };
}

async function askStreaming(service: Service, assistantId: number): Promise<Outcome> {
  const stream = await service.stream(assistantId, CHAT);
  const facts = toldBy(stream.response);
  const { status } = stream.response;
  const { error, chunks, text } = await stream.whole();
  if (status !== 200) {
    const refused = JSON.parse(stream.raw()) as { readonly error: ErrorBody };
    return { ...facts, told: false, code: status === 503 ? (refused.error.code ?? '') : status };
  }
  const finished = chunks.some(({ choices }) => choices?.[0]?.finish_reason === 'stop');
  // Whoever was told an end was told no fault, and the other way round.
  expect(finished, text).to.equal(error === undefined);
  return { ...facts, told: finished, code: error?.code ?? status };
}

const toldBy = ({ headers, status }: { readonly headers: Headers; readonly status: number }): Outcome => ({
  told: true,
  code: status,
  runId: headers.get('x-run-id') ?? '',
  conversationId: headers.get('x-conversation-id') ?? '',
});
