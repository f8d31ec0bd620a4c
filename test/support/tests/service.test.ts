import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  ADMIN_EMAIL,
  ADMIN_KEY,
  ADMIN_PASSWORD,
  makeDataDir,
  removeDataDir,
  startService,
  startServiceProcess,
} from '../service.js';

/** Speaks as the service does, so that the launcher and its client can be shown to work by themselves. */
const STAND_IN = `
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
const server = createServer(async (req, res) => {
  const sent = await text(req);
  const { authorization = null, 'content-type': type = null } = req.headers;
  const body = type === 'application/json' ? JSON.parse(sent) : sent;
  if (req.url === '/lamb/v1/assistants') {
    return res.writeHead(body.metadata ? 201 : 422).end(JSON.stringify({ ...body, id: 7, version: 1 }));
  }
  if (!body.stream) return res.end(JSON.stringify({ method: req.method, authorization, type, body }));
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = (content) => JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
  res.write('data: ' + chunk('a') + '\\n\\ndata: ' + chunk('b') + '\\n\\n');
  if (body.hold) return res.on('close', () => console.log(JSON.stringify({ msg: 'left' })));
  res.end('data: [DONE]\\n\\n');
});
process.on('SIGTERM', () => process.exit(0));
server.listen(Number(process.env.PORT), process.env.HOST, () => {
  console.log(JSON.stringify({ msg: 'starting', env: process.env }));
  console.log(JSON.stringify({ msg: 'listening', url: 'http://127.0.0.1:' + server.address().port }));
});
`;

