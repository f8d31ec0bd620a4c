import { expect } from 'chai';
import { createKeptDrafts, forgetDrafts, type TextStore } from '../../../web/src/app/kept-drafts.js';
import type { ToolFacts } from '../../../web/src/builder/builder-api.js';
import {
  collectionsOf,
  missingIn,
  sourceOf,
  withCollections,
  withSource,
} from '../../../web/src/builder/classic-source.js';
import {
  changedIn,
  differences,
  draftOf,
  isDraft,
  newDraft,
  sent,
  shapeOf,
  typeOf,
  type Draft,
} from '../../../web/src/builder/draft.js';
import { faultsOfTemplate, followed, inserted, providedBy } from '../../../web/src/builder/placeholders.js';
import {
  faultsOfEntry,
  isFull,
  moved,
  newEntry,
  toolsByName,
  withText,
} from '../../../web/src/builder/tool-entries.js';

const aTool = (name: string, facts: Partial<ToolFacts> = {}): ToolFacts => ({
  ...{ name, display_name: name, description: '', category: 'rag', function_name: name, danger: 'read' },
  ...{ placeholder: name, repeatable: true, modes: ['placeholder', 'function'], config_schema: {} },
  ...{ needs: [], recommended_with: [], presets: [] },
  ...facts,
});
const RAG = aTool('simple_rag', {
  placeholder: 'context',
  config_schema: {
    type: 'object',
    required: ['collections'],
    properties: { collections: { type: 'array', minItems: 1 } },
  },
});
const WRITER = aTool('patch_file', { placeholder: null, modes: ['function'], danger: 'write' });
const TOOLS = toolsByName([RAG, aTool('rubric_rag', { placeholder: 'rubric' }), WRITER]);

function aStorage(): TextStore & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    get length() {
      return texts.size;
    },
    key: (i) => [...texts.keys()][i] ?? null,
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  };
}

describe('an assistant in the making', () => {
  const multi = newDraft('multi_tool');
  const withTools = (...tools: readonly object[]): Draft =>
    ({ ...multi, metadata: { ...multi.metadata, tools } }) as Draft;

  it('is what its tools make of it, and says so when it is sent', () => {
    const orchestrator = withTools({ type: 'weather', mode: 'function' });

    expect(typeOf(multi.metadata)).to.equal('multi_tool');
    expect(typeOf(newDraft('classic').metadata)).to.equal('classic');
    expect(typeOf({ connector: 'openai_tool_use' })).to.equal('orchestrator');
    expect(typeOf(withTools({ type: 'weather', mode: 'function', enabled: false }).metadata)).to.equal(
      'multi_tool',
    );
    expect(sent(orchestrator).metadata).to.include({
      assistant_type: 'orchestrator',
      prompt_processor: 'tool_augment',
    });
  });

  it('keeps keys nobody knows and a prompt processor that somebody chose', () => {
    const metadata = { ...multi.metadata, prompt_processor: 'moodle_augment', theirs: { x: 1 } };

    expect(sent({ ...multi, name: ' A ', metadata })).to.deep.equal({ ...multi, name: 'A', metadata });
  });

  it('sends its settings only when they were changed, so that what cannot be read is never written over', () => {
    const renamed = changedIn({ ...multi, name: 'B' }, multi);

    expect(renamed).to.have.all.keys('name', 'description', 'system_prompt', 'prompt_template');
    expect(changedIn({ ...multi, RAG_Top_k: 4 }, multi)).to.include.keys(
      'metadata',
      'RAG_collections',
      'RAG_Top_k',
    );
  });

  it('says how its tools are used as the service understands them', () => {
    const tools = [
      { type: 'simple_rag', enabled: true, mode: 'placeholder', placeholder: 'context', config: {} },
    ];
    const metadata = { _format_version: 2, tools: [{ type: 'simple_rag' }], theirs: 1 };
    const read = (facts: object) =>
      draftOf({ name: 'A', description: '', metadata, ...facts } as never).metadata;

    expect(read({ tools })).to.deep.equal({ ...metadata, tools });
    expect(read({ tools: [] })).to.deep.equal(metadata);
    expect(read({ tools, metadata: { tools: ['simple_rag'] } })).to.deep.equal({ tools: ['simple_rag'] });
    expect(read({ tools, metadata: { tools: [{ type: 'simple_rag' }] } })).to.deep.equal({
      ...{ _format_version: 2, tools },
    });
    expect(read({ tools: [], metadata: { tools: [] } })).to.deep.equal({ _format_version: 2, tools: [] });
  });

  it('is told apart by how it is stored, not by what it does', () => {
    expect(shapeOf({ rag_processor: 'simple_rag' })).to.equal('classic');
    expect(shapeOf({ _format_version: 2, tools: [] })).to.equal('canonical');
    expect(shapeOf({ tools: ['weather'] as never })).to.equal('older');
    expect(shapeOf({ _format_version: 3 })).to.equal('older');
  });

  it('names what two people wrote differently', () => {
    expect(differences({ ...multi, name: 'A' }, { ...multi, name: 'B' })).to.deep.equal([
      { field: 'name', mine: 'A', theirs: 'B' },
    ]);
  });

  it('has one classic source; what was chosen for another one stays for the way back', () => {
    const classic = withCollections(withSource(newDraft('classic'), 'collections'), ['a', 'b']);
    const none = withSource(classic, 'none');

    expect(classic).to.deep.include({ RAG_collections: 'a,b' });
    expect(classic.metadata.rag_processor).to.equal('simple_rag');
    expect(none.metadata.rag_processor).to.equal('no_rag');
    expect(collectionsOf(withSource(none, 'collections'))).to.deep.equal(['a', 'b']);
    expect(missingIn(withSource(classic, 'rubric'))).to.equal('rubric');
    expect(sourceOf({ ...classic, metadata: { rag_processor: 'No RAG' } })).to.equal('none');
    const kept = { ...classic, metadata: { rag_processor: 'hierarchical_rag' } };
    expect(withSource(kept, 'collections')).to.equal(kept);
    expect(sourceOf({ ...classic, metadata: { rag_processor: 'constructor' } })).to.equal(undefined);
  });
});

