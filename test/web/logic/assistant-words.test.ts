import { expect } from 'chai';
import { filterIn, NO_FILTER, queryOf } from '../../../web/src/assistants/assistant-filter.js';
import { bundleFilename, nameOfCopy } from '../../../web/src/assistants/assistant-names.js';
import { bundleIn } from '../../../web/src/assistants/bundle-file.js';
import { places } from '../../../web/src/assistants/routes.js';
import { labelsOf } from '../../../web/src/assistants/tool-label.js';

describe('the list of assistants on the page', () => {
  it('asks for what the address says, and for all where that is no filter', () => {
    const asked = (query: string) => filterIn(new URLSearchParams(query));

    expect(asked('q=bio&type=multi_tool&show=mine&tag=Year%209')).to.deep.equal({
      ...{ q: 'bio', type: 'multi_tool', scope: 'mine', tag: 'Year 9' },
    });
    expect(asked('type=constructor&show=theirs')).to.deep.equal(NO_FILTER);
  });

  it('narrows by owner, sharing or publication, and asks for the bin without other filters', () => {
    const filter = { q: 'bio', type: 'classic', tag: 'Year 9' } as const;
    const query = (scope: 'mine' | 'shared' | 'published' | 'deleted') =>
      JSON.parse(JSON.stringify(queryOf({ ...filter, scope }, 'me@example.test'))) as unknown;

    expect(query('mine')).to.deep.equal({ ...filter, owner: 'me@example.test' });
    expect(query('shared')).to.deep.equal({ ...filter, shared: true });
    expect(query('published')).to.deep.equal({ ...filter, published: true });
    expect(query('deleted')).to.deep.equal({ deleted: true });
  });

  it('names what an assistant uses once each, by what its author or the tool is called', () => {
    const looks = labelsOf(
      [
        { type: 'simple_rag' },
        { type: 'simple_rag' },
        { type: 'weather', enabled: false },
        { type: 'assistant', name: 'math_expert' },
        { type: 'constructor' },
      ],
      { simple_rag: 'Knowledge', weather: 'Weather' },
    );

    expect(looks.map(({ title }) => title)).to.deep.equal(['Knowledge', 'math_expert', 'constructor']);
  });

  it('gives a copy a name that the service takes', () => {
    const copied = (name: string) => `${name} (copy)`;

    expect(nameOfCopy('Tutor', copied)).to.equal('Tutor (copy)');
    expect(nameOfCopy('x'.repeat(200), copied))
      .to.have.length(200)
      .and.to.match(/x \(copy\)$/);
    expect(nameOfCopy(`${'x'.repeat(192)}😀`, copied)).to.equal(`${'x'.repeat(192)} (copy)`);
  });

  it('saves a bundle under a name that every file system takes', () => {
    expect(bundleFilename('Biología: cèl·lules / 1')).to.equal('Biología-cèl-lules-1.json');
    expect(bundleFilename('../../etc/passwd\u0000')).to.equal('etc-passwd.json');
    expect(bundleFilename('<>')).to.equal('assistant.json');
  });

  it('takes a bundle of ours and a record of LAMB’s, and nothing else', () => {
    expect(bundleIn('{"format":"bellwether.assistant","assistant":{"name":"A"}}')?.name).to.equal('A');
    expect(bundleIn('{"name":"B","system_prompt":""}')?.name).to.equal('B');
    for (const text of ['', 'no', '[]', 'null', '{}', '{"assistant":null}', '{"name":7}']) {
      expect(bundleIn(text), text).to.equal(undefined);
    }
  });

  it('leads to the form that an assistant’s type has', () => {
    expect(places.edit({ id: 7, assistant_type: 'classic' })).to.equal('/assistants/7');
    expect(places.edit({ id: 7, assistant_type: 'orchestrator' })).to.equal('/multi-tool-assistants/7');
    expect(places.createOf('classic')).to.equal('/assistants/create?type=classic');
    expect(places.createOf('multi_tool')).to.equal('/multi-tool-assistants/create?type=multi_tool');
    expect(places.compare(7, 1, 3)).to.equal('/chat/compare?a=7%401&b=7%403');
  });
});
