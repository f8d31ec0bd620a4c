import { expect } from 'chai';
import fc from 'fast-check';
import { assistantSetup } from '../../../db/metadata/setup.js';
import { catalogue } from '../fixtures.js';

const setupOf = (metadata: string | object | null) =>
  assistantSetup({ metadata, ragCollections: 'a', ragTopK: null }, catalogue);

describe('an assistant’s setup', () => {
  it('reads the example of the documentation', () => {
    const setup = setupOf({
      _format_version: 2,
      assistant_type: 'multi_tool',
      prompt_processor: 'multi_augment',
      connector: 'openai',
      llm: 'gpt-4o-mini',
      capabilities: { vision: true, image_generation: false },
      verbose: true,
      tools: [{ type: 'weather', name: 'w', description: 'd', on_error: 'fail', config: { city: 'Bilbao' } }],
    });

    expect(setup).to.deep.equal({
      type: 'multi_tool',
      processor: 'multi_augment',
      connector: 'openai',
      model: 'gpt-4o-mini',
      vision: true,
      verbose: true,
      tools: [
        {
          type: 'weather',
          enabled: true,
          mode: 'placeholder',
          placeholder: 'weather',
          name: 'w',
          description: 'd',
          onError: 'fail',
          approval: undefined,
          config: { city: 'Bilbao' },
        },
      ],
      listed: [
        {
          ...{ type: 'weather', name: 'w', description: 'd', on_error: 'fail', config: { city: 'Bilbao' } },
          ...{ enabled: true, mode: 'placeholder', placeholder: 'weather' },
        },
      ],
      problems: [],
      oddities: [],
    });
  });

  it('calls an orchestrator what offers an enabled function, or whose connector says so, and nothing else', () => {
    const weather = { type: 'weather', mode: 'function' };

    expect(setupOf({ tools: [weather] }).type).to.equal('orchestrator');
    expect(setupOf({ tools: [{ ...weather, enabled: false }] }).type).to.equal('multi_tool');
    expect(setupOf({ assistant_type: 'orchestrator', tools: [] }).type).to.equal('multi_tool');
    expect(setupOf({ assistant_type: 'classic', tools: [weather] }).type).to.equal('orchestrator');
    expect(setupOf({ connector: 'openai_tools' }).type).to.equal('orchestrator');
    expect(setupOf({ connector: 'my_tool_use_x' }).type).to.equal('orchestrator');
    expect(setupOf({ connector: 'openai' }).type).to.equal('classic');
  });

  it('calls classic what is stored in the classic shape, or says that it is', () => {
    expect(setupOf(null).type).to.equal('classic');
    expect(setupOf({ rag_processor: 'simple_rag' }).type).to.equal('classic');
    expect(setupOf({ tools: [] }).type).to.equal('multi_tool');
    expect(setupOf({ _format_version: 2 }).type).to.equal('multi_tool');
    expect(setupOf({ _format_version: 2, assistant_type: 'classic' }).type).to.equal('classic');
  });

  it('chooses the prompt processor by type unless one is named', () => {
    expect(setupOf({}).processor).to.equal('simple_augment');
    expect(setupOf({ tools: [] }).processor).to.equal('multi_augment');
    expect(setupOf({ tools: ['weather'] }).processor).to.equal('tool_augment');
    expect(setupOf({ prompt_processor: 'moodle_augment' }).processor).to.equal('moodle_augment');
  });

  it('falls back to defaults where an optional value has the wrong type', () => {
    const setup = setupOf({
      connector: '',
      llm: ' ',
      verbose: 'yes',
      capabilities: 'vision',
      prompt_processor: 7,
      tools: [
        {
          type: 'weather',
          enabled: 'yes',
          mode: 'sometimes',
          placeholder: 7,
          on_error: 1,
          config: [],
          name: 5,
        },
      ],
    });

    expect(setup).to.deep.include({
      connector: undefined,
      model: undefined,
      verbose: false,
      vision: false,
      problems: [],
    });
    expect(setup.tools).to.deep.equal([
      {
        type: 'weather',
        enabled: true,
        mode: 'placeholder',
        placeholder: 'weather',
        name: undefined,
        description: undefined,
        onError: 'omit',
        approval: undefined,
        config: {},
      },
    ]);
  });

  it('skips an entry that names no tool rather than refusing to run', () => {
    const setup = setupOf({ tools: [42, {}, 'weather'] });

    expect(setup.tools.map((tool) => tool.type)).to.deep.equal(['weather']);
    expect(setup.problems).to.deep.equal([]);
  });

  for (const metadata of [
    '{broken',
    '[]',
    { _format_version: 99, tools: ['weather'] },
    { tools: 'weather' },
  ]) {
    it(`may not run with ${JSON.stringify(metadata)}`, () => {
      const setup = setupOf(metadata);

      expect(setup.problems).to.have.length(1);
      expect(setup.tools).to.deep.equal([]);
    });
  }

  it('is read from anything without a fault', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.object()), (metadata) => {
        expect(setupOf(metadata).type).to.be.oneOf(['classic', 'multi_tool', 'orchestrator']);
      }),
    );
  });
});
