import { expect } from 'chai';
import fc from 'fast-check';
import { jsonDiff } from '../../../src/http/assistants/versions.js';
import { diffText } from '../../../web/src/assistants/line-diff.js';
import { settingChanges, stepsOf, type Step } from '../../../web/src/assistants/setting-changes.js';
import { diffLists } from '../../../web/src/assistants/text-diff.js';

const shown = (from: string, to: string) =>
  diffText(from, to).map((line) =>
    line.kind === 'gap'
      ? `… ${String(line.lines)}`
      : `${line.kind} ${line.parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')}`,
  );

describe('what changed in a text', () => {
  it('leads from the one to the other, whatever they are', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (from, to) => {
        const pieces = diffLists(from, to);
        const without = (kind: string) =>
          pieces.filter((piece) => piece.kind !== kind).map(({ text }) => text);

        expect(without('added')).to.deep.equal(from);
        expect(without('removed')).to.deep.equal(to);
      }),
    );
  });

  it('is told line by line, with the words that changed and what stayed folded', () => {
    const before = ['one', 'two', 'three', 'four', 'Be kind to everybody.', 'six'].join('\n');
    const after = ['one', 'two', 'three', 'four', 'Be fair to everybody.', 'six', 'seven'].join('\n');

    expect(shown(before, after)).to.deep.equal([
      '… 2',
      'same three',
      'same four',
      'removed Be [kind] to everybody.',
      'added Be [fair] to everybody.',
      'same six',
      'added seven',
    ]);
  });

  it('does not compare words of lines that have little in common', () => {
    expect(shown('Speak like a pirate.', 'Never answer in verse, please!')).to.deep.equal([
      'removed Speak like a pirate.',
      'added Never answer in verse, please!',
    ]);
  });

  it('is all of it where there was nothing, or is nothing', () => {
    expect(shown('', 'a\nb')).to.deep.equal(['added a', 'added b']);
    expect(shown('a', '')).to.deep.equal(['removed a']);
    expect(shown('', '')).to.deep.equal([]);
  });

  it('is found in a moment in texts as long as any', function () {
    this.timeout(5_000);
    const text = (word: string) =>
      Array.from({ length: 20_000 }, (_, i) => `${word} ${String(i)}`).join('\n');

    expect(diffText(text('old'), text('new'))).to.have.length(40_000);
  });
});

const word = (step: Step) => {
  if ('tool' in step) return `<${step.tool.name ?? step.tool.type}>`;
  if ('place' in step) return step.place;
  return 'key' in step ? step.key : step.field;
};
const changes = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  settingChanges({ metadata: jsonDiff(before, after) }, { before, after }).map(
    ({ kind, path, from, to }) =>
      JSON.parse(JSON.stringify([kind, path.map(word).join(' '), from, to])) as unknown,
  );
const tool = (type: string, more: object = {}) => ({ type, enabled: true, config: {}, ...more });

describe('what changed in the settings', () => {
  it('is found by its way, odd keys and all', () => {
    expect(stepsOf('$.a[0]["odd \\"key\\" ]["].b').map(word)).to.deep.equal(['a', 0, 'odd "key" ][', 'b']);
  });

  it('is added, removed or changed', () => {
    expect(changes({ llm: 'a', gone: 1 }, { llm: 'b', fresh: true })).to.deep.equal([
      ['changed', 'llm', 'a', 'b'],
      ['added', 'fresh', null, true],
      ['removed', 'gone', 1, null],
    ]);
  });

  it('is told one by one where several came or went together', () => {
    const pedagogy = { attempt_first: true, hints: { levels: 3 } };
    expect(changes({ capabilities: { vision: true } }, { pedagogy })).to.deep.equal([
      ['added', 'pedagogy attempt_first', null, true],
      ['added', 'pedagogy hints levels', null, 3],
      ['removed', 'capabilities vision', true, null],
    ]);
  });

  it('follows a tool whose place has changed because another one is gone', () => {
    const rag = tool('simple_rag', { config: { top_k: 3 } });
    const more = tool('simple_rag', { config: { top_k: 5 } });

    expect(changes({ tools: [tool('weather'), rag] }, { tools: [more] })).to.deep.equal([
      ['changed', '<simple_rag> config top_k', 3, 5],
      ['removed', '<weather>', null, null],
    ]);
  });

  it('tells tools of one type apart by their names, and says when they change places', () => {
    const ask = (name: string) => tool('assistant', { name, config: { assistant_id: 1 } });

    expect(changes({ tools: [ask('a'), ask('b')] }, { tools: [ask('b')] })).to.deep.equal([
      ['removed', '<a>', { assistant_id: 1 }, null],
    ]);
    expect(changes({ tools: [ask('a'), ask('b')] }, { tools: [ask('b'), ask('a')] })).to.deep.equal([
      ['moved', '<a>', null, null],
    ]);
    expect(changes({ tools: [ask('a')] }, { tools: [ask('b')] })).to.deep.equal([
      ['changed', '<a> name', 'a', 'b'],
    ]);
  });

  it('is told by place where the tools are of an older shape', () => {
    expect(changes({ tools: ['weather'] }, { tools: ['moodle'] })).to.deep.equal([
      ['changed', 'tools 0', 'weather', 'moodle'],
    ]);
  });
});
