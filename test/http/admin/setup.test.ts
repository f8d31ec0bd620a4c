import { expect } from 'chai';
import { DEMO_ASSISTANTS } from '../../../src/organizations/demo-data.js';
import { essayRubric } from '../../support/rubrics.js';
import { sharedQuietService, type TestService } from '../../support/test-service.js';
import { collectionsOf } from '../support/collection-client.js';
import { aColleagueOf, aPerson, type Person, publish, speakingTo } from '../support/users-fixture.js';

describe('what is set up', () => {
  let world: TestService;
  before(async () => {
    world = await sharedQuietService();
  });

  const setupFor = async ({ key }: Pick<Person, 'key'>) => {
    const { json } = await world.service.request<Record<string, unknown>>('/lamb/v1/setup', { key });
    return json;
  };

  it('says of an organisation with nothing that the demo answers', async () => {
    const person = await aPerson(world.service);

    const found = await setupFor(person);

    expect(found).to.include({ organization_id: person.organizationId, may_administer: false });
    expect(found).to.include({ embeddings: null, knowledge_base_server: false, moodle: false });
    expect(found).to.deep.include({
      default_model: { connector: 'demo', model: 'demo', is_demo: true },
      assistants: { own: 0, visible: 0 },
      collections: 0,
      rubrics: 0,
      demo_assistants: [],
    });
    expect(found['providers']).to.deep.include({
      name: 'openai',
      title: 'OpenAI',
      configured: false,
      models: 0,
    });
  });

  it('says which providers there are and which model answers, and never a key or an address', async () => {
    const openai = {
      api_key: 'sk-canary-of-the-setup',
      models: ['first', 'second'],
      default_model: 'second',
    };
    const ollama = { base_url: world.model.url, enabled: false };
    const { setups } = speakingTo(world.model, openai) as { setups: { default: { providers: object } } };
    const config = {
      setups: {
        default: {
          providers: { ...setups.default.providers, ollama },
          knowledge_base: { embeddings: 'openai:text-embedding-3-small', server_url: world.model.url },
          moodle: { api_url: world.model.url, token: 'canary-of-the-moodle' },
        },
      },
    };
    const administrator = await aPerson(world.service, { role: 'org_admin', config });

    const found = await setupFor(administrator);

    expect(found).to.deep.include({
      default_model: { connector: 'openai', model: 'second', is_demo: false },
      embeddings: 'openai:text-embedding-3-small',
      knowledge_base_server: true,
      moodle: true,
      may_administer: true,
    });
    expect(found['providers'])
      .to.deep.include({ name: 'openai', title: 'OpenAI', configured: true, models: 2 })
      .and.to.deep.include({ name: 'ollama', title: 'Ollama', configured: false, models: 0 });
    expect(JSON.stringify(found)).to.not.include('canary').and.not.include(new URL(world.model.url).host);
  });

  it('counts what is visible, each once, and one’s own apart', async () => {
    const { service } = world;
    const owner = await aPerson(service);
    const colleague = await aColleagueOf(service, owner);
    const { id } = await service.createAssistant({}, owner);
    await publish(service, id, 'organization', owner);
    await service.createAssistant({}, owner);
    await service.createAssistant({}, colleague);
    await collectionsOf(service, owner.key).make({ is_shared: true });
    await collectionsOf(service, owner.key).make({});
    const body = { title: 'Essay', rubric_data: essayRubric() };
    await service.request('/lamb/v1/rubrics', { key: owner.key, body });

    const [theirs, others] = [await setupFor(owner), await setupFor(colleague)];

    expect(theirs).to.deep.include({ assistants: { own: 2, visible: 2 }, collections: 2, rubrics: 1 });
    expect(others).to.deep.include({ assistants: { own: 1, visible: 2 }, collections: 1, rubrics: 0 });
  });

  it('offers the demo assistants that can be seen, and none that only bears the name of one', async () => {
    const { service } = world;
    const person = await aPerson(service);
    const [tutor, guide] = DEMO_ASSISTANTS;
    const { id } = await service.createAssistant({ ...tutor }, person);
    await service.createAssistant({ name: guide?.name, description: 'My own.' }, person);

    const found = await setupFor(person);

    expect(found['demo_assistants']).to.deep.equal([{ id, ...tutor, avatar: null }]);
    expect((await setupFor(await aPerson(service)))['demo_assistants']).to.deep.equal([]);
  });
});
