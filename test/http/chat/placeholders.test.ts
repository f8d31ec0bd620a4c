import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { say } from '../../support/fakes/model-script.js';
import { TRICKY_NAME } from '../../support/fakes/weather-towns.js';
import { giveFile } from '../../support/owner-files.js';
import { sharedService, type TestService } from '../../support/test-service.js';

const TRICKY = 'Given {context}, {user_input}, {file}, $& $1 $$ and \\frac{a}{b}: {"json": {"a": 1}} {name}';
const file = (path: string, more: object = {}) => ({
  type: 'single_file_rag',
  enabled: true,
  mode: 'placeholder',
  config: { file_path: path },
  ...more,
});

describe('placeholders', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });
  const lastPrompt = async (model: string) =>
    (await world.model.ledger(model)).at(-1)!.body.messages.at(-1)!.content;
  const someFile = async (text: string) => {
    const path = `${uniqueName('notes')}.txt`;
    await giveFile(world.service, path, text);
    return path;
  };

  it('carry user text, file text and weather text to the model byte for byte', async () => {
    const path = await someFile(TRICKY);
    const assistant = await world.assistant([say('ok')], {
      prompt_template: 'File: {file}\nWeather: {weather}\nAsked: {user_input}',
      tools: [
        file(path),
        { type: 'weather', enabled: true, mode: 'placeholder', config: { city: 'Trickytown' } },
      ],
    });

    await world.service.chat(assistant.id, TRICKY);

    const prompt = String(await lastPrompt(assistant.model));
    expect(prompt).to.match(/^File: /);
    expect(prompt.startsWith(`File: ${TRICKY}\nWeather: Weather in ${TRICKY_NAME}, Nowhere at`)).to.equal(
      true,
    );
    expect(prompt.endsWith(`\nAsked: ${TRICKY}`)).to.equal(true);
  });

  it('are blanked when known and unfilled, and left alone when nobody knows them', async () => {
    const assistant = await world.assistant([say('ok')], {
      prompt_template: 'A{context}B{weather}C{something_else}D{user_input}E',
    });

    await world.service.chat(assistant.id, 'x');

    expect(await lastPrompt(assistant.model)).to.equal('ABC{something_else}DxE');
  });

  it('join what two tools bring to one placeholder, in the order of the tools', async () => {
    const [first, second] = [await someFile('first'), await someFile('second')];
    const assistant = await world.assistant([say('ok')], {
      prompt_template: '{context}|{user_input}',
      tools: [file(first, { placeholder: 'context' }), file(second, { placeholder: '{context}' })],
    });

    await world.service.chat(assistant.id, 'x');

    expect(await lastPrompt(assistant.model)).to.equal('first\n\nsecond|x');
  });

  it("never lose the user's words: a template without {user_input} still carries them, an empty one changes nothing", async () => {
    const without = await world.assistant([say('ok')], { prompt_template: 'Be brief.' });
    const empty = await world.assistant([say('ok')]);

    await world.service.chat(without.id, 'My question');
    await world.service.chat(empty.id, 'My question');

    expect(await lastPrompt(without.model)).to.equal('Be brief.\n\nMy question');
    expect(await lastPrompt(empty.model)).to.equal('My question');
  });

  it('apply to the last user message only, and leave the history as it was', async () => {
    const assistant = await world.assistant([say('ok')], { prompt_template: '<{user_input}>' });
    const messages = [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two {context}' },
      { role: 'user', content: 'three' },
    ];

    await world.service.chat(assistant.id, { messages });

    const [request] = await world.model.ledger(assistant.model);
    expect(request!.body.messages.map(({ content }) => content)).to.deep.equal([
      'one',
      'two {context}',
      '<three>',
    ]);
  });

  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
  it('keep images beside the text when the assistant sees, and drop those of the history when it does not', async () => {
    const seeing = await world.assistant([say('ok')], {
      metadata: { capabilities: { vision: true } },
      prompt_template: 'Q: {user_input}',
    });
    const blind = await world.assistant([say('ok')], { prompt_template: 'Q: {user_input}' });
    const earlier = [
      { role: 'user', content: [{ type: 'text', text: 'earlier' }, image] },
      { role: 'assistant', content: 'I see.' },
    ];

    await world.service.chat(seeing.id, { messages: [...earlier, { role: 'user', content: [image] }] });
    await world.service.chat(blind.id, { messages: [...earlier, { role: 'user', content: 'And now?' }] });

    const [seen] = await world.model.ledger(seeing.model);
    const [unseen] = await world.model.ledger(blind.model);
    expect(seen!.body.messages[0]!.content).to.deep.equal([{ type: 'text', text: 'earlier' }, image]);
    expect(seen!.body.messages.at(-1)!.content).to.deep.equal([{ type: 'text', text: 'Q: ' }, image]);
    expect(JSON.stringify(unseen!.body)).not.to.contain('image_url');
  });

  it('run their tools at the same time, before the model', async () => {
    const towns = ['a', 'b'].map((letter) => uniqueName(`Slowtown-${letter}`));
    // The weather tool may be held once, so the two assistants called here each bring their own.
    const children = await Promise.all(
      towns.map((city) =>
        world.assistant([say(`about ${city}`)], {
          prompt_template: '{weather}',
          tools: [{ type: 'weather', enabled: true, mode: 'placeholder', config: { city } }],
        }),
      ),
    );
    const parent = await world.assistant([say('ok')], {
      prompt_template: '{tool_result}',
      tools: children.map(({ id }) => ({
        type: 'assistant',
        enabled: true,
        mode: 'placeholder',
        config: { assistant_id: id },
      })),
    });

    const answer = world.service.chat(parent.id, 'both?');
    await Promise.all(towns.map((town) => world.weather.waitFor(town, { requests: 1 })));
    expect(await world.model.ledger(parent.model)).to.deep.equal([]);
    await Promise.all(towns.map((town) => world.weather.release(town)));
    await answer;

    const prompt = String(await lastPrompt(parent.model));
    expect(prompt.startsWith(`about ${towns[0]!}\n\nabout ${towns[1]!}`)).to.equal(true);
  });

  const failing = (on_error?: string) => ({
    prompt_template: '[{weather}] {user_input}',
    tools: [
      {
        type: 'weather',
        enabled: true,
        mode: 'placeholder',
        config: { city: 'Qwertyville' },
        ...(on_error ? { on_error } : {}),
      },
    ],
  });
  it('follow on_error when their tool fails: omit by default, a safe notice, or the end of the run', async () => {
    const [omit, notice, fail] = await Promise.all(
      [undefined, 'notice', 'fail'].map((on_error) => world.assistant([say('ok')], failing(on_error))),
    );

    const omitted = await (await world.service.stream(omit!.id, 'x')).whole();
    await world.service.chat(notice!.id, 'x');
    const failed = await world.service.chat(fail!.id, 'x');

    expect(await lastPrompt(omit!.model)).to.equal('[] x');
    expect(omitted.statuses.map(({ type }) => type)).to.include('placeholder.failed');
    expect(await lastPrompt(notice!.model)).to.equal('[(weather could not be used.)] x');
    expect(failed.status).to.equal(502);
    expect(failed.json.error).to.include({ code: 'tool_failed' });
    expect(await world.model.ledger(fail!.model)).to.deep.equal([]);
  });

  it('show what was read by relative path, and cite it', async () => {
    const path = await someFile('Cells divide.');
    const assistant = await world.assistant([say('ok')], {
      prompt_template: '{file} {user_input}',
      tools: [file(path)],
    });

    const { statuses } = await (await world.service.stream(assistant.id, 'x')).whole();

    expect(statuses.map(({ type, label }) => [type, label]).slice(1, 4)).to.deep.equal([
      ['placeholder.started', `reading file ${path}`],
      ['placeholder.completed', `reading file ${path}`],
      ['prompt.composed', 'merging tool outputs'],
    ]);
    expect(statuses.slice(1, 4).map((status) => (status as { subject?: string }).subject)).to.deep.equal([
      ...[path, path, undefined],
    ]);
    const [source, ...others] = statuses.at(-1)!.sources as readonly Record<string, unknown>[];
    expect(source).to.include({ n: 1, title: path, cited: false, type: 'file', path, chars: 13 });
    expect(others).to.deep.equal([]);
  });

  it('read a classic record as it is stored: rag_processor and file_path, filling {context}', async () => {
    const path = await someFile('Notes of old.');
    const assistant = await world.assistant([say('ok')], {
      prompt_template: '{context} / {user_input}',
      metadata: {
        _format_version: undefined,
        tools: undefined,
        rag_processor: 'single_file_rag',
        file_path: path,
      },
    });

    await world.service.chat(assistant.id, 'x');

    expect(assistant).to.include({ assistant_type: 'classic' });
    expect(await lastPrompt(assistant.model)).to.equal('Notes of old. / x');
  });
});
