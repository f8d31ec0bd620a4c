import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { aPerson, speakingTo, type Person } from '../http/support/users-fixture.js';
import { describeOnEachEngine } from '../support/databases.js';
import { uniqueName } from '../support/fakes/fakes.js';
import { call, say, type Step } from '../support/fakes/model-script.js';
import { startProgram } from '../support/program.js';
import { makeDataDir, removeDataDir, type ServiceProcess } from '../support/service.js';
import {
  createTestServiceProcess,
  endWorld,
  METRICS_TOKEN,
  type TestService,
} from '../support/test-service.js';
import { makeToolFolder, type ToolFolder } from '../support/tool-folder.js';
import { aLineToEach, openLine, type WorkerLine } from '../support/worker-lines.js';

const LIMIT = 10;
/** To ask all the time would take the processor from those who are to end. */
const BETWEEN_LOOKS_MS = 100;

/** Breaks where nobody can catch it, after the call is over. */
const STUMBLE = `
import { defineTool } from 'bellwether/tool';
import { z } from 'zod';

export default defineTool({
  name: 'stumble',
  title: 'Stumble',
  description: 'Stumbles.',
  category: 'information',
  version: '1.0.0',
  danger: 'read',
  repeatable: false,
  config: z.object({}),
  args: z.object({}),
  asFunction: () => ({ name: 'stumble' }),
  touches: () => [],
  status: () => 'stumbling',
  async run() {
    setImmediate(() => { throw new Error('stumbled'); });
    return { content: 'done' };
  },
});
`;

