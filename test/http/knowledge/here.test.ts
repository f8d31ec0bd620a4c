import { expect } from 'chai';
import { say } from '../../support/fakes/model-script.js';
import { type FakeKbServer, result, startFakeKbServer } from '../../support/kb-server.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { collectionsOf } from '../support/collection-client.js';
import { aKnowledgePerson, anAssistant, rag, register } from '../support/knowledge-client.js';
import { configure, providers } from '../support/settings-client.js';
import { aPerson, type Person } from '../support/users-fixture.js';

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
    expect(source).to.include({ n: 1, title: 'Biology.md – Biology › Photosynthesis' });
    const shown = await fetch(String(source?.['url']));
    expect(shown.status).to.equal(200);
    expect(await shown.text()).to.contain('chloroplasts');
  });

  it('finds what a follow-up question leaves unsaid, without a small model', async () => {
    const assistant = await reader([collection], { top_k: 1 });
    const talk = ['What is photosynthesis?', 'And in which part of it?'];

    await assistant.ask({ messages: talk.slice(1).map((content) => ({ role: 'user', content })) });
    const alone = await assistant.prompt();
    await assistant.ask({
      messages: [
        { role: 'user', content: talk[0] },
        { role: 'assistant', content: 'How plants make sugar.' },
        { role: 'user', content: talk[1] },
      ],
    });

    expect(alone).not.to.contain('chloroplasts');
    expect(await assistant.prompt()).to.contain('chloroplasts of their leaves');
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

describe('a question that nothing in a knowledge base fits', () => {
  const OFF_TOPIC = 'Recommend me a good detective novel for the summer';
  const PLANTS = Array.from(
    { length: 40 },
    (_, i) =>
      `# Plant ${String(i)}\n\nIt grows ${'tall '.repeat(20)} in good light, up to ${String(i)} metres.`,
  ).join('\n\n');
  let world: TestService;
  let person: Person;
  let collection: string;
  before(async () => {
    world = await sharedService();
    person = await aPerson(world.service);
    await configure(world.service, person, providers({ base_url: `${world.model.url}/v1` }));
    const library = collectionsOf(world.service, person.key);
    collection = (await library.make({ name: 'Plants' })).id;
    await library.takeIn(collection, 'Plants.md', PLANTS);
  });

  const query = async (more: object, question = OFF_TOPIC) =>
    (await collectionsOf(world.service, person.key).ask(collection, question, more)).json;

  it('brings nothing and says so, unless the nearest are asked for or a threshold decides', async () => {
    expect(await query({})).to.include({ count: 0, nothing_fits: true });
    expect(await query({ keep_weak: true })).to.include({ count: 5, nothing_fits: false });
    expect(await query({ threshold: 0.0001 })).to.include({ count: 5, nothing_fits: false });
    expect(await query({}, 'How tall do plants grow?')).to.include({
      count: 5,
      nothing_fits: false,
    });
  });

  it('is told to the model and to whoever reads the answer, with no source', async () => {
    const ask = async (config: object) => {
      const metadata = { _format_version: 2, tools: [rag([collection], config)] };
      const assistant = await anAssistant(world, person, { steps: [say('I do not know.')], metadata });
      const { statuses } = await assistant.stream(OFF_TOPIC);
      const done = statuses.find(({ type }) => type === 'placeholder.completed');
      return { prompt: await assistant.prompt(), facts: done?.['facts'] };
    };

    const told = await ask({});
    expect(told.prompt).to.contain('Nothing that fits the question was found').and.not.contain('good light');
    expect(told.facts).to.include({ passages: 0 });
    expect((await ask({ keep_weak: true })).prompt).to.contain('good light');
  });
});