describe('startServiceProcess', function () {
  this.timeout(60_000);

  let folder: string;
  let entry: string;

  before(async () => {
    folder = await makeDataDir();
    entry = join(folder, 'stand-in.mjs');
    await writeFile(entry, STAND_IN);
  });
  after(() => removeDataDir(folder));

  it('gives the service a clean environment and a folder that goes with it', async () => {
    const service = await startServiceProcess({ RATE_LIMIT: '5' }, { entry });
    const existed = existsSync(service.dataDir);
    const exit = await service.stop();

    const [starting] = service.logs();
    expect(starting?.['env']).to.include({ PORT: '0', DATA_DIR: service.dataDir, RATE_LIMIT: '5' });
    expect(starting?.['env']).to.not.have.property('npm_config_user_agent');
    expect(exit).to.deep.equal({ code: 0, signal: null });
    expect([existed, existsSync(service.dataDir)]).to.deep.equal([true, false]);
  });

  it('keeps a folder it was given, also when killed', async () => {
    const dataDir = await makeDataDir();

    const first = await startServiceProcess({}, { entry, dataDir });
    const exit = await first.kill();
    const second = await startServiceProcess({}, { entry, dataDir });
    await second.stop();

    expect(exit).to.deep.equal({ code: null, signal: 'SIGKILL' });
    expect(existsSync(dataDir)).to.equal(true);
    await removeDataDir(dataDir);
  });

  it('sends JSON, text and forms, with the key asked for', async () => {
    const service = await startServiceProcess({}, { entry });
    const form = new FormData();
    form.set('path', 'notes.txt');

    const asAdmin = await service.request('/x', { body: { a: 1 } });
    const asNobody = await service.request('/x', { body: '{', key: null, method: 'PUT' });
    const withForm = await service.request<{ type: string }>('/x', { body: form, key: 'k' });
    await service.stop();

    const bearer = `Bearer ${ADMIN_KEY}`;
    expect(asAdmin.json).to.deep.include({ method: 'POST', authorization: bearer, body: { a: 1 } });
    expect(asNobody.json).to.deep.include({ method: 'PUT', authorization: null, body: '{' });
    expect(withForm.json).to.include({ authorization: 'Bearer k' });
    expect(withForm.json.type).to.match(/^multipart\/form-data/);
  });

  it('makes assistants, and fails when it cannot', async () => {
    const service = await startServiceProcess({}, { entry });

    const made = await service.createAssistant({ metadata: {} });
    const error = await service.createAssistant({}).catch((reason: unknown) => reason);
    await service.stop();

    expect(made)
      .to.include({ id: 7 })
      .and.have.property('name')
      .that.matches(/^assistant-/);
    expect(error).to.be.instanceOf(Error).with.property('message').that.includes('422');
  });

  it('chats and streams with the assistant', async () => {
    const service = await startServiceProcess({}, { entry });

    const answer = await service.chat(7, 'Hello?');
    const stream = await service.stream(7, { messages: [] });
    const whole = await stream.whole();
    await service.stop();

    const messages = [{ role: 'user', content: 'Hello?' }];
    expect(answer.json).to.deep.include({ body: { model: 'lamb_assistant.7', messages } });
    expect(whole).to.deep.include({ text: 'ab', done: true, error: undefined, statuses: [] });
    expect(stream.raw()).to.match(/^data: \{.*\n\n.*\n\ndata: \[DONE\]\n\n$/s);
  });

  it('hangs up when the loop over the frames is left', async () => {
    const service = await startServiceProcess({}, { entry });

    const stream = await service.stream(7, { messages: [], hold: true });
    for await (const frame of stream.frames) {
      expect(frame).to.have.nested.property('choices[0].delta.content', 'a');
      break;
    }
    const left = await service.waitForLog((line) => line['msg'] === 'left');
    await service.stop();

    expect(left).to.deep.equal({ msg: 'left' });
  });

  it('fails with the output of a service that does not start', async () => {
    const broken = join(folder, 'broken.mjs');
    await writeFile(broken, `console.error('PORT is not a number'); process.exit(1);`);

    const error = await startServiceProcess({}, { entry: broken }).catch((reason: unknown) => reason);

    expect(error).to.be.instanceOf(Error).with.property('message').that.includes('PORT is not a number');
  });

  it('fails with the output of a program that is not there', async () => {
    const error = await startServiceProcess({}, { entry: 'dist/missing.js' }).catch(String);

    expect(error).to.include('Cannot find module');
  });
});

describe('startService', function () {
  this.timeout(60_000);

  it('starts the service in this process, on a folder that goes with it when it is stopped', async () => {
    const service = await startService({ RATE_LIMIT: '0' });
    const health = await service.request('/healthz', { key: null });
    const existed = existsSync(service.dataDir);
    await service.stop();

    expect(health.status).to.equal(200);
    expect(service.logs().map(({ msg }) => msg)).to.include.members(['listening', 'stopped']);
    expect(service.logs().map(({ msg }) => String(msg))).to.not.satisfy((lines: string[]) =>
      lines.some((line) => line.includes('not in good order')),
    );
    expect([existed, existsSync(service.dataDir)]).to.deep.equal([true, false]);
  });

  it('has an administrator, whose password and key hold and are kept out of what it says', async () => {
    const service = await startService({ LOG_LEVEL: 'debug' });
    const body = { email: ADMIN_EMAIL, password: ADMIN_PASSWORD };
    const signedIn = await service.request('/lamb/v1/auth/login', { body, key: null });
    const me = await service.request('/lamb/v1/me');
    const odd = await service.request(`/lamb/v1/assistants/${encodeURIComponent(ADMIN_PASSWORD)}`);
    await service.stop();

    expect([signedIn.status, me.status]).to.deep.equal([200, 200]);
    expect(odd.status).to.be.within(400, 499);
    expect(service.output()).to.not.include(ADMIN_KEY).and.not.include(ADMIN_PASSWORD);
  });

  it('starts several beside each other that have nothing in common', async () => {
    const [one, other] = await Promise.all([startService(), startService()]);
    const { name } = await one.createAssistant({ metadata: {} });
    const lists = await Promise.all([one, other].map(({ request }) => request('/lamb/v1/assistants')));
    await one.stop();
    const health = await other.request('/healthz', { key: null });
    await other.stop();

    expect(lists.map(({ text }) => text.includes(name))).to.deep.equal([true, false]);
    expect(health.status).to.equal(200);
  });

  it('keeps a folder it was given, with what is in it', async () => {
    const dataDir = await makeDataDir();

    const first = await startService({}, { dataDir });
    const { id } = await first.createAssistant({ metadata: {} });
    await first.stop();
    const second = await startService({}, { dataDir });
    const kept = await second.request(`/lamb/v1/assistants/${String(id)}`);
    await second.stop();

    expect(kept.status).to.equal(200);
    await removeDataDir(dataDir);
  });

  it('fails with what was said when the service does not start', async () => {
    const service = await startService();
    const { port } = new URL(service.url);

    const errors = await Promise.all([
      startService({ PORT: port }).catch(String),
      startService({ PORT: 'none' }).catch(String),
    ]);
    await service.stop();

    expect(errors[0]).to.include(`port ${port} is in use`);
    expect(errors[1]).to.include('PORT must be a whole number');
  });
});
