import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { call, calls, say } from '../../support/fakes/model-script.js';
import { ADMIN_EMAIL, startServiceProcess } from '../../support/service.js';
import { createTestService, endWorld, type TestService } from '../../support/test-service.js';
import { DICTIONARY, makeToolFolder, type ToolFolder } from '../../support/tool-folder.js';

const ADD_UP = `
import { fromLangChainTool } from 'bellwether/langchain';
import { tool } from 'langchain';
import { z } from 'zod';

const schema = z.object({ a: z.number(), b: z.number().default(1) });
export default fromLangChainTool(
  tool(({ a, b }) => String(a + b), { name: 'addUp', description: 'Adds up.', schema }),
);
`;

const BAD: Readonly<Record<string, readonly [source: string, reason: RegExp]>> = {
  'broken.mjs': ['export default {', /could not be loaded/],
  'greedy.mjs': ["import 'express'; export default {};", /Cannot find package 'express'/],
  'inside.mjs': ["import 'bellwether/wire'; export default {};", /could not be loaded/],
  'relying.mjs': ["import 'hungry'; export default {};", /Cannot find package 'zod'/],
  'weather.mjs': [DICTIONARY.replace("'dictionary'", "'weather'"), /^another tool is called weather$/],
  'word_list.mjs': [DICTIONARY, /its "name" must be its file's: word_list/],
};

describe('tools from elsewhere (TOOLS_DIR)', () => {
  let world: TestService;
  let folders: readonly ToolFolder[];
  before(async () => {
    const sources = Object.entries(BAD).map(([file, [source]]) => [file, source]);
    const one = await makeToolFolder({
      ...(Object.fromEntries(sources) as Record<string, string>),
      'dictionary.mjs': DICTIONARY,
      'node_modules/hungry/index.js': "import 'zod';",
      'node_modules/hungry/package.json': '{"name":"hungry","type":"module","exports":"./index.js"}',
    });
    const other = await makeToolFolder({ 'add_up.mjs': ADD_UP, 'dictionary.mjs': DICTIONARY });
    await other.install('langchain');
    folders = [one, other];
    world = await createTestService({ TOOLS_DIR: folders.map(({ path }) => path).join(delimiter) });
  });
  after(async () => {
    await endWorld(world);
    await Promise.all(folders.map((folder) => folder.remove()));
  });
  const toldOf = async (model: string) =>
    (await world.model.ledger(model))
      .at(-1)!
      .body.messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => content);

  it('are in the catalogue beside the built-in ones, with their schemas', async () => {
    const { json } = await world.service.request<{ tools: { name: string }[] }>('/lamb/v1/completions/tools');

    const names = json.tools.map(({ name }) => name);
    expect(names).to.include.members(['weather', 'assistant', 'dictionary', 'add_up']);
    expect(names.filter((name) => name === 'dictionary')).to.have.length(1);
    expect(json.tools.find(({ name }) => name === 'dictionary')).to.deep.include({
      display_name: 'Dictionary',
      placeholder: 'definition',
      function_name: 'look_up_word',
      danger: 'read',
    });
  });

  it('have their configuration checked by their own schema', async () => {
    const check = async (language: string) =>
      (
        await world.service.request<{ valid: boolean; errors: string[] }>(
          '/lamb/v1/completions/tools/dictionary/validate',
          { body: { config: { language } } },
        )
      ).json;

    expect(await check('eu')).to.deep.equal({ valid: true, errors: [] });
    expect(await check('tlh')).to.have.property('valid', false);
  });

  it('are offered to the model and called by it, for the person who asks', async () => {
    const assistant = await world.assistant([call('look_up_word', { word: 'ardi' }), say('A sheep.')], {
      tools: [{ type: 'dictionary', enabled: true, mode: 'function', config: { language: 'eu' } }],
    });

    await world.service.chat(assistant.id, 'What is ardi?');

    const [first] = await world.model.ledger(assistant.model);
    expect(first!.body.tools).to.deep.equal([
      {
        type: 'function',
        function: {
          name: 'look_up_word',
          description: 'Tells what a word means.',
          parameters: {
            type: 'object',
            properties: {
              word: { type: 'string', minLength: 1, description: 'The word to look up' },
              most: { type: 'integer', default: 1, minimum: -9007199254740991, maximum: 9007199254740991 },
            },
            required: ['word'],
            additionalProperties: false,
          },
        },
      },
    ]);
    expect(await toldOf(assistant.model)).to.deep.equal([`eu: sheep, for ${ADMIN_EMAIL}`]);
  });

  it('are told apart from a breakdown when they throw what may be shown', async () => {
    const assistant = await world.assistant([call('look_up_word', { word: 'qwerty' }), say('No.')], {
      tools: [{ type: 'dictionary', enabled: true, mode: 'function' }],
    });

    await world.service.chat(assistant.id, 'What is qwerty?');

    expect(await toldOf(assistant.model)).to.deep.equal(['Error: The word was not found.']);
  });

  it('fill their placeholder from the chat', async () => {
    const assistant = await world.assistant([say('ok')], {
      prompt_template: '[{definition}]',
      tools: [{ type: 'dictionary', enabled: true, mode: 'placeholder' }],
    });

    await world.service.chat(assistant.id, 'ardi');

    const [request] = await world.model.ledger(assistant.model);
    expect(request!.body.messages.at(-1)!.content).to.contain(`[en: sheep, for ${ADMIN_EMAIL}]`);
  });

  it('may be LangChain’s, from node_modules of their own, behind the same gate', async () => {
    const asking = calls([
      { name: 'addUp', arguments: { a: 2 } },
      { name: 'addUp', arguments: { a: '2', c: 3 } },
    ]);
    const assistant = await world.assistant([asking, say('3')], {
      tools: [{ type: 'add_up', enabled: true, mode: 'function', approval: 'always-allowed' }],
    });

    await world.service.chat(assistant.id, '2 + 1?');

    const [sum, refusal] = await toldOf(assistant.model);
    expect(sum).to.equal('3');
    expect(refusal).to.match(/^Error: The arguments do not fit\./);
  });

  for (const [file, [, reason]] of Object.entries(BAD)) {
    it(`are skipped when bad, by name and with the reason, and disturb nobody: ${file}`, () => {
      const skipped = world.service.logs().filter(({ msg }) => msg === 'plug-in was skipped');

      const [line, ...more] = skipped.filter((each) => each['file'] === file);
      expect(more).to.deep.equal([]);
      expect((line?.['faults'] as string[]).join('; ')).to.match(reason);
    });
  }

  it('take no name that another folder has taken before', () => {
    const [, other] = folders;
    const line = world.service.logs().find((each) => each['file'] === 'dictionary.mjs');

    expect(line).to.deep.include({ faults: ['another tool is called dictionary'] });
    expect(other!.path).to.match(new RegExp(`${String(line!['folder'])}$`));
  });

  it('keep the service from starting where their folder does not exist, and it says which', async () => {
    const missing = join(folders[0]!.path, 'not-there');

    const started = await startServiceProcess({ TOOLS_DIR: `${folders[0]!.path}, ${missing}` }).catch(String);

    expect(started)
      .to.include('ended with 1')
      .and.to.include(`TOOLS_DIR names a folder that does not exist: ${missing}`);
  });
});
