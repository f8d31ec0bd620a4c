import { expect } from 'chai';
import { type FakeEmbeddings, startFakeEmbeddings, uniqueName } from '../../support/fakes/fakes.js';
import { makeDataDir, removeDataDir, type Service, startService } from '../../support/service.js';
import { collectionsOf, until } from '../support/collection-client.js';

const ROADS = '# Roads\n\nEvery automobile needs a licence plate.';
const SCHOOL = '# School\n\nLessons end at noon on Fridays.';

describe('a knowledge base whose passages have vectors', function () {
  this.timeout(90_000);
  let fake: FakeEmbeddings;
  let dataDir: string;
  let service: Service | undefined;
  before(async () => {
    fake = await startFakeEmbeddings();
  });
  after(() => fake.stop());
  beforeEach(async () => {
    dataDir = await makeDataDir();
  });
  afterEach(async () => {
    await service?.stop();
    await removeDataDir(dataDir);
  });
  const start = async (model: string) => {
    await service?.stop();
    service = await startService(
      { EMBEDDINGS: `openai:${model}`, OPENAI_API_KEY: 'sk-key', OPENAI_BASE_URL: `${fake.url}/v1` },
      { dataDir },
    );
    return collectionsOf(service, service.adminKey);
  };

  it('is asked by meaning as well as by words', async () => {
    const model = uniqueName('embed');
    const here = await start(model);
    const { id } = await here.make();
    const document = await here.takeIn(id, 'roads.md', ROADS);
    await here.takeIn(id, 'school.md', SCHOOL);

    const { json } = await here.ask(id, 'vehicle');

    expect(document.embedded_with).to.equal(`openai:${model}`);
    expect(json.embeddings).to.equal(`openai:${model}`);
    expect(json.results[0]?.metadata.filename).to.equal('roads.md');
    expect(json.results[0]?.reasons).to.have.property('vector');
  });

  it('is asked by words alone while the provider does not answer', async () => {
    const model = uniqueName('embed');
    const here = await start(model);
    const { id } = await here.make();
    await here.takeIn(id, 'roads.md', ROADS);
    await fake.faults(
      model,
      Array.from({ length: 9 }, () => 'error-401'),
    );

    const { json } = await here.ask(id, 'automobile licence');

    expect(json.results.map(({ metadata }) => metadata.filename)).to.deep.equal(['roads.md']);
    expect(json.embeddings).to.equal(null);
  });

  it('gets its vectors anew when the model changes, in the background', async () => {
    const [old, next] = [uniqueName('embed'), uniqueName('embed')];
    let here = await start(old);
    const { id } = await here.make();
    const { id: documentId } = await here.takeIn(id, 'roads.md', ROADS);

    here = await start(next);
    const document = await until(
      () => here.document(id, documentId),
      ({ embedded_with }) => embedded_with === `openai:${next}`,
    );

    const { json } = await here.ask(id, 'vehicle');
    expect(document.status).to.equal('ready');
    expect(json.results[0]?.reasons).to.have.property('vector');
  });
});
