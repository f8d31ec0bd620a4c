import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeDataDir, removeDataDir, type Service, startServiceProcess } from '../support/service.js';

const HELD_ROUTES = new URL('./held-routes.mjs', import.meta.url).href;

describe('a service whose routes are still being loaded', () => {
  let dataDir: string;
  let held: string;
  let assistant: number;
  let service: Service | undefined;
  before(async () => {
    dataDir = await makeDataDir();
    held = join(dataDir, 'held');
    const before = await startServiceProcess({}, { dataDir });
    const made = await before.createAssistant({ metadata: { connector: 'demo' } });
    assistant = made.id;
    await before.stop();
  });
  after(() => removeDataDir(dataDir));
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  const startHeld = async (how = '') => {
    await writeFile(held, how);
    const env = { NODE_OPTIONS: `--import=${HELD_ROUTES}`, HELD_ROUTES: held };
    return startServiceProcess(env, { dataDir });
  };

  it('answers chats, and all that was asked meanwhile once they are there', async () => {
    service = await startHeld();
    let isReady = false;
    const ready = service.request('/readyz').finally(() => (isReady = true));
    const listed = service.request<{ data: readonly object[] }>('/v1/models');

    const chat = await service.chat(assistant, 'Hello');
    const stream = await service.stream(assistant, 'Hello');
    const { text } = await stream.whole();

    expect([chat.status, text === '', isReady]).to.deep.equal([200, false, false]);
    await rm(held);
    expect((await ready).status).to.equal(200);
    expect((await listed).json.data).to.have.length(1);
  });

  it('stops in good order all the same', async () => {
    const started = await startHeld();
    const asked = started.request('/readyz').catch(() => undefined);
    const stopped = started.stop();
    await started.waitForLog(({ msg }) => msg === 'stopping');
    await rm(held);

    await stopped;
    await asked;

    expect(started.logs().map(({ msg }) => msg)).to.include('stopped');
  });

  it('ends and says so when they cannot be loaded', async () => {
    const started = await startHeld('broken');

    const { code } = await started.exited;
    await rm(held);

    expect(code).to.equal(1);
    expect(started.output()).to.contain('Bellwether could not start: The routes cannot be loaded.');
  });
});
