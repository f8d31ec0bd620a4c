import { expect } from 'chai';
import type { EmbeddingsTest, RerankerTest, SearchState } from '../../../src/http/contract/admin.js';
import { type FakeEmbeddings, startFakeEmbeddings, uniqueName } from '../../support/fakes/fakes.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { collectionsOf, until } from '../support/collection-client.js';
import { configure, providers } from '../support/settings-client.js';
import { aColleagueOf, aPerson, auditOf, type Person } from '../support/users-fixture.js';

const KEY = 'sk-canary-of-embeddings';

describe('how an organisation searches its documents', function () {
  this.timeout(60_000);
  let world: TestService;
  let fake: FakeEmbeddings;
  let administrator: Person;
  before(async () => {
    [world, fake] = await Promise.all([sharedService(), startFakeEmbeddings()]);
    administrator = await anAdministrator();
  });
  after(() => fake.stop());

  const anAdministrator = async () => aColleagueOf(world.service, await aPerson(world.service), 'org_admin');
  const at = (person: Person, path: string) =>
    `/lamb/v1/organizations/${String(person.organizationId)}/${path}`;
  const set = (person: Person, knowledge_base: object) =>
    configure(
      world.service,
      person,
      providers({ base_url: `${fake.url}/v1`, api_key: KEY }, { knowledge_base }),
    );
  const stateFor = async (person: Person) => {
    const { json } = await world.service.request<SearchState>(at(person, 'search'), { key: person.key });
    return json;
  };
  const tryIt = async <T>(what: 'embeddings' | 'reranker', written: string) => {
    const { key } = administrator;
    const body = { [what]: written };
    const path = at(administrator, `${what}/test`);
    return await world.service.request<T & { error?: { message: string } }>(path, { key, body });
  };

  it('is told with the models that can be installed, their languages and sizes, and who may install', async () => {
    const { key } = administrator;

    const state = await stateFor(administrator);
    const everything = await world.service.request<SearchState>(at(administrator, 'search'));
    const refused = await world.service.request(`/lamb/v1/local-models/all-minilm-l6-v2/install`, {
      ...{ key, body: {} },
    });

    expect(state).to.deep.include({ default_embeddings: 'none', model: null, may_install: false });
    expect(state.local_models[0]).to.deep.include({
      name: 'all-minilm-l6-v2',
      is_usual: true,
      state: 'absent',
    });
    expect(state.local_models[0]).to.deep.include({ languages: ['en'], dimensions: 384 });
    expect(state.local_models[0]?.download_bytes).to.be.within(100_000_000, 500_000_000);
    expect(everything.json.may_install).to.equal(true);
    expect(refused.status).to.equal(403);
    expect((await auditOf(world.service, administrator)).at(-1)).to.include({
      ...{ action: 'install local model', outcome: 'denied' },
    });
  });

  it('tells how many documents have their vectors, and goes by words as long as a local model is not there', async () => {
    const person = await anAdministrator();
    const model = uniqueName('embed');
    await set(person, { embeddings: 'local' });
    const { make, takeIn, ask } = collectionsOf(world.service, person.key);
    const { id } = await make();
    const taken = await takeIn(id, 'a.md', '# Leaves\n\nStomata let gases pass.');
    const found = await ask(id, 'stomata');
    const before = await stateFor(person);

    await set(person, { embeddings: `openai:${model}` });
    const after = await until(
      () => stateFor(person),
      ({ documents }) => documents.embedded === 1,
    );

    expect(taken.status).to.equal('ready');
    expect(taken.faults[0]?.message).to.contain('words alone');
    expect(found.json).to.include({ count: 1, embeddings: null });
    expect(before).to.deep.include({ model: null, documents: { total: 1, embedded: 0, waiting: 0 } });
    expect(after).to.deep.include({
      model: `openai:${model}`,
      documents: { total: 1, embedded: 1, waiting: 0 },
    });
  });

  describe('tries a model', () => {
    before(() => set(administrator, {}));

    it('and tells its dimensions, its time, and in which languages it knows what is meant', async () => {
      const model = uniqueName('embed');

      const { json } = await tryIt<EmbeddingsTest>('embeddings', `openai:${model}`);

      expect(json).to.include({ ok: true, dimensions: 256, message: '' });
      expect(json.ms).to.be.at.least(0);
      expect(json.languages.map(({ language }) => language)).to.deep.equal(['en', 'es', 'ca', 'eu']);
      for (const { similar, different, is_closer } of json.languages)
        expect(is_closer).to.equal(similar > different);
      expect((await auditOf(world.service, administrator)).at(-1)).to.include({
        ...{ action: 'test embeddings', outcome: 'done', reason: 'openai: answered' },
      });
    });

    it('and tells plainly why not, without the key or the words of the provider', async () => {
      const model = uniqueName('embed');
      await fake.faults(model, ['error-401']);

      const refused = await tryIt<EmbeddingsTest>('embeddings', `openai:${model}`);
      const absent = await tryIt<EmbeddingsTest>('embeddings', 'ollama:nomic-embed-text');
      const local = await tryIt<EmbeddingsTest>('embeddings', 'local');
      const odd = await tryIt('embeddings', 'telepathy');

      expect(refused.json).to.include({ ok: false, dimensions: null });
      expect(refused.json.message).to.contain('refused our credentials');
      expect(refused.text).not.to.contain(KEY).and.not.to.contain('sk-secret');
      expect(absent.json.message).to.contain('not set up');
      expect(local.json.message).to.contain('not installed');
      expect(odd.status).to.equal(400);
      expect(odd.json.error?.message).to.contain('openai:<model>');
    });

    it('that orders passages, and tells whether the one that answers comes first', async () => {
      const model = uniqueName('rerank');
      const good = await tryIt<RerankerTest>('reranker', `openai:${model}`);
      await fake.faults(model, ['html', 'reversed']);
      const unreadable = await tryIt<RerankerTest>('reranker', `openai:${model}`);
      const wrong = await tryIt<RerankerTest>('reranker', `openai:${model}`);
      const odd = await world.service.request(at(administrator, 'config'), {
        ...{ method: 'PUT', key: administrator.key },
        body: providers({}, { knowledge_base: { reranker: 'ollama:none' } }),
      });

      expect(good.json).to.include({ ok: true, is_right: true, message: '' });
      expect(unreadable.json).to.include({ ok: false, is_right: false });
      expect(unreadable.json.message).to.contain('did not answer with an order of passages');
      expect(wrong.json).to.include({ ok: true, is_right: false });
      expect(odd.status).to.equal(422);
      expect(odd.text).to.contain('knowledge_base.reranker must be none or openai:<model>');
    });
  });
});
