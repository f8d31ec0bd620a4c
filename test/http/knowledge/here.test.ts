import { expect } from 'chai';
import { say } from '../../support/fakes/model-script.js';
import { type FakeKbServer, result, startFakeKbServer } from '../../support/kb-server.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { collectionsOf } from '../support/collection-client.js';
import { aKnowledgePerson, anAssistant, rag, register } from '../support/knowledge-client.js';
import type { Person } from '../support/users-fixture.js';

const BOOK = `# Biology

## Photosynthesis

Plants turn light into sugar. This happens in the chloroplasts of their leaves.

## Roots

Roots drink water from the soil and hold the plant.
`;

describe('a knowledge base of our own', () => {
  let world: TestService;
  let kb: FakeKbServer;
  let person: Person;
  let collection: string;
  before(async () => {
    world = await sharedService();
    kb = await startFakeKbServer();
    person = await aKnowledgePerson(world, kb);
    const library = collectionsOf(world.service, person.key);
    collection = (await library.make({ name: 'Biology 101' })).id;
    await library.takeIn(collection, 'Biology.md', BOOK);
  });
  after(() => kb.stop());

  const reader = (collections: readonly string[], config: object = {}) =>
    anAssistant(world, person, {
      steps: [say('In the chloroplasts [1].')],
      metadata: { _format_version: 2, tools: [rag(collections, config)] },
    });

  it('fills the prompt with its best passage and cites it by a link that shows it', async () => {
    const assistant = await reader([collection], { top_k: 1 });

    const { json } = await assistant.ask('Where does photosynthesis happen in a plant?');

    expect(await assistant.prompt())
      .to.contain('chloroplasts of their leaves')
      .and.not.contain('Roots drink');
    const [source] = json.x_bellwether.sources;
    expect(source).to.include({ n: 1, title: 'Biology.md – Photosynthesis' });
    const shown = await fetch(String(source?.['url']));
    expect(shown.status).to.equal(200);
    expect(await shown.text()).to.contain('chloroplasts');
  });

  it('is merged with one on the server', async () => {
    const onServer = await kb.collection({ results: [result('From the server.', 0.01)] });
    await register(world, person, onServer, { name: 'Elsewhere' });
    const assistant = await reader([onServer, collection]);

    await assistant.ask('What do roots drink?');

    const prompt = await assistant.prompt();
    expect(prompt.indexOf('Roots drink water')).to.be.within(0, prompt.indexOf('From the server.'));
  });

  it('brings the whole section where that is wanted', async () => {
    const assistant = await reader([collection], { top_k: 1, parent_context: true });

    await assistant.ask('chloroplasts');

    expect(await assistant.prompt()).to.contain('Plants turn light into sugar. This happens');
  });

  it('is gone from the next answer once it is deleted', async () => {
    const library = collectionsOf(world.service, person.key);
    const { id } = await library.make();
    await library.takeIn(id, 'Secret.md', 'The canary sings at noon.');
    const assistant = await reader([id]);

    await assistant.ask('When does the canary sing?');
    const before = await assistant.prompt();
    await library.send(`/${id}`, { method: 'DELETE' });
    await assistant.ask('When does the canary sing?');

    expect(before).to.contain('sings at noon');
    expect(await assistant.prompt()).not.to.contain('sings at noon');
  });
});
