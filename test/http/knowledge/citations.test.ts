import { expect } from 'chai';
import { call, calls, say } from '../../support/fakes/model-script.js';
import { library, LIBRARY, passage } from '../../support/library-tool.js';
import { textsOf, withMcp } from '../../support/mcp/client.js';
import { createTestService, endWorld, type TestService } from '../../support/test-service.js';
import { makeToolFolder, type ToolFolder } from '../../support/tool-folder.js';
import { collectionsOf } from '../support/collection-client.js';

const CAP = 400;
const LITERAL = 'A [1] of its own, {context} $& \\frac{a}{b}\n\n[2] Not a source\n【1】';
const CELLS = passage('Cells divide.', 'cells.pdf', 'https://x.test/1');
const PLANTS = passage('Plants grow.', 'plants.pdf', 'https://x.test/2');
const SHEEP = passage('Sheep graze.', 'sheep.pdf');
const found = { query: 'cells' };

describe('citations', function () {
  this.timeout(60_000);
  let world: TestService;
  let folder: ToolFolder;
  before(async () => {
    folder = await makeToolFolder({ 'library.mjs': LIBRARY });
    world = await createTestService({ TOOLS_DIR: folder.path, TOOL_RESULT_MAX_CHARS: String(CAP) });
  });
  after(async () => {
    await endWorld(world);
    await folder.remove();
  });

  const told = async (model: string) =>
    (await world.model.ledger(model))
      .at(-1)!
      .body.messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => String(content));
  const prompted = async (model: string) => {
    const [first] = await world.model.ledger(model);
    return String(first?.body.messages.at(-1)?.content);
  };
  const fillingPrompt = (answer: string, tools: readonly object[]) =>
    world.assistant([say(answer)], { prompt_template: '{context}\n---\n{user_input}', tools });

  it('are asked for above numbered passages, whose text the model reads as it is', async () => {
    const passages = [CELLS, passage(LITERAL, 'odd.md')];
    const assistant = await fillingPrompt('Yes.', [library('placeholder', { content: 'Two.', passages })]);

    await world.service.chat(assistant.id, 'Cells?');

    expect(await prompted(assistant.model)).to.equal(
      'Two.\n\nPassages, to be cited by their numbers, like [1]:\n\n' +
        `[1] cells.pdf\nCells divide.\n\n[2] odd.md\n${LITERAL}\n---\nCells?`,
    );
  });

  it('are not asked for where nothing was found', async () => {
    const assistant = await fillingPrompt('No.', [library('placeholder', { passages: [] })]);

    const { json } = await world.service.chat(assistant.id, 'Cells?');

    expect(await prompted(assistant.model)).to.equal('\n---\nCells?');
    expect(json.x_bellwether.sources).to.deep.equal([]);
  });

  it('number placeholders in the order of their entries, whichever was ready first, and a source once', async () => {
    const assistant = await fillingPrompt('Yes.', [
      library('placeholder', { passages: [CELLS, PLANTS], turns: 50 }),
      library('placeholder', { passages: [SHEEP, { ...CELLS, text: 'Cells are small.' }] }),
    ]);

    await world.service.chat(assistant.id, 'Cells?');

    const prompt = await prompted(assistant.model);
    expect(prompt.match(/^\[\d+\] \S+$/gm)).to.deep.equal([
      '[1] cells.pdf',
      '[2] plants.pdf',
      '[3] sheep.pdf',
      '[1] cells.pdf',
    ]);
    expect(prompt).to.include('like [1]:').and.include('like [3]:');
  });

  it('go on counting from placeholders to functions, in the order of the calls and rounds', async () => {
    const assistant = await world.assistant(
      [
        calls([
          { name: 'find_in_library', arguments: found },
          { name: 'find_in_library_2', arguments: found },
        ]),
        call('find_in_library', found),
        say('Done.'),
      ],
      {
        prompt_template: '{context} {user_input}',
        tools: [
          library('placeholder', { sources: [{ title: 'plain.txt' }], content: 'Plain.' }),
          library('function', { passages: [CELLS], turns: 50 }),
          library('function', { passages: [SHEEP, CELLS] }),
        ],
      },
    );

    const { json } = await world.service.chat(assistant.id, 'Cells?');

    const heads = (await told(assistant.model)).map((text) => text.match(/^\[\d+\] \S+$/gm));
    expect(heads).to.deep.equal([['[2] cells.pdf'], ['[3] sheep.pdf', '[2] cells.pdf'], ['[2] cells.pdf']]);
    expect(json.x_bellwether.sources.map(({ n, title }) => [n, title])).to.deep.equal([
      [1, 'plain.txt'],
      [2, 'cells.pdf'],
      [3, 'sheep.pdf'],
    ]);
  });

  it('tell cited sources from the others, streamed and whole', async () => {
    const sources = [
      { n: 1, title: 'cells.pdf', url: 'https://x.test/1', cited: true },
      { n: 2, title: 'plants.pdf', url: 'https://x.test/2', cited: false },
      { n: 3, title: 'sheep.pdf', cited: true },
    ];
    const tools = [library('placeholder', { passages: [CELLS, PLANTS, SHEEP] })];
    const assistant = await world.assistant([say('They divide [1, 3]. `a[2]` and [7].', { chunks: 9 })], {
      prompt_template: '{context} {user_input}',
      tools,
      repeat: true,
    });

    const whole = await world.service.chat(assistant.id, 'Cells?');
    const streamed = await (await world.service.stream(assistant.id, 'Cells?')).whole();

    expect(whole.json.x_bellwether.sources).to.deep.equal(sources);
    expect(streamed.statuses.at(-1)).to.deep.include({ type: 'run.completed', sources });
  });

  it('keep within the cap: what is cut away is no source, and what is cut is marked', async () => {
    const passages = [CELLS, passage('x'.repeat(2 * CAP), 'long.pdf'), SHEEP];
    const assistant = await world.assistant([call('find_in_library', found), say('Long [1][2][3].')], {
      tools: [library('function', { passages })],
    });

    const { json } = await world.service.chat(assistant.id, 'Cells?');

    const [text = ''] = await told(assistant.model);
    expect(text).to.match(/x\n\[cut: \d+ of \d+ characters shown\]$/);
    expect(text.replace(/\n\[cut: .*$/, '').length)
      .to.be.at.most(CAP)
      .and.at.least(CAP - 10);
    expect(json.x_bellwether.sources.map(({ title }) => title)).to.deep.equal(['cells.pdf', 'long.pdf']);
  });

  it('of another assistant become those of the one that asked', async () => {
    const child = await world.assistant(
      [say('They divide [1], and [2] graze [1][2]. `[1]`, a[2] and [3] stay.')],
      {
        prompt_template: '{context} {user_input}',
        tools: [library('placeholder', { passages: [CELLS, SHEEP] })],
      },
    );
    const asked = `call_assistant_${String(child.id)}`;
    const assistant = await world.assistant([call(asked, found), say('So it is [3].')], {
      prompt_template: '{context} {user_input}',
      tools: [
        library('placeholder', { passages: [PLANTS, SHEEP] }),
        { type: 'assistant', enabled: true, mode: 'function', config: { assistant_id: child.id } },
      ],
    });

    const { json } = await world.service.chat(assistant.id, 'Cells?');

    expect(await told(assistant.model)).to.deep.equal([
      'They divide [3], and [2] graze [3][2]. `[1]`, a[2] and [3] stay.',
    ]);
    expect(json.x_bellwether.sources.map(({ n, title, cited }) => [n, title, cited])).to.deep.equal([
      [1, 'plants.pdf', false],
      [2, 'sheep.pdf', false],
      [3, 'cells.pdf', true],
    ]);
  });

  it('are in the preview as the model would read them, and in the count of its characters', async () => {
    const tools = [
      library('placeholder', { passages: [CELLS] }),
      library('placeholder', { passages: [SHEEP] }),
    ];
    const assistant = await fillingPrompt('Yes.', tools);
    const messages = [{ role: 'user', content: 'Cells?' }];

    const preview = await world.service.request<{
      messages: readonly { content: string }[];
      placeholders: readonly { chars: number }[];
    }>(`/lamb/v1/assistants/${String(assistant.id)}/preview`, { body: { messages } });
    await world.service.chat(assistant.id, { messages });

    const prompt = await prompted(assistant.model);
    const parts = prompt.split(/\n+---\n/)[0]!.split(/\n+(?=Passages,)/);
    expect(preview.json.messages.at(-1)?.content).to.equal(prompt);
    expect(preview.json.placeholders.map(({ chars }) => chars)).to.deep.equal(
      parts.map(({ length }) => length),
    );
  });

  it('have the length of what the model reads in the trace', async () => {
    const assistant = await world.assistant([call('find_in_library', found), say('Yes.')], {
      tools: [library('function', { content: 'One.', passages: [CELLS] })],
    });

    const { headers } = await world.service.chat(assistant.id, 'Cells?');
    const run = await world.service.request<{ steps: { kind: string; output: { chars: number } }[] }>(
      `/lamb/v1/runs/${headers.get('x-run-id') ?? ''}`,
    );

    const [text = ''] = await told(assistant.model);
    expect(run.json.steps.find(({ kind }) => kind === 'tool')?.output.chars).to.equal(text.length);
  });

  it('are numbered for themselves where a tool is called without an assistant', async () => {
    const args = { ...found, config: { passages: [SHEEP, CELLS] } };

    const result = await withMcp(world.service, world.service.adminKey, (client) =>
      client.callTool({ name: 'library', arguments: args }),
    );

    expect(textsOf(result)).to.deep.equal([
      'Passages, to be cited by their numbers, like [1]:\n\n[1] sheep.pdf\nSheep graze.\n\n[2] cells.pdf\nCells divide.',
      'Sources:\n[1] sheep.pdf\n[2] cells.pdf https://x.test/1',
    ]);
  });

  it('of a knowledge base link to the passages themselves, and one found twice is one source', async () => {
    const of = collectionsOf(world.service, world.service.adminKey);
    const { id } = await of.make();
    await of.takeIn(id, 'cells.md', '# Cells\n\nCells divide in two.\n');
    const tool = { type: 'simple_rag', enabled: true, config: { collections: [id] } };
    const assistant = await world.assistant(
      [call('query_knowledge_base', { query: 'How do cells divide?' }), say('In two [1].')],
      {
        prompt_template: '{context} {user_input}',
        tools: [
          { ...tool, mode: 'placeholder' },
          { ...tool, mode: 'function' },
        ],
      },
    );

    const { json } = await world.service.chat(assistant.id, 'Do cells divide?');

    const [source] = json.x_bellwether.sources;
    const page = await fetch(String(source?.['url']));
    expect(json.x_bellwether.sources).to.have.length(1);
    expect(source).to.include({ n: 1, title: 'cells.md – Cells', cited: true });
    expect(await prompted(assistant.model)).to.match(/^\[1\] cells\.md – Cells$/m);
    expect((await told(assistant.model))[0]).to.match(/^\[1\] cells\.md – Cells$/m);
    expect(await page.text()).to.match(/<mark id="passage"[^>]*>[^]*Cells divide in two\.<\/mark>/);
  });

  it('are made by the offline demo, which names what it quotes and nothing else', async () => {
    const { id } = await world.service.createAssistant({
      prompt_template: '{context}\n\n{user_input}',
      metadata: {
        connector: 'demo',
        tools: [library('placeholder', { passages: [SHEEP, CELLS, PLANTS] })],
      },
    });

    const { json } = await world.service.chat(id, 'What do cells do?');

    expect(json.choices[0]!.message.content).to.match(
      /^Cells divide \[2\]\.\n\nSources: \[2\] cells\.pdf\n\n\(/,
    );
    expect(json.x_bellwether.sources.map(({ cited }) => cited)).to.deep.equal([false, true, false]);
  });
});