const saysSo = (wanted: string) => (line: Readonly<Record<string, unknown>>) => line['msg'] === wanted;
const TOOK_OVER = saysSo('a worker took the place of another');

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('two workers (WORKERS=2)', function () {
  this.timeout(60_000);
  let world: TestService<ServiceProcess>;
  let service: ServiceProcess;
  let tools: ToolFolder;
  let person: Person;
  let lines: readonly WorkerLine[];
  before(async () => {
    tools = await makeToolFolder({ 'stumble.mjs': STUMBLE });
    world = await createTestServiceProcess({
      WORKERS: '2',
      RATE_LIMIT: String(LIMIT),
      TOOLS_DIR: tools.path,
    });
    service = world.service;
  });
  after(async () => {
    await endWorld(world);
    await tools.remove();
  });
  beforeEach(async () => {
    person = await aPerson(service, { config: speakingTo(world.model) });
    lines = await aLineToEach(service, 2);
  });
  afterEach(() => Promise.all(lines.map((line) => line.close())));

  const both = () => lines as readonly [WorkerLine, WorkerLine];
  const assistant = async (steps: readonly Step[], tools: readonly object[] = []) => {
    const llm = uniqueName('model');
    await world.model.script(llm, steps);
    const metadata = { _format_version: 2, connector: 'openai', llm, tools };
    return service.createAssistant({ metadata }, { key: person.key });
  };

  const runsOf = async (line: WorkerLine) => {
    const { text } = await line.ask('/metrics', METRICS_TOKEN);
    return Number(/^bellwether_runs_total{status="completed"} (\d+)$/m.exec(text)?.[1]);
  };
  const chatAtBoth = async () => {
    const { id } = await assistant([say('One.'), say('Two.')]);
    const body = { model: String(id), messages: [{ role: 'user', content: 'Hello?' }] };
    for (const line of both()) await line.ask('/v1/chat/completions', person.key, body);
  };

  it('tell the metrics of both, whichever is asked', async () => {
    const [one, other] = both();
    const before = await runsOf(one);
    await chatAtBoth();

    expect([await runsOf(one), await runsOf(other)]).to.deep.equal([before + 2, before + 2]);
  });

  it('answer on one port beside their keeper, and announce themselves once', () => {
    const pids = new Set([service.pid, ...lines.map(({ pid }) => pid)]);

    const announced = service.logs().filter(saysSo('listening'));

    expect(pids.size).to.equal(3);
    expect(announced).to.have.length(1);
    expect(announced[0]).to.include({ url: service.url, workers: 2, pid: service.pid });
    expect(service.output().match(/Bellwether is running at/g)).to.have.length(1);
  });

  it('count the requests of a key together', async () => {
    const [one, two] = both();
    const half = Array.from({ length: LIMIT / 2 });
    const me = (line: WorkerLine) => line.ask('/lamb/v1/me', person.key).then(({ status }) => status);

    const spent = await Promise.all([...half.map(() => me(one)), ...half.map(() => me(two))]);
    const beyond = [await me(one), await me(two)];

    expect(spent).to.deep.equal(Array(LIMIT).fill(200));
    expect(beyond).to.deep.equal([429, 429]);
  });

  it('count wrong passwords for an account together', async () => {
    const { email } = await aPerson(service, { password: 'another' });
    const login = { email, password: 'wrong' };
    const tries = Array.from({ length: 12 }, (_, i) => both()[i % 2 === 0 ? 0 : 1]);

    const answers = await Promise.all(tries.map((line) => line.ask('/lamb/v1/auth/login', '', login)));

    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).to.have.length(10);
    expect(statuses.filter((status) => status === 429)).to.have.length(2);
  });

  it('see at once what was written through the other', async () => {
    const [one, two] = both();
    const { id } = await assistant([say('never')]);
    const path = `/lamb/v1/assistants/${String(id)}`;

    const made = await one.ask('/lamb/v1/api-keys', person.key, { name: 'second' });
    const { key } = JSON.parse(made.text) as { key: string };
    const statuses = [await one.ask(path, key), await two.ask(path, key)].map(({ status }) => status);

    expect(statuses).to.deep.equal([200, 200]);
  });

  it('cancel a call over MCP although the word of it reaches the other', async () => {
    const [one, two] = both();
    const city = uniqueName('Slowtown');
    const params = { name: 'weather', arguments: { city } };

    const calling = one
      .ask('/lamb/v1/mcp', person.key, { jsonrpc: '2.0', id: 7, method: 'tools/call', params })
      .catch(() => undefined);
    await world.weather.waitFor(city, { requests: 1 });
    const word = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    await two.ask('/lamb/v1/mcp', person.key, word);
    const [row] = await world.weather.waitFor(city, { closed: 1 });
    await calling;

    expect(row?.closedEarly).to.equal(true);
  });

  it('do not mind that one is killed: the other goes on, its metrics are not lost, and a new one takes its place', async () => {
    const [one, two] = both();
    await chatAtBoth();
    const runs = await runsOf(two);
    const gate = uniqueName('gate');
    const { id } = await assistant([say('abcd', { chunks: 4, pause: { after: 2, until: gate } })]);
    const stream = await one.stream(id, person.key);
    const replacedBefore = service.logs().filter(TOOK_OVER).length;

    process.kill(two.pid, 'SIGKILL');
    await service.waitForLog((line) => saysSo('a worker ended')(line) && line['worker'] === two.pid);
    await service.waitForLog(() => service.logs().filter(TOOK_OVER).length > replacedBefore, 15_000);
    const now = await aLineToEach(service, 2);
    const runsAfter = await runsOf(now.find(({ pid }) => pid === one.pid)!);
    await world.model.release(gate);
    const seen = await stream.whole();
    await Promise.all(now.map((line) => line.close()));

    expect(runsAfter).to.equal(runs);
    expect(seen).to.include({ text: 'abcd', done: true });
    expect(now.map(({ pid }) => pid))
      .to.include(one.pid)
      .and.not.include(two.pid);
    expect(service.logs().filter(saysSo('listening'))).to.have.length(1);
  });

  it('keep what breaks in one of them from the other, and replace that one while its answers end', async () => {
    const [one, two] = both();
    const gate = uniqueName('gate');
    const slow = { chunks: 4, pause: { after: 2, until: gate } };
    const stumbling = [{ type: 'stumble', enabled: true, mode: 'function', config: {} }];
    const broken = await assistant([call('stumble', {}), say('over', slow)], stumbling);
    const sound = await assistant([say('well', slow)]);
    const replacedBefore = service.logs().filter(TOOK_OVER).length;

    const streams = await Promise.all([one.stream(broken.id, person.key), two.stream(sound.id, person.key)]);
    await service.waitForLog(
      (line) => saysSo('an exception was not caught')(line) && line['pid'] === one.pid,
    );
    await service.waitForLog(() => service.logs().filter(TOOK_OVER).length > replacedBefore, 15_000);
    const newcomers = await Promise.all(Array.from({ length: 6 }, () => openLine(service)));
    await world.model.release(gate);
    const seen = await Promise.all(streams.map((stream) => stream.whole()));
    await service.waitForLog((line) => saysSo('stopped')(line) && line['pid'] === one.pid);
    await Promise.all(newcomers.map((line) => line.close()));

    expect(seen.map(({ text, done }) => [text, done])).to.deep.equal([
      ['over', true],
      ['well', true],
    ]);
    expect(newcomers.map(({ pid }) => pid))
      .to.include(two.pid)
      .and.not.include(one.pid);
  });
});

