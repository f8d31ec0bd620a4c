import { join } from 'node:path';
import { expect } from 'chai';
import { openDb } from '../../db/open.js';
import { collectionsOf, type DocumentRecord, until } from '../http/support/collection-client.js';
import { type FakeEmbeddings, startFakeEmbeddings, uniqueName } from '../support/fakes/fakes.js';
import {
  makeDataDir,
  removeDataDir,
  type Service,
  startService,
  startServiceProcess,
} from '../support/service.js';

const PARTS = 300;
const LONG = Array.from(
  { length: PARTS },
  (_, i) => `# Part ${String(i)}\n\nStomata number ${String(i)} open.\n`,
).join('\n');

/** The progress at which a document has all its passages, and its first vectors are asked for. */
const INDEXED = 70;

describe('a service that ends while it takes a document in', function () {
  this.timeout(90_000);
  let fake: FakeEmbeddings;
  let model: string;
  let dataDir: string;
  let service: Service;
  before(async () => {
    fake = await startFakeEmbeddings();
  });
  after(() => fake.stop());
  beforeEach(async () => {
    model = uniqueName('embed');
    dataDir = await makeDataDir();
  });
  afterEach(async () => {
    await service.stop();
    await removeDataDir(dataDir);
  });
  const settings = () => ({
    ...{ OPENAI_API_KEY: 'sk-embeddings', OPENAI_BASE_URL: `${fake.url}/v1`, EMBEDDINGS: `openai:${model}` },
  });
  const start = async () => {
    service = await startService(settings(), { dataDir });
  };
  const here = () => collectionsOf(service, service.adminKey);
  /** Once all its passages are written, the document lacks vectors only, and those do not come: it stays half-done. */
  const takeInHalf = async (id: string, files: readonly (readonly [string, string])[]) => {
    await fake.faults(model, ['silent', 'silent']);
    const { json } = await here().upload(id, files);
    const document = json.documents[0]!.id;
    await until(
      () => here().document(id, document),
      ({ progress }) => progress >= INDEXED,
    );
    return json.documents;
  };
  /** Until then the process that has it counts as alive. */
  const leaseUntil = async (time: string) => {
    const db = await openDb({ kind: 'sqlite', file: join(dataDir, 'bellwether.db') });
    await db('documents').whereNotNull('lease_until').update({ lease_until: time });
    await db.destroy();
  };

  it('loses nothing that was acknowledged when it is killed, and shows nothing half-done', async () => {
    const killed = await startServiceProcess(settings(), { dataDir });
    service = killed;
    const { id } = await here().make();
    const old = await here().takeIn(id, 'old.md', '# Leaves\n\nStomata let gases pass.');
    const [long, next] = (await takeInHalf(id, [
      ['long.md', LONG],
      ['next.md', '# Roots\n\nRoots take up water.'],
    ])) as [DocumentRecord, DocumentRecord];

    await killed.kill();
    await fake.faults(model, []);
    await leaseUntil('2099-01-01T00:00:00.000Z');
    await start();
    const first = await here().document(id, long.id);
    const found = await here().ask(id, 'stomata', { top_k: 100 });
    await service.stop();
    await leaseUntil('2020-01-01T00:00:00.000Z');
    await start();

    expect(first.status).to.equal('processing');
    expect(found.json.results.map(({ metadata }) => metadata.filename)).to.deep.equal(['old.md']);
    const done = [await here().settled(id, long.id), await here().settled(id, next.id)];
    expect(done.map(({ status }) => status)).to.deep.equal(['ready', 'ready']);
    const { json: collection } = await here().send<{ documents: number; passages: number }>(`/${id}`);
    expect(collection.documents).to.equal(3);
    expect(collection.passages).to.equal(done[0]!.passages + done[1]!.passages + old.passages);
    expect((await here().ask(id, `number ${String(PARTS - 1)}`)).json.results[0]?.data).to.contain(
      String(PARTS - 1),
    );
  });

  it('goes on where it was after it was stopped in good order, without waiting', async () => {
    await start();
    const { id } = await here().make();
    const [{ id: document }] = (await takeInHalf(id, [['long.md', LONG]])) as [DocumentRecord];

    await service.stop();
    await fake.faults(model, []);
    await start();

    expect(await here().settled(id, document)).to.deep.include({ status: 'ready', faults: [] });
  });
});
