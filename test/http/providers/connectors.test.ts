import { expect } from 'chai';
import { type FakeProviders, startFakeProviders, uniqueName } from '../../support/fakes/fakes.js';
import { call, calls, raw, say, type Step } from '../../support/fakes/model-script.js';
import type { ChatInput } from '../../support/service.js';
import {
  type AssistantParts,
  sharedService,
  weatherFunction,
  type TestService,
} from '../../support/test-service.js';
import { aCustomerOf, PROVIDERS, speakingThrough } from '../support/provider-cases.js';
import type { Person } from '../support/users-fixture.js';

interface RunView {
  readonly usage: object;
  readonly steps: readonly { readonly kind: string; readonly connector?: string; readonly usage?: object }[];
}

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const withPicture: ChatInput = {
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
      ],
    },
  ],
};

/** The last words of those who say that they are the last. */
const LAST_WORDS: Readonly<Record<string, string>> = {
  ollama: '{"message":{"role":"assistant","content":"All of it."},"done":true}\n',
  azure_openai:
    'data: {"choices":[{"index":0,"delta":{"content":"All of it."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
};

describe('a provider', function () {
  // The first word of one that goes through LangChain waits until that is loaded.
  this.timeout(60_000);
  let world: TestService;
  let fake: FakeProviders;
  before(async () => {
    [world, fake] = await Promise.all([sharedService(), startFakeProviders()]);
  });
  after(() => fake.stop());

  for (const provider of PROVIDERS)
    describe(`behind the connector ${provider.name}`, () => {
      let person: Person;
      before(async () => {
        person = await aCustomerOf(world.service, provider, fake);
      });

      const assistantOn = (steps: readonly Step[], parts: AssistantParts = {}) =>
        speakingThrough(world.service, { fake, provider, person }, steps, parts);
      const chat = (id: number, input: ChatInput = 'Hello?') =>
        world.service.chat(id, input, { key: person.key });
      const ask = async (steps: readonly Step[], parts: AssistantParts = {}, input?: ChatInput) => {
        const { id, model } = await assistantOn(steps, parts);
        const answer = await chat(id, input);
        return { ...answer, said: answer.json.choices[0]?.message.content, rows: await fake.ledger(model) };
      };

      it('asks at the provider’s own path with the organisation’s key, once', async () => {
        const { id, model } = await assistantOn([say('Hello there.')], { system_prompt: 'Be kind.' });

        const { json } = await chat(id);

        const rows = await fake.ledger(model);
        expect(json.choices[0]?.message).to.include({ content: 'Hello there.' });
        expect(rows.map(({ path }) => path)).to.deep.equal([provider.path(model)]);
        expect(provider.keyIn(rows[0]!)).to.equal(provider.key);
        expect(provider.system(rows[0]!.body)).to.equal('Be kind.');
      });

      const lastWords = LAST_WORDS[provider.name];
      if (lastWords !== undefined)
        it('that leaves the connection open after its last word has answered', async () => {
          const { said } = await ask([raw([lastWords], { then: 'left open' })]);

          expect(said).to.equal('All of it.');
        });

      it('passes text on as it arrives', async () => {
        const gate = uniqueName('gate');
        const { id } = await assistantOn([say('One two', { chunks: 2, pause: { after: 1, until: gate } })]);

        const stream = await world.service.stream(id, 'Hello?', { key: person.key });
        const pieces: string[] = [];
        for await (const frame of stream.frames) {
          const text = frame === '[DONE]' ? '' : (frame.choices?.[0]?.delta.content ?? '');
          if (text === '') continue;
          pieces.push(text);
          // Nothing more comes until it is let go: the first piece is here before the second was said.
          if (pieces.length === 1) await fake.release(gate);
        }

        expect(pieces).to.deep.equal(['One ', 'two']);
      });

      it('tells what of the prompt the provider had already and what the model said to itself, in streams and not', async () => {
        const usage = {
          ...{ prompt_tokens: 20, completion_tokens: 9 },
          prompt_tokens_details: { cached_tokens: 12 },
          completion_tokens_details: { reasoning_tokens: 4 },
        };
        const { id } = await assistantOn([say('Mild.', { usage }), say('Mild.', { usage })]);
        const { key } = person;
        await chat(id);
        const frames = [];
        for await (const frame of (await world.service.stream(id, 'Hello?', { key })).frames)
          frames.push(frame);
        expect(frames.at(-1)).to.equal('[DONE]');

        const path = `/lamb/v1/runs?assistant_id=${String(id)}`;
        const { json } = await world.service.request<{ data: { id: string }[] }>(path, { key });
        expect(json.data).to.have.length(2);
        for (const run of json.data) {
          const told = { prompt_tokens: 20, completion_tokens: 9, ...provider.usageDetails };
          const whole = await world.service.request<RunView>(`/lamb/v1/runs/${run.id}`, { key });
          expect(whole.json.usage).to.deep.equal(told);
          expect(whole.json.steps.map((step) => step.usage)).to.deep.equal([told]);
        }
      });

      it('has a tool called, tells the provider its result in its own words, and counts both rounds', async () => {
        const usage = { prompt_tokens: 20, completion_tokens: 7 };
        const steps = [call('get_weather', { city: 'Girona' }, { usage }), say('Mild.', { usage })];

        const { said, rows, json, headers } = await ask(steps, { tools: [weatherFunction] });

        expect(said).to.equal('Mild.');
        expect(json.x_bellwether.tools.map(({ tool, ok }) => ({ tool, ok }))).to.deep.equal([
          { tool: 'weather', ok: true },
        ]);
        expect(rows.map(({ body }) => provider.offered(body))).to.deep.equal([
          ['get_weather'],
          ['get_weather'],
        ]);
        expect(provider.results(rows[0]!.body)).to.deep.equal([]);
        expect(provider.results(rows[1]!.body)).to.have.length(1);
        expect(provider.results(rows[1]!.body)[0]).to.match(/^Weather in Girona/);
        expect(json.usage).to.include({ prompt_tokens: 40, completion_tokens: 14 });
        const run = await world.service.request<RunView>(`/lamb/v1/runs/${headers.get('x-run-id') ?? ''}`);
        expect(run.json.usage).to.deep.equal({ prompt_tokens: 40, completion_tokens: 14 });
        expect(run.json.steps.filter(({ kind }) => kind === 'model')).to.have.length(2);
      });

      it('has several tools called in one round, and tells their results in order', async () => {
        const towns = ['Girona', 'Bilbao', 'Vic'];
        const several = calls(
          towns.map((city) => ({ name: 'get_weather', arguments: { city } })),
          {
            text: 'Let me see. ',
          },
        );

        const { said, rows } = await ask([several, say('All mild.')], { tools: [weatherFunction] });

        const results = provider.results(rows[1]!.body);
        expect(said).to.equal('Let me see. All mild.');
        expect(results).to.have.length(3);
        towns.slice(0, 2).forEach((town, i) => expect(results[i]).to.contain(town));
      });

      it('tells it to answer once five rounds of tools are over', async () => {
        const { rows, json } = await ask([call('get_weather', { city: 'Girona' })], {
          tools: [weatherFunction],
          repeat: true,
        });

        expect(rows).to.have.length(6);
        expect(rows.slice(0, 5).every(({ body }) => !provider.toldToAnswer(body))).to.equal(true);
        expect(provider.toldToAnswer(rows[5]!.body)).to.equal(true);
        expect(json.x_bellwether.capped).to.equal('rounds');
      });

      it('shows pictures to the model where the assistant sees', async () => {
        const seeing = { metadata: { capabilities: { vision: true } } };

        const shown = await ask([say('A dot.')], seeing, withPicture);

        expect(shown.said, shown.text).to.equal('A dot.');
        expect(provider.pictures(shown.rows[0]!.body)).to.deep.equal([PIXEL]);
      });

      it('says that an answer was cut for its length', async () => {
        const { json } = await ask([say('And then', { finish: 'length' })]);

        expect(json.choices[0]?.finish_reason).to.equal('length');
      });

      it('keeps the key to itself: in no body, no trace, no log', async () => {
        const { text, headers } = await ask([say('Hello.')]);
        const run = await world.service.request(`/lamb/v1/runs/${headers.get('x-run-id') ?? ''}`);

        for (const seen of [text, run.text, world.service.output()])
          expect(seen).not.to.include(provider.key);
      });
    });
});
