import { join } from 'node:path';
import { expect } from 'chai';
import { openDb } from '../../db/open.js';
import { collectionsOf, type DocumentRecord, until } from '../http/support/collection-client.js';
import { makeDataDir, removeDataDir, type ServiceProcess, startServiceProcess } from '../support/service.js';

const PARTS = 3_000;
const LONG = Array.from(
  { length: PARTS },
  (_, i) => `# Part ${String(i)}\n\nStomata number ${String(i)} open.\n`,
).join('\n');

describe('a service killed while it takes a document in', function () {
  this.timeout(90_000);
  let dataDir: string;
  let service: ServiceProcess;
  beforeEach(async () => {
    dataDir = await makeDataDir();
    service = await startServiceProcess({}, { dataDir });
  });
  afterEach(async () => {
    await service.stop();
    await removeDataDir(dataDir);
  });
  const here = () => collectionsOf(service, service.adminKey);
  /** As if the half minute after which a silent process counts as dead had passed. */
  const passTime = async () => {
    const db = await openDb({ kind: 'sqlite', file: join(dataDir, 'bellwether.db') });
    await db('documents').whereNotNull('lease_until').update({ lease_until: '2020-01-01T00:00:00.000Z' });
    await db.destroy();
  };

  it('loses nothing that was acknowledged, and shows nothing half-done', async () => {
    const { id } = await here().make();
    const old = await here().takeIn(id, 'old.md', '# Leaves\n\nStomata let gases pass.');
    const { json } = await here().upload(id, [
      ['long.md', LONG],
      ['next.md', '# Roots\n\nRoots take up water.'],
    ]);
    const [long, next] = json.documents as [DocumentRecord, DocumentRecord];
    await until(
      () => here().document(id, long.id),
      ({ stage, progress }) => stage === 'indexing' && progress > 50,
    );

    await service.kill();
    await passTime();
    service = await startServiceProcess({}, { dataDir });
    const first = await here().document(id, long.id);
    const found = await here().ask(id, 'stomata', { top_k: 100 });

    expect(first.status).not.to.equal('ready');
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
    const { id } = await here().make();
    const { json } = await here().upload(id, [['long.md', LONG]]);
    const document = json.documents[0]!.id;
    await until(
      () => here().document(id, document),
      ({ status }) => status === 'processing',
    );

    const exit = await service.stop();
    service = await startServiceProcess({}, { dataDir });

    expect(exit).to.include({ code: 0 });
    expect(await here().settled(id, document)).to.include({ status: 'ready' });
  });
});
