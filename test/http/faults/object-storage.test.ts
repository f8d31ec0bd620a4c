import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type PostgresServer, startPostgres } from '../../support/runner/postgres-server.js';
import { type FakeModel, startFakeModel, uniqueName } from '../../support/fakes/fakes.js';
import { call, say } from '../../support/fakes/model-script.js';
import { type FakeS3, S3_ENV, startFakeS3 } from '../../support/s3-server.js';
import { runInTurn } from '../../support/program.js';
import { ADMIN_KEY, type Service, startService } from '../../support/service.js';
import { collectionsOf } from '../support/collection-client.js';
import { refusalOf } from '../support/refusal.js';

/** Two machines: of one another's disks they know nothing. */
describe('services that share a database and a bucket', function () {
  this.timeout(120_000);
  let postgres: PostgresServer;
  let s3: FakeS3;
  let model: FakeModel;
  let here: Service;
  let there: Service;
  before(async () => {
    [postgres, s3, model] = await Promise.all([startPostgres('forgetful'), startFakeS3(), startFakeModel()]);
    await postgres.start();
    // Nobody needs the bucket to start, not even for the first time.
    s3.state.faults = [{ kind: 'unavailable' }];
    here = await startService({ ...env(), DEMO_DATA: 'true' });
    s3.state.faults = [];
    there = await startService(env());
  });
  afterEach(() => {
    s3.state.faults = [];
  });
  after(async () => {
    await Promise.all([here.stop(), there.stop()]);
    await Promise.all([s3.stop(), model.stop()]);
    await postgres.remove();
  });

  const env = () => ({
    ...{ DATABASE_URL: postgres.url, BLOBS_URL: s3.blobsUrl('bellwether'), ...S3_ENV, RATE_LIMIT: '0' },
    ...{ SECRET_KEY: 'the same on all machines', OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${model.url}/v1` },
  });
  const upload = (service: Service, path: string, text: string) => {
    const body = new FormData();
    body.set('path', path);
    body.set('file', new Blob([text]), 'any');
    return service.request('/lamb/v1/files', { body });
  };
  const download = async (service: Service, path: string) =>
    (await service.request(`/lamb/v1/files/${path}`)).text;
  const listed = async (service: Service) =>
    (await service.request<{ data: { path: string }[] }>('/lamb/v1/files')).json.data.map(({ path }) => path);
  const patching = async (path: string, from: string, to: string) => {
    const llm = uniqueName('model');
    const change = { line_start: 1, line_end: 1, old_content: from, new_content: to, reason: '' };
    await model.script(llm, [call('patch_file', { file_path: path, changes: [change] }), say('ok')]);
    const tools = [{ type: 'patch_file', enabled: true, mode: 'function', approval: 'always-allowed' }];
    const config = { folder: 'notes' };
    return await here.createAssistant({
      metadata: { connector: 'openai', llm, tools: tools.map((tool) => ({ ...tool, config })) },
    });
  };

  it('see one another’s files, change them and take them away, and keep none of them on their disks', async () => {
    const made = await upload(here, 'notes/a.md', 'one\n');
    const twin = await upload(there, 'Notes/a.md', 'twin');
    const assistant = await patching('a.md', 'one', 'two');
    const seen = await download(there, 'notes/a.md');
    const chat = await there.chat(assistant.id, 'Change it');
    const patched = await download(here, 'notes/a.md');
    const gone = await there.request('/lamb/v1/files/notes/a.md', { method: 'DELETE' });

    expect([made.status, twin.status, gone.status]).to.deep.equal([201, 409, 204]);
    expect(chat.json.x_bellwether.tools.map(({ ok }) => ok)).to.deep.equal([true]);
    expect([seen, patched]).to.deep.equal(['one\n', 'two\n']);
    expect(await listed(here)).to.deep.equal([]);
    for (const { dataDir } of [here, there]) {
      const kept = await readdir(join(dataDir, 'files'), { recursive: true }).catch(() => []);
      expect(kept.filter((path) => path !== '.incoming')).to.deep.equal([]);
    }
    expect([...s3.state.objects.keys()].filter((key) => key.includes('/files/'))).to.deep.equal([]);
  });

  it('take in one another’s documents, and give the originals back', async () => {
    const collections = [here, there].map((service) => collectionsOf(service, ADMIN_KEY));
    const { id } = await collections[0]!.make();

    const documents = await Promise.all(
      collections.map((one, at) =>
        one.takeIn(id, `${String(at)}.md`, `# Stomata ${String(at)}\n\nThey let gases pass.`),
      ),
    );
    const originals = await Promise.all(
      documents.map((document, at) =>
        collections[1 - at]!.send(`/${id}/documents/${document.id}/file`).then(({ text }) => text),
      ),
    );
    const removed = await collections[1]!.send(`/${id}`, { method: 'DELETE' });

    expect(documents.map(({ status }) => status)).to.deep.equal(['ready', 'ready']);
    expect(originals.map((text) => text.split('\n')[0])).to.deep.equal(['# Stomata 0', '# Stomata 1']);
    expect(removed.status).to.equal(204);
    expect([...s3.state.objects.keys()].filter((key) => key.includes('/documents/'))).to.deep.equal([]);
  });

  it('answer chats while the bucket is away, refuse files with 503, and go on once it is back', async () => {
    const collections = collectionsOf(here, ADMIN_KEY);
    const { id } = await collections.make();
    const { id: assistant } = await here.createAssistant({ metadata: { connector: 'demo' } });
    await upload(here, 'kept.md', 'kept');
    const document = await collections.takeIn(id, 'kept.md', '# Kept\n\nFor good.');
    s3.state.faults = [{ kind: 'refuse' }];

    const refusals = [
      await upload(here, 'new.md', 'new'),
      await here.request('/lamb/v1/files/kept.md'),
      await collections.upload(id, [['new.md', '# New']]),
      await collections.send(`/${id}/documents/${document.id}/file`),
    ];
    const names = await listed(here);
    const chat = await here.chat(assistant, 'Hello');
    const ready = await here.request('/readyz');
    s3.state.faults = [];

    for (const refused of refusals) expect(refusalOf(refused, 503).code).to.equal('storage_unavailable');
    expect([names, chat.status, ready.status]).to.deep.equal([['kept.md'], 200, 200]);
    expect(await download(here, 'kept.md')).to.equal('kept');
    expect((await collections.takeIn(id, 'new.md', '# New\n\nAnd here.')).status).to.equal('ready');
    const said = [here, there].map((service) => service.output()).join('');
    expect(said).not.to.contain(S3_ENV.AWS_SECRET_ACCESS_KEY);
  });

  const doctor = async (more: Record<string, string> = {}) => {
    const { said } = await runInTurn('dist/src/cli/main.js', ['doctor', '--offline'], {
      ...{ ...env(), DATA_DIR: here.dataDir, ...more },
    });
    return said;
  };

  it('have doctor look at the bucket, who says what is wrong with it', async () => {
    const well = await doctor();
    const stranger = await doctor({ AWS_SECRET_ACCESS_KEY: 'another' });
    const nowhere = await doctor({ BLOBS_URL: s3.blobsUrl().replace('school', 'elsewhere') });
    s3.state.faults = [{ kind: 'careless' }];
    const careless = await doctor();

    expect(well).to.match(/object storage.*school\/bellwether/);
    expect(well).not.to.contain('conditional').and.not.to.contain('Warning');
    expect(stranger).to.contain('The credentials are not accepted. Check AWS_ACCESS_KEY_ID');
    expect(nowhere).to.contain('There is no bucket elsewhere.');
    expect(careless).to.contain('If-None-Match');
    expect([...s3.state.objects.keys()].filter((key) => key.includes('/probe/'))).to.deep.equal([]);
  });

  it('have doctor miss what is named and not in the bucket, and what is not there as it was', async () => {
    const collections = collectionsOf(here, ADMIN_KEY);
    const { id } = await collections.make();
    const [lost, kept] = [await collections.takeIn(id, 'lost.md', '# Lost'), 'whole.md'];
    const form = new FormData();
    form.set('file', new Blob(['Sent along.']), 'sent.txt');
    const sent = await here.request<{ id: string }>('/lamb/v1/attachments', { key: ADMIN_KEY, body: form });
    for (const path of ['lost.txt', 'cut.txt', kept]) await upload(here, path, `this is ${path}`);
    const well = await doctor();
    const { objects } = s3.state;
    const keyOf = (text: string) => [...objects].find(([, { bytes }]) => String(bytes) === text)![0];
    objects.delete(keyOf('# Lost'));
    objects.delete(keyOf('this is lost.txt'));
    objects.delete(keyOf('Sent along.'));
    const cut = keyOf('this is cut.txt');
    objects.set(cut, { ...objects.get(cut)!, bytes: Buffer.from('this is') });

    const said = await doctor();

    expect(well)
      .to.match(/^ok {3} documents: \d+$/m)
      .and.to.match(/^ok {3} private files: \d+$/m);
    expect(said).to.contain(`The original of document ${lost.id} is not in the bucket.`);
    expect(well).to.match(/^ok {3} attachments: \d+;.* each up to 20 MB \(ATTACHMENT_LIMIT\)/m);
    expect(said).to.contain(`The bytes of attachment ${sent.json.id} are not in the bucket.`);
    for (const path of ['lost.txt', 'cut.txt']) expect(said).to.contain(`"${path}" of user`);
    expect(said).not.to.contain(kept);
  });
});
