import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { fail, type Step, say } from '../../support/fakes/model-script.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { assistantOf, configure, providers } from '../support/settings-client.js';
import { aPerson } from '../support/users-fixture.js';

const TALK = [
  { role: 'user', content: 'What is photosynthesis?' },
  { role: 'assistant', content: 'How plants make sugar from light.' },
  { role: 'user', content: 'And where does it happen?' },
];

/**
 * An assistant asked for its knowledge through a placeholder stands in for a knowledge base: what it was asked is what
 * a search would have looked for.
 */
describe('context_aware_augment', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  async function aRewriter(small: readonly Step[] | undefined) {
    const [smallModel, source, main] = [uniqueName('small'), uniqueName('source'), uniqueName('main')];
    await world.model.script(source, [say('In chloroplasts.')], { repeat: true });
    await world.model.script(main, [say('Answer.')], { repeat: true });
    if (small) await world.model.script(smallModel, small, { repeat: true });
    const person = await aPerson(world.service);
    const more = small ? { small_fast_model: { provider: 'openai', model: smallModel } } : {};
    await configure(world.service, person, providers({ base_url: `${world.model.url}/v1` }, more));
    const searched = await assistantOf(world.service, person, { connector: 'openai', llm: source });
    const tools = [{ type: 'assistant', mode: 'placeholder', config: { assistant_id: searched.id } }];
    const { id } = await assistantOf(
      world.service,
      person,
      { connector: 'openai', llm: main, prompt_processor: 'context_aware_augment', tools },
      { prompt_template: 'Known: {tool_result}\nAsked: {user_input}' },
    );
    const lastOf = async (model: string) => (await world.model.ledger(model)).at(-1)?.body.messages.at(-1);
    return {
      person,
      ask: (messages: readonly object[]) => world.service.chat(id, { messages }, { key: person.key }),
      lookedFor: async () => (await lastOf(source))?.content,
      prompt: async () => (await lastOf(main))?.content,
      smallCalls: () => world.model.ledger(smallModel),
    };
  }

  it('looks for the rewritten question, and keeps the user’s own words in the prompt', async () => {
    const { ask, lookedFor, prompt } = await aRewriter([say('Where does photosynthesis happen?')]);

    await ask(TALK);

    expect(await lookedFor()).to.equal('Where does photosynthesis happen?');
    expect(await prompt()).to.equal('Known: In chloroplasts.\nAsked: And where does it happen?');
  });

  it('shows the small model the last ten messages as material, and puts its cost into the trace', async () => {
    const { ask, smallCalls, person } = await aRewriter([say('A query')]);
    const long = Array.from({ length: 12 }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: `message ${String(i)}`,
    }));

    const { headers, json } = await ask([...long, { role: 'user', content: 'and then?' }]);

    const [asked] = await smallCalls();
    const material = String(asked?.body.messages.at(-1)?.content);
    expect(material.split('\n')).to.have.length(10);
    expect(material)
      .to.match(/^assistant: message 3\n/)
      .and.match(/\nuser: and then\?$/);
    expect(asked?.body).not.to.have.property('tools');
    const run = await world.service.request<{ steps: { kind: string; tool?: string; usage?: object }[] }>(
      `/lamb/v1/runs/${String(headers.get('x-run-id'))}`,
      { key: person.key },
    );
    const [first] = run.json.steps.filter(({ kind }) => kind === 'model');
    expect(first).to.include({ tool: 'context_aware_augment' });
    expect(json.usage.prompt_tokens).to.equal(30);
    expect(json.x_bellwether.iterations).to.equal(1);
  });

  it('asks no small model about a first question, which is whole already', async () => {
    const { ask, lookedFor, smallCalls } = await aRewriter([say('Something else')]);

    await ask(TALK.slice(0, 1));

    expect(await lookedFor()).to.equal('What is photosynthesis?');
    expect(await smallCalls()).to.have.length(0);
  });

  for (const [why, small] of [
    ['there is no small model', undefined],
    ['it fails', [fail(400)]],
    ['it says nothing', [say(' ')]],
    ['it says far too much', [say('x'.repeat(501))]],
  ] as const) {
    it(`falls back to the last user message when ${why}`, async () => {
      const { ask, lookedFor, prompt } = await aRewriter(small);

      const { status } = await ask(TALK);

      expect(status).to.equal(200);
      expect(await lookedFor()).to.equal('And where does it happen?');
      expect(await prompt()).to.equal('Known: In chloroplasts.\nAsked: And where does it happen?');
    });
  }
});
