import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { refusalOf } from '../http/support/refusal.js';
import { atTheEnd } from '../support/at-the-end.js';
import { readStream, type Frame } from '../support/chat-client.js';
import { PROJECT_ROOT, startChild, type Child } from '../support/child-process.js';
import { describeOnEachEngine } from '../support/databases.js';
import { startFakeModel, uniqueName, type FakeModel } from '../support/fakes/fakes.js';
import { hang, partialText, say, type Step } from '../support/fakes/model-script.js';
import {
  makeDataDir,
  removeDataDir,
  type Service,
  startService,
  startServiceProcess,
} from '../support/service.js';

const run = promisify(execFile);

/** As a person starts it who has read nothing: no administrator, no key, no model. */
const BARE = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '', ADMIN_API_KEY: '', DEMO_DATA: 'true' };
const STACK = /\n\s+at |node:internal|\.[jt]s:\d+/;

interface RunView {
  readonly status: string;
  readonly error_code: string | null;
  readonly usage: { readonly completion_tokens: number };
}

interface Secrets {
  readonly login: string;
  readonly password: string;
  readonly key: string;
}

/** Starts it as `npm start` does, and reads what it prints for a person. */
async function startAndRead(dataDir: string): Promise<Child> {
  const settings = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, ...BARE };
  const urlIn = (line: string) => /^Bellwether is running at (\S+)$/.exec(line)?.[1];
  const child = await startChild('dist/src/main.js', settings, { urlIn });
  await child.waitForLine((line) => (line.trim().startsWith("-d '") ? line : undefined));
  return child;
}

/** The same in this process: it prints before it counts as started. */
const startBare = (dataDir: string, env: Record<string, string> = {}) =>
  startService({ ...BARE, ...env }, { dataDir });

function secretsIn(output: string): Secrets {
  const after = (title: string) => new RegExp(`^ +${title} +(\\S+)$`, 'm').exec(output)?.[1] ?? '';
  return { login: after('Admin login'), password: after('Password'), key: after('API key') };
}

const curlIn = (output: string) => /^curl [^]*?^ +-d '.*'$/m.exec(output)?.[0] ?? '';
const runIdIn = (answer: string) => /"run_id":"([^"]+)"/.exec(answer)?.[1] ?? '';

let first: ReturnType<typeof startFirst> | undefined;
/** Once for all. */
const firstStart = () => (first ??= startFirst());

/** What a first start printed, what came of using that, and what it left. */
async function startFirst() {
  const dataDir = await makeDataDir();
  atTheEnd(() => removeDataDir(dataDir));
  const child = await startAndRead(dataDir);
  const secrets = secretsIn(child.output());
  const { stdout: answer } = await run('sh', ['-c', curlIn(child.output())]);
  const asKey = await me(child.url, secrets.key);
  const asPerson = await login(child.url, secrets.login, secrets.password);
  const stoppedAt = Date.now();
  const exit = await child.stop('SIGTERM');
  return { dataDir, secrets, answer, asKey, asPerson, exit, stoppedIn: Date.now() - stoppedAt };
}

/** Leaves in the folder what the first start left, and tells what that printed. */
async function startedBefore(dataDir: string): Promise<Secrets> {
  const { dataDir: made, secrets } = await firstStart();
  await cp(made, dataDir, { recursive: true });
  return secrets;
}

/** A start that is meant to fail: its exit code and everything it said. */
async function startInVain(
  env: Record<string, string>,
  account: { uid?: number; gid?: number } = {},
): Promise<{ code: number | null; said: string }> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    cwd: PROJECT_ROOT,
    env: { PATH, HOME, PORT: '0', HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 10_000,
    ...account,
  });
  const said: string[] = [];
  for (const pipe of [child.stdout, child.stderr])
    pipe.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said: said.join('') };
}

const me = (url: string, key: string) =>
  fetch(`${url}/lamb/v1/me`, { headers: { authorization: `Bearer ${key}` } });

