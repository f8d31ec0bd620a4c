import { expect } from 'chai';
import { type FakeEmbeddings, startFakeEmbeddings, uniqueName } from '../../support/fakes/fakes.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { collectionsOf, type DocumentRecord, until } from '../support/collection-client.js';
import { aColleagueOf, aPerson, type Person } from '../support/users-fixture.js';

describe('documents of an organisation with embeddings', function () {
  this.timeout(60_000);
  let world: TestService;
  let fake: FakeEmbeddings;
  before(async () => {
    [world, fake] = await Promise.all([sharedService(), startFakeEmbeddings()]);
  });
  after(() => fake.stop());

  const setup = (model: string) => ({
    setups: {
      default: {
        providers: { openai: { base_url: `${fake.url}/v1`, api_key: 'sk-embeddings' } },
        knowledge_base: { embeddings: `openai:${model}` },
      },
    },
  });
  const configure = async (administrator: Person, model: string) => {
    const path = `/lamb/v1/organizations/${String(administrator.organizationId)}/config`;
    const { key } = administrator;
    const { status } = await world.service.request(path, { method: 'PUT', key, body: setup(model) });
    expect(status).to.equal(200);
  };
  const teacherWith = async (model: string) => {
    const teacher = await aPerson(world.service);
    const administrator = await aColleagueOf(world.service, teacher, 'org_admin');
    await configure(administrator, model);
    const of = collectionsOf(world.service, teacher.key);
    const { id } = await of.make();
    const embedded = (document: DocumentRecord, by: string) =>
      until(
        () => of.document(id, document.id),
        ({ embedded_with, stage }) => embedded_with === `openai:${by}` && stage === 'done',
      );
    return { ...of, id, administrator, embedded };
  };

  it('are found by their meaning as well, and say by which model', async () => {
    const model = uniqueName('embed');
    const { id, takeIn, ask } = await teacherWith(model);

    const taken = await takeIn(id, 'a.md', '# Leaves\n\nStomata let gases pass.');
    const { json } = await ask(id, 'Do gases pass through stomata?');

    expect(taken).to.deep.include({ status: 'ready', embedded_with: `openai:${model}`, faults: [] });
    expect(json.embeddings).to.equal(`openai:${model}`);
    expect(json.results[0]?.reasons).to.have.keys('lexical', 'vector');
  });

  it('are ready and found by their words when the model is down, say so, and are embedded later', async () => {
    const model = uniqueName('embed');
    const { id, takeIn, ask, administrator, embedded, document } = await teacherWith(model);
    await fake.faults(
      model,
      Array.from({ length: 20 }, () => 'error-500'),
    );

    const taken = await takeIn(id, 'a.md', '# Leaves\n\nStomata let gases pass.');
    const found = await ask(id, 'stomata');
    await fake.faults(model, []);
    // Whatever changes in the configuration, the model is worth another try.
    await configure(administrator, model);

    expect(taken).to.include({ status: 'ready', passages: 1 });
    expect(taken).not.to.have.property('error');
    expect(taken.faults.map(({ message }) => message).join()).to.contain('words alone');
    expect(taken.faults.map(({ code }) => code)).to.deep.equal(['words_alone']);
    expect(found.json.count).to.equal(1);
    await embedded(taken, model);
    expect((await document(id, taken.id)).faults).to.deep.equal([]);
  });

  it('get new vectors when the organisation wants another model, and stay found meanwhile', async () => {
    const [first, second] = [uniqueName('embed'), uniqueName('embed')];
    const { id, takeIn, ask, administrator, embedded } = await teacherWith(first);
    const taken = await takeIn(id, 'a.md', '# Leaves\n\nStomata let gases pass.');

    await configure(administrator, second);
    const meanwhile = await ask(id, 'stomata');
    await embedded(taken, second);

    expect(taken.embedded_with).to.equal(`openai:${first}`);
    expect(meanwhile.json.count).to.equal(1);
    expect((await ask(id, 'stomata')).json.embeddings).to.equal(`openai:${second}`);
  });
});
