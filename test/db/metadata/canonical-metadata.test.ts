import { expect } from 'chai';
import { canonicalMetadata, type StoredMetadata } from '../../../db/metadata/canonical.js';
import { catalogue } from '../fixtures.js';

const canonical = (metadata: StoredMetadata['metadata'], columns: Partial<StoredMetadata> = {}) =>
  canonicalMetadata({ ragCollections: '', ragTopK: null, ...columns, metadata }, catalogue);

const toolsOf = (metadata: StoredMetadata['metadata'], columns: Partial<StoredMetadata> = {}) =>
  canonical(metadata, columns).metadata['tools'];

const IN_CONTEXT = { enabled: true, mode: 'placeholder', placeholder: 'context' };

describe('canonical metadata', () => {
  it('turns simple_rag with its columns into a tool that fills {context}', () => {
    const tools = toolsOf({ rag_processor: 'simple_rag' }, { ragCollections: ' a, b ,,', ragTopK: 5 });

    expect(tools).to.deep.equal([
      { type: 'simple_rag', ...IN_CONTEXT, config: { collections: ['a', 'b'], top_k: 5 } },
    ]);
  });

  it('asks for three passages when the column is empty, and for no more than the tool allows', () => {
    const topK = (ragTopK: number | null) => {
      const [tool] = toolsOf({ rag_processor: 'simple_rag' }, { ragTopK }) as [{ config: { top_k: number } }];
      return tool.config.top_k;
    };

    expect([null, 0, -1, NaN, 7, 500].map(topK)).to.deep.equal([3, 3, 3, 3, 7, 20]);
  });

  it('turns the other retrieval processors into simple_rag with what they add', () => {
    const config = { collections: ['a'], top_k: 3 };
    const of = (rag_processor: string) => toolsOf({ rag_processor }, { ragCollections: 'a' });
    const tool = (more: object) => [{ type: 'simple_rag', ...IN_CONTEXT, config: { ...config, ...more } }];

    expect(of('context_aware_rag')).to.deep.equal(tool({ query_rewrite: true }));
    expect(of('hierarchical_rag')).to.deep.equal(tool({ query_rewrite: true, parent_context: true }));
    expect(of('knowledge_store_rag')).to.deep.equal(tool({}));
  });

  it('lets classic rubrics and files fill {context}, as their templates say', () => {
    const rubric = toolsOf({ rag_processor: 'rubric_rag', rubric_id: 'r-1', rubric_format: 'json' });
    const file = toolsOf({ rag_processor: 'single_file_rag', file_path: 'notes/a.md' });

    expect(rubric).to.deep.equal([
      { type: 'rubric_rag', ...IN_CONTEXT, config: { rubric_id: 'r-1', format: 'json' } },
    ]);
    expect(file).to.deep.equal([
      { type: 'single_file_rag', ...IN_CONTEXT, config: { file_path: 'notes/a.md' } },
    ]);
  });

  for (const nothing of ['no_rag', '', 'No RAG', '  ', null]) {
    it(`makes no tool of the processor ${JSON.stringify(nothing)}`, () => {
      expect(toolsOf({ rag_processor: nothing })).to.deep.equal([]);
    });
  }

  it('offers tools listed by name alone as functions', () => {
    expect(toolsOf({ tools: ['weather', 'moodle', 'rubric'] })).to.deep.equal([
      { type: 'weather', enabled: true, mode: 'function', config: {} },
      { type: 'moodle', enabled: true, mode: 'function', config: {} },
      { type: 'rubric_rag', enabled: true, mode: 'function', config: {} },
    ]);
  });

  it('offers an assistant with its id beside the type as a function', () => {
    const entry = {
      type: 'assistant',
      assistant_id: 42,
      name: 'math_expert',
      description: 'Knows mathematics',
    };

    expect(toolsOf({ tools: [entry] })).to.deep.equal([
      { ...entry, enabled: true, mode: 'function', config: { assistant_id: 42 } },
    ]);
  });

  it('offers a knowledge base as a function over that one collection', () => {
    const entry = { type: 'knowledge_base', kb_id: 12, name: 'Biology', top_k: 4 };

    expect(toolsOf({ tools: [entry] })).to.deep.equal([
      {
        ...entry,
        type: 'simple_rag',
        enabled: true,
        mode: 'function',
        config: { collections: ['12'], top_k: 4 },
      },
    ]);
  });

  it('knows tools by their other names', () => {
    const tools = toolsOf({
      tools: [
        { type: 'rubric' },
        { type: 'single_file' },
        { type: 'no_tool' },
        { plugin: 'simple_rag', config: { top_k: 2 } },
      ],
    });

    const filling = (placeholder: string) => ({
      enabled: true,
      mode: 'placeholder',
      placeholder,
      config: {},
    });
    expect(tools).to.deep.equal([
      { type: 'rubric_rag', ...filling('rubric') },
      { type: 'single_file_rag', ...filling('file') },
      { type: 'no_rag', ...filling('context') },
      { type: 'simple_rag', plugin: 'simple_rag', ...filling('context'), config: { top_k: 2 } },
    ]);
  });

  it('keeps both the processor and the tools', () => {
    const tools = toolsOf({ rag_processor: 'simple_rag', tools: ['weather'] }, { ragCollections: 'a' });

    expect(tools).to.have.length(2);
    expect(tools).to.have.nested.property('[0].type', 'simple_rag');
    expect(tools).to.have.nested.property('[1].type', 'weather');
  });

  it('leaves a newer format untouched and says so', () => {
    const newer = { _format_version: 3, tools: [{ shape: 'unknown' }], rag_processor: 'simple_rag' };

    const { metadata, problems, readable } = canonical(newer);

    expect(metadata).to.deep.equal(newer);
    expect(problems).to.deep.equal([
      'The metadata has format version 3; this installation understands versions up to 2.',
    ]);
    expect(readable).to.equal(false);
  });

  for (const unreadable of [
    '{"a":',
    'hello',
    '[1]',
    '"text"',
    '7',
    'true',
    '{"tools":{}}',
    '{"_format_version":"new"}',
  ]) {
    it(`says that it cannot read ${unreadable}`, () => {
      const { problems, readable } = canonical(unreadable);

      expect([problems.length, readable]).to.deep.equal([1, false]);
    });
  }

  for (const empty of [null, '', '  \n', 'null', '{}', {}]) {
    it(`takes ${JSON.stringify(empty)} as an assistant without tools`, () => {
      const { metadata, problems } = canonical(empty);

      expect(metadata['tools']).to.deep.equal([]);
      expect(problems).to.deep.equal([]);
    });
  }

  it('gives each entry the mode and the placeholder it has when it names none', () => {
    const entries = [
      { type: 'simple_rag' },
      { type: 'image_gen' },
      { type: 'weather', placeholder: '{forecast}' },
    ];

    const plain = toolsOf({ _format_version: 2, connector: 'openai', tools: entries });
    const orchestrating = toolsOf({ _format_version: 2, connector: 'openai_tool_use', tools: entries });

    expect(plain).to.deep.equal([
      { type: 'simple_rag', ...IN_CONTEXT, config: {} },
      { type: 'image_gen', enabled: true, mode: 'function', config: {} },
      { type: 'weather', enabled: true, mode: 'placeholder', placeholder: 'forecast', config: {} },
    ]);
    expect(orchestrating).to.deep.equal([
      { type: 'simple_rag', enabled: true, mode: 'function', config: {} },
      { type: 'image_gen', enabled: true, mode: 'function', config: {} },
      { type: 'weather', enabled: true, mode: 'function', placeholder: 'forecast', config: {} },
    ]);
  });

  it('keeps what it does not know, in the metadata and in each entry', () => {
    const entry = {
      type: 'weather',
      mode: 'function',
      color: 'blue',
      config: { city: 'Bilbao', odd: [1] },
      enabled: 'yes',
    };
    const stored = {
      quota: { enabled: true },
      rag_processor: 'rubric_rag',
      rubric_id: 'r',
      tools: [entry, 42, null, {}],
    };

    const { metadata, problems } = canonical(stored);

    expect(metadata).to.deep.include({
      quota: { enabled: true },
      rag_processor: 'rubric_rag',
      rubric_id: 'r',
    });
    expect((metadata['tools'] as unknown[]).slice(1)).to.deep.equal([entry, 42, null, {}]);
    expect(problems).to.have.length(3);
  });

  it('treats __proto__ as a key like any other', () => {
    const hostile =
      '{"__proto__":{"polluted":1,"tools":["x"]},"tools":[{"type":"weather","__proto__":{"enabled":false}}]}';

    const { metadata } = canonical(hostile);

    expect(Object.hasOwn(metadata, '__proto__')).to.equal(true);
    expect(JSON.stringify(metadata)).to.contain('"__proto__":{"polluted":1,"tools":["x"]}');
    expect(metadata).to.have.nested.property('tools[0].enabled', true);
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
  });
});