const login = (url: string, email: string, password: string) =>
  fetch(`${url}/lamb/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });

async function aTakenPort(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server) => String((server.address() as AddressInfo).port);

describe('starting', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await makeDataDir();
  });
  afterEach(async () => {
    await chmod(dataDir, 0o700);
    await removeDataDir(dataDir);
  });

  it('for the first time prints a login, a key and a curl line that answers with status and sources', async () => {
    const { answer: stdout, asKey, asPerson, exit } = await firstStart();

    const answer = await readStream(
      new Response(stdout, { headers: { 'content-type': 'text/event-stream' } }),
    ).whole();
    const types = answer.statuses.map(({ type }) => type);
    expect(types).to.include.members(['run.started', 'tool.started', 'tool.completed', 'run.completed']);
    expect(answer.text)
      .to.match(/last Friday/)
      .and.match(/light, water and carbon dioxide/);
    expect(answer.text).to.match(/\[1\] demo\/\S+\.md/);
    expect(answer.statuses.at(-1)?.sources).to.be.an('array').that.is.not.empty;
    expect(answer).to.include({ done: true, error: undefined });
    expect([asKey.status, asPerson.status]).to.deep.equal([200, 200]);
    expect(exit).to.deep.equal({ code: 0, signal: null });
  });

  it('again prints no secret, and what was printed before still works', async () => {
    const { login: email, password, key } = await startedBefore(dataDir);

    const second = await startBare(dataDir);
    const asKey = await me(second.url, key);
    const asPerson = await login(second.url, email, password);
    await second.stop();

    expect([asKey.status, asPerson.status]).to.deep.equal([200, 200]);
    expect(second.output()).not.to.match(/password|api key|curl|bw_/i);
    for (const secret of [password, key]) expect(second.output()).not.to.include(secret);
  });

  it('with ADMIN_PASSWORD and ADMIN_API_KEY set later lets those in, and prints neither', async () => {
    const { login: email, password: oldPassword } = await startedBefore(dataDir);
    const [password, key] = ['a new pass phrase', `key-${'k'.repeat(32)}`];

    const second = await startBare(dataDir, { ADMIN_PASSWORD: password, ADMIN_API_KEY: key });
    const answers = [
      await me(second.url, key),
      await login(second.url, email, password),
      await login(second.url, email, oldPassword),
    ];
    await second.stop();

    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 401]);
    for (const secret of [password, key, oldPassword]) expect(second.output()).not.to.include(secret);
  });

  it('for the first time with an administrator set prints neither password nor key', async () => {
    const [password, key] = ['a pass phrase of mine', `key-${'k'.repeat(32)}`];

    const service = await startBare(dataDir, { ADMIN_PASSWORD: password, ADMIN_API_KEY: key });
    await service.stop();

    expect(curlIn(service.output())).to.include('$ADMIN_API_KEY');
    for (const secret of [password, key]) expect(service.output()).not.to.include(secret);
  });

  it('with a bad configuration lists every fault at once, repeats no secret and exits 1', async () => {
    const bad = {
      PORT: 'many',
      DATABASE_URL: 'mysql://root:mysecret@db/x',
      ADMIN_EMAIL: 'nobody',
      ADMIN_PASSWORD: 'short1',
      ADMIN_API_KEY: 'tooshortkey',
      OPENAI_BASE_URL: 'ftp://models',
      TOOL_TIMEOUT_MS: '-1',
      TOOL_CONCURRENCY: '1.5',
      BODY_LIMIT: 'lots',
      LOG_LEVEL: 'loud',
      DEMO_DATA: 'perhaps',
    };

    const { code, said } = await startInVain({ DATA_DIR: dataDir, ...bad });

    expect(code).to.equal(1);
    for (const name of Object.keys(bad)) expect(said).to.match(new RegExp(`- ${name} must `));
    expect(said).not.to.match(STACK);
    for (const secret of ['mysecret', 'short1', 'tooshortkey']) expect(said).not.to.include(secret);
  });

  it('on a port that is in use says so and exits 1', async () => {
    const taken = await aTakenPort();

    const { code, said } = await startInVain({ DATA_DIR: dataDir, PORT: portOf(taken) });

    taken.close();
    expect(code).to.equal(1);
    expect(said).to.match(/port \d+ is in use.*PORT/);
    expect(said).not.to.match(STACK);
  });

  it('in vain for the first time loses no credentials: the start that succeeds prints them', async () => {
    const taken = await aTakenPort();
    const inVain = await startBare(dataDir, { PORT: portOf(taken) }).catch((fault: unknown) => String(fault));
    taken.close();

    const service = await startBare(dataDir);
    const { login: email, password, key } = secretsIn(service.output());
    const [asKey, asPerson] = [await me(service.url, key), await login(service.url, email, password)];
    await service.stop();

    expect(inVain).to.match(/port \d+ is in use/);
    expect([asKey.status, asPerson.status], service.output()).to.deep.equal([200, 200]);
  });

  it('on a DATA_DIR that is a file says so and exits 1', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');

    const { code, said } = await startInVain({ DATA_DIR: file });

    expect(code).to.equal(1);
    expect(said).to.include('DATA_DIR');
    expect(said).not.to.match(STACK);
  });

  it('on a DATA_DIR that is locked says so and exits 1', async function () {
    const isRoot = process.getuid?.() === 0;
    // Nothing is locked for root, so there the service runs as the account that owns nothing.
    const nobody = { uid: 65534, gid: 65534 };
    if (isRoot && !(await isReadableByAll(join(PROJECT_ROOT, 'dist/src/main.js')))) this.skip();
    await chmod(dataDir, 0o500);

    const { code, said } = await startInVain({ DATA_DIR: join(dataDir, 'data') }, isRoot ? nobody : {});

    expect(code, said).to.equal(1);
    expect(said).to.match(/permission.*DATA_DIR/);
    expect(said).not.to.match(STACK);
  });
});

/** Every folder above it must let others through, too. */
async function isReadableByAll(file: string): Promise<boolean> {
  const looking = spawn(process.execPath, ['-e', `require('fs').accessSync(${JSON.stringify(file)})`], {
    uid: 65534,
    gid: 65534,
    cwd: '/',
    stdio: 'ignore',
  });
  const [code] = (await once(looking, 'close')) as [number | null];
  return code === 0;
}

describe('stopping', () => {
  let model: FakeModel;
  let dataDir: string;
  before(async () => {
    model = await startFakeModel();
  });
  after(() => model.stop());
  beforeEach(async () => {
    dataDir = await makeDataDir();
  });
  afterEach(() => removeDataDir(dataDir));

  const withModel = (env: Record<string, string> = {}) => ({
    ...{ OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${model.url}/v1` },
    ...env,
  });
  /** To stop it fails unless it ends with 0. */
  const start = (env?: Record<string, string>) => startService(withModel(env), { dataDir });
  const startProcess = (env?: Record<string, string>) => startServiceProcess(withModel(env), { dataDir });
  const assistantOn = async (service: Service, ...steps: Step[]) => {
    const llm = uniqueName('model');
    await model.script(llm, steps);
    const { id } = await service.createAssistant({ metadata: { connector: 'openai', llm } });
    return { id, llm };
  };
  const stopping = async <Exit>(service: Pick<Service, 'waitForLog'> & { stop(): Promise<Exit> }) => {
    const exit = service.stop();
    await service.waitForLog(({ msg }) => msg === 'stopping');
    return { exit };
  };
  const textOf = (frame: Frame) => (frame === '[DONE]' ? '' : (frame.choices?.[0]?.delta.content ?? ''));

  it('while it runs: /healthz and /readyz answer 200 without a key', async () => {
    const service = await start();

    const health = await service.request('/healthz', { key: null });
    const ready = await service.request('/readyz', { key: null });
    await service.stop();

    expect([health.status, ready.status]).to.deep.equal([200, 200]);
  });

  it('by SIGTERM with nothing to do ends at once with 0, idle connections or not', async () => {
    const { exit, stoppedIn } = await firstStart();

    expect(exit).to.deep.equal({ code: 0, signal: null });
    expect(stoppedIn).to.be.lessThan(2_000);
  });

  it('by SIGINT with nothing to do ends at once with 0, idle connections or not', async () => {
    const service = await startProcess();
    await service.request('/healthz', { key: null });
    const startedAt = Date.now();

    const exit = await service.stop('SIGINT');

    expect(exit).to.deep.equal({ code: 0, signal: null });
    expect(Date.now() - startedAt).to.be.lessThan(2_000);
  });

  it('lets a stream under way finish, is not ready meanwhile, and takes nothing new', async () => {
    const service = await start();
    const gate = uniqueName('gate');
    const slow = await assistantOn(service, say('abcd', { chunks: 4, pause: { after: 2, until: gate } }));
    const quick = await assistantOn(service, say('never'), say('never'));
    const stream = await service.stream(slow.id, 'Hello?');
    const frames = stream.frames[Symbol.asyncIterator]();
    let text = '';
    while (text !== 'ab') text += textOf((await frames.next()).value as Frame);

    const { exit } = await stopping(service);
    const ready = await service.request('/readyz', { key: null });
    const health = await service.request('/healthz', { key: null });
    const newChat = await service.chat(quick.id, 'Me too?');
    const newStream = await service.stream(quick.id, 'Me too?');
    const newStreamBody = await newStream.response.text();
    await model.release(gate);
    let last: Frame | undefined;
    for (let step = await frames.next(); !step.done; step = await frames.next()) {
      last = step.value;
      text += textOf(last);
    }

    expect([ready.status, health.status]).to.deep.equal([503, 200]);
    expect(refusalOf(newChat, 503)).to.include({ code: 'shutting_down' });
    expect(Number(newChat.headers.get('retry-after'))).to.be.greaterThan(0);
    expect(newStream.response.status).to.equal(503);
    expect(JSON.parse(newStreamBody)).to.have.nested.property('error.code', 'shutting_down');
    expect(text).to.equal('abcd');
    expect(last).to.equal('[DONE]');
    await exit;
    expect(await model.ledger(quick.llm)).to.have.length(0);
  });

  it('is told by /readyz first, and for a while everybody is still served', async () => {
    const service = await start({ DRAIN_DELAY_MS: '2500' });
    const { id } = await assistantOn(service, say('Still here.'));

    const exit = service.stop();
    let ready = await service.request('/readyz', { key: null });
    while (ready.status === 200) ready = await service.request('/readyz', { key: null });
    const health = await service.request('/healthz', { key: null });
    const answer = await service.chat(id, 'Are you there?');

    expect([ready.status, health.status, answer.status]).to.deep.equal([503, 200, 200]);
    // So that no proxy sends the next one into a connection that is about to be closed.
    expect(answer.headers.get('connection')).to.equal('close');
    await exit;
  });

  it('ends what does not finish in time with one typed error, and has it on record', async () => {
    const service = await start({ SHUTDOWN_GRACE_MS: '200' });
    const { id, llm } = await assistantOn(service, hang(2), hang(2));
    const stream = await service.stream(id, 'Hello?');
    const reading = stream.whole();
    const asking = service.chat(id, 'Hello?');
    await model.waitFor(llm, { requests: 2 });

    const { exit } = await stopping(service);
    const [seen, whole] = await Promise.all([reading, asking]);
    await exit;
    const again = await start();
    const runIds = [stream.response.headers.get('x-run-id'), whole.headers.get('x-run-id')];
    const runs = await Promise.all(
      runIds.map((runId) => again.request<RunView>(`/lamb/v1/runs/${runId ?? ''}`)),
    );
    await again.stop();

    expect(seen).to.include({ text: partialText(2), done: false });
    expect(seen.chunks.filter(({ error }) => error)).to.have.length(1);
    expect(seen.frames.at(-1)).to.have.nested.property('error.code', 'shutting_down');
    expect(refusalOf(whole, 503)).to.include({ code: 'shutting_down' });
    for (const { status, json } of runs) {
      expect(status).to.equal(200);
      expect(json).to.include({ error_code: 'shutting_down' });
      expect(json.usage.completion_tokens).to.be.greaterThan(0);
    }
  });

  it('with twenty streams ends them all in time', async () => {
    const service = await start({ SHUTDOWN_GRACE_MS: '200' });
    const { id, llm } = await assistantOn(service, ...Array<Step>(20).fill(hang(1)));
    const streams = await Promise.all(Array.from({ length: 20 }, () => service.stream(id, 'Hello?')));
    const reading = Promise.all(streams.map((stream) => stream.whole()));
    await model.waitFor(llm, { requests: 20 });
    const startedAt = Date.now();

    await service.stop();

    const ends = (await reading).map(({ frames }) => frames.at(-1) as { error?: { code?: string } });
    expect(ends.map(({ error }) => error?.code)).to.deep.equal(Array(20).fill('shutting_down'));
    expect(Date.now() - startedAt).to.be.lessThan(4_000);
    await model.waitFor(llm, { closed: 20 });
  });

  it('right after readers have left still has their runs on record', async () => {
    const service = await start({ SHUTDOWN_GRACE_MS: '200' });
    const { id, llm } = await assistantOn(service, ...Array<Step>(20).fill(hang(1)));
    const leaving = new AbortController();
    const options = { signal: leaving.signal };
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => service.stream(id, 'Hello?', options)),
    );
    await model.waitFor(llm, { requests: 20 });

    leaving.abort();
    await model.waitFor(llm, { closed: 20 });
    await service.stop();
    const again = await start();
    const ids = streams.map(({ response }) => response.headers.get('x-run-id') ?? '');
    const runs = await Promise.all(ids.map((runId) => again.request<RunView>(`/lamb/v1/runs/${runId}`)));
    await again.stop();

    expect(runs.map(({ json }) => json.status)).to.deep.equal(Array(20).fill('cancelled'));
  });
});

describeOnEachEngine('a service and its database', (_open, target) => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await makeDataDir();
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const settings = async (): Promise<Record<string, string>> => {
    const database = await target();
    return database.kind === 'postgres' ? { DATABASE_URL: database.url } : {};
  };

  it('starts on an empty one, chats, and knows its key and its runs after a restart', async () => {
    const env = await settings();
    const first = await startBare(dataDir, env);
    const { key } = secretsIn(first.output());
    const { stdout } = await run('sh', ['-c', curlIn(first.output())]);
    const runId = runIdIn(stdout);
    await first.stop();

    const second = await startBare(dataDir, env);
    const headers = { authorization: `Bearer ${key}` };
    const found = await fetch(`${second.url}/lamb/v1/runs/${runId}`, { headers });
    const listed = await fetch(`${second.url}/lamb/v1/assistants`, { headers });
    const [runView, { data }] = [
      (await found.json()) as RunView,
      (await listed.json()) as { data: object[] },
    ];
    await second.stop();

    expect(stdout).to.include('data: [DONE]');
    expect(runView).to.include({ status: 'completed' });
    expect(data).to.have.length(3);
    expect(second.output()).not.to.include(key);
  });
});
