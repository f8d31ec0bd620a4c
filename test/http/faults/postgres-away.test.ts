import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import knex from 'knex';
import { startPostgres, type PostgresServer, type StopMode } from '../../support/runner/postgres-server.js';
import type { ErrorBody } from '../../support/chat-client.js';
import { type FakeModel, startFakeModel, uniqueName } from '../../support/fakes/fakes.js';
import { say } from '../../support/fakes/model-script.js';
import { type Service, startService } from '../../support/service.js';
import { refusalOf } from '../support/refusal.js';

const PEOPLE = 12;
const ANSWERS_BEFORE = 24;
const REFUSALS_MEANWHILE = 24;
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

  for (const statement of ['record_runs', 'append_messages']) {
    it(`whose connection is lost with the answer to a commit (${statement}) is asked again, and has it once`, async () => {
      const cutting = await startCutting(Number(new URL(postgres.url).port));
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

/** Half of the people stream. Each asks again at once, whatever came of it. */
function keepAsking(service: Service, assistantId: number, outcomes: Outcome[]) {
  let over = false;
  let look: () => void = () => undefined;
  const person = async (ask: (service: Service, assistantId: number) => Promise<Outcome>) => {
    while (!over) {
      outcomes.push(await ask(service, assistantId));
      look();
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

/** Stands between a service and PostgreSQL, and cuts the connection with the answer to one statement, once. */
async function startCutting(port: number) {
  let wanted: string | undefined;
  let cut = false;
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let cutting = false;
    const close = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', close).on('close', close);
    }
    client.on('data', (bytes) => {
      if (wanted !== undefined && bytes.includes(wanted)) {
        wanted = undefined;
        cutting = true;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!cutting) return void client.write(bytes);
      // "Ready for query": by now it is committed.
      if (bytes.subarray(-6, -1).equals(Buffer.from([0x5a, 0, 0, 0, 5]))) {
        cut = true;
        close();
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    url: (real: string) => Object.assign(new URL(real), { port: String(own) }).href,
    cutAfter(statement: string) {
      wanted = statement;
    },
    wasCut: () => cut,
    end() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