describe('two workers that cannot have their address', function () {
  this.timeout(60_000);

  it('say once that the port is in use, leave nothing behind and exit 1', async () => {
    const dataDir = await makeDataDir();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const PORT = String((taken.address() as AddressInfo).port);

    const settings = { WORKERS: '2', HOST: '127.0.0.1', DATA_DIR: dataDir, PORT };
    const { code, said } = await startProgram('dist/src/main.js', [], settings).exited;
    const left = await readdir(dataDir);
    taken.close();
    await removeDataDir(dataDir);

    expect(code).to.equal(1);
    expect(said.match(/could not start: port \d+ is in use\. Set PORT to a free one\./g)).to.have.length(1);
    expect(left).to.deep.equal([]);
  });

  it('say which setting names no address of the machine', async () => {
    const dataDir = await makeDataDir();

    const settings = { WORKERS: '2', HOST: 'not a host', DATA_DIR: dataDir, PORT: '0' };
    const { code, said } = await startProgram('dist/src/main.js', [], settings).exited;
    await removeDataDir(dataDir);

    expect(code).to.equal(1);
    expect(
      said.match(/could not start: not a host is no address of this machine\. Set HOST/g),
    ).to.have.length(1);
  });
});

describeOnEachEngine('two workers on an empty database', (_open, target) => {
  it('make it once, each finds what the other has recorded, and to stop is told by /readyz first, serves everybody for a while, lets the streams of both finish, ends every process and exits 0', async function () {
    this.timeout(60_000);
    const database = await target();
    const world = await createTestServiceProcess({
      ...{ WORKERS: '2', DEMO_DATA: 'true', RATE_LIMIT: '0' },
      DRAIN_DELAY_MS: '2500',
      ...(database.kind === 'postgres' ? { DATABASE_URL: database.url } : {}),
    });
    const { service, model } = world;
    const lines = await aLineToEach(service, 2);
    const [one, two] = lines as [WorkerLine, WorkerLine];
    const key = service.adminKey;
    const statusOf = async (line: WorkerLine, path: string) => (await line.ask(path, key)).status;
    const streamsOf = (id: number) => Promise.all(lines.map((line) => line.stream(id, key)));

    const { json } = await service.request<{ data: readonly { id: number }[] }>('/lamb/v1/assistants');
    const recorded = await streamsOf(json.data[0]?.id ?? 0);
    await Promise.all(recorded.map((stream) => stream.whole()));
    const runIds = recorded.map(({ response }) => response.headers.get('x-run-id') ?? '');
    const found = [
      await statusOf(two, `/lamb/v1/runs/${runIds[0] ?? ''}`),
      await statusOf(one, `/lamb/v1/runs/${runIds[1] ?? ''}`),
    ];

    const gate = uniqueName('gate');
    const slow = say('abcd', { chunks: 4, pause: { after: 2, until: gate } });
    const { id, model: llm } = await world.assistant([slow, slow]);
    const quick = await world.assistant([say('Still here.')], { repeat: true });
    const reading = Promise.all((await streamsOf(id)).map((stream) => stream.whole()));
    await model.waitFor(llm, { requests: 2 });
    const exit = service.stop('SIGTERM');
    let ready = await service.request('/readyz', { key: null });
    while (ready.status === 200) ready = await service.request('/readyz', { key: null });
    const health = await service.request('/healthz', { key: null });
    const served = await service.chat(quick.id, 'Are you there?');
    let refused = await service.chat(quick.id, 'Me too?');
    while (refused.status === 200) {
      await delay(BETWEEN_LOOKS_MS);
      refused = await service.chat(quick.id, 'Me too?');
    }
    await model.release(gate);
    const seen = await reading;
    const ended = await exit;
    await Promise.all([endWorld(world), ...lines.map((line) => line.close())]);

    expect(json.data).to.have.length(3);
    expect(found).to.deep.equal([200, 200]);
    expect([ready.status, health.status, served.status]).to.deep.equal([503, 200, 200]);
    // So that no proxy sends the next one into a connection that is about to be closed.
    expect(served.headers.get('connection')).to.equal('close');
    expect(refused.status).to.equal(503);
    expect(seen.map(({ text, done }) => [text, done])).to.deep.equal([
      ['abcd', true],
      ['abcd', true],
    ]);
    expect(ended).to.deep.equal({ code: 0, signal: null });
    expect(lines.map(({ pid }) => isAlive(pid))).to.deep.equal([false, false]);
  });
});