describe('the tools of an assistant', () => {
  it('begin in the mode its kind is about, as far as the tool has it', () => {
    expect(newEntry(RAG, 'multi_tool')).to.deep.include({ mode: 'placeholder', placeholder: 'context' });
    expect(newEntry(RAG, 'orchestrator').mode).to.equal('function');
    expect(newEntry(WRITER, 'multi_tool').mode).to.equal('function');
  });

  it('are complete when settings, placeholder and the owner’s word are there; switched off, always', () => {
    const codes = (entry: object, tool = RAG) =>
      faultsOfEntry({ type: tool.name, ...entry }, tool).map(({ path, code }) => `${path} ${code}`);

    expect(codes({ mode: 'placeholder', config: {} })).to.deep.equal(['config.collections required']);
    expect(
      codes({ mode: 'placeholder', placeholder: 'user_input', config: { collections: ['a'] } }),
    ).to.deep.equal(['placeholder placeholder']);
    expect(codes({ mode: 'function' }, WRITER)).to.deep.equal(['approval approval']);
    expect(codes({ mode: 'function', approval: 'ask' }, WRITER)).to.deep.equal([]);
    expect(codes({ enabled: false })).to.deep.equal([]);
  });

  it('can be moved within their list, and no further; some stand in it once', () => {
    expect(moved(['a', 'b', 'c'], 2, 0)).to.deep.equal(['c', 'a', 'b']);
    expect(moved(['a', 'b'], 1, 2)).to.deep.equal(['a', 'b']);
    expect(isFull(aTool('moodle', { repeatable: false }), [{ type: 'moodle' }, 'odd'])).to.equal(true);
    expect(withText({ type: 'x', name: 'A', kept: 1 }, 'name', '')).to.deep.equal({ type: 'x', kept: 1 });
  });
});

describe('the placeholders of a template', () => {
  const provided = providedBy(
    [
      { type: 'simple_rag', mode: 'placeholder', placeholder: 'context' },
      { type: 'simple_rag', mode: 'placeholder' },
      { type: 'rubric_rag', mode: 'placeholder', enabled: false },
      { type: 'rubric_rag', mode: 'function' },
    ],
    TOOLS,
  );

  it('are those that enabled tools fill, each once', () => {
    expect(provided.map(({ name, by }) => [name, by])).to.deep.equal([['context', 'simple_rag']]);
    expect(provided[0]?.tools?.map(({ type }) => type)).to.deep.equal(['simple_rag', 'simple_rag']);
  });

  it('are pointed out when nothing fills them, nobody knows them, or they are not used', () => {
    const kinds = (template: string) =>
      faultsOfTemplate(template, provided, TOOLS).map(
        (fault) => `${fault.kind} ${'name' in fault ? fault.name : ''}`,
      );

    expect(kinds('{context} {user_input} \\frac{a}{B} {"json": 1}')).to.deep.equal(['unknown a']);
    expect(kinds('{rubric} {nonsense}')).to.deep.equal([
      ...['unfilled rubric', 'unknown nonsense', 'unused context', 'noQuestion '],
    ]);
    expect(kinds('')).to.deep.equal(['unused context']);
  });

  it('follow the tools in a template that nobody has written, and in no other', () => {
    expect(followed('{user_input}', [], provided)).to.equal('{context}\n\n{user_input}');
    expect(followed('{context}\n\n{user_input}', provided, [])).to.equal('{user_input}');
    expect(followed('Q: {user_input}', [], provided)).to.equal('Q: {user_input}');
  });

  it('are put in at the caret, in place of what is selected', () => {
    expect(inserted('abcd', '{x}', { start: 1, end: 3 })).to.deep.equal({ text: 'a{x}d', caret: 4 });
  });
});

describe('unsaved work', () => {
  const draft = newDraft('multi_tool');
  const storeOf = (storage: TextStore, session: { user: { id: number } | undefined } = { user: { id: 7 } }) =>
    createKeptDrafts({ storage, session, of: 'assistant 3', isDraft });

  it('is kept for each person and assistant, with the version it began from', () => {
    const storage = aStorage();
    const store = storeOf(storage);
    store.keep(draft, '4');

    expect(storeOf(storage).read()).to.deep.include({ from: '4', draft });
    expect(storeOf(storage, { user: { id: 8 } }).read()).to.equal(undefined);
    store.forget();
    expect(store.read()).to.equal(undefined);
  });

  it('is gone with whoever signs out, and nothing is kept afterwards; other things stay', () => {
    const storage = aStorage();
    storage.setItem('bellwether.theme', 'dark');
    const session: { user: { id: number } | undefined } = { user: { id: 7 } };
    const store = storeOf(storage, session);
    store.keep(draft, '4');
    session.user = undefined;
    forgetDrafts(storage);
    store.keep(draft, '4');

    expect([...storage.texts.keys()]).to.deep.equal(['bellwether.theme']);
  });

  it('that cannot be read any more is none', () => {
    for (const text of ['nonsense', 'null', '{"draft":{}}', '{"draft":{"metadata":null}}']) {
      const storage = aStorage();
      storage.setItem('bellwether.draft.7.assistant 3', text);
      expect(storeOf(storage).read()).to.equal(undefined);
    }
  });
});
