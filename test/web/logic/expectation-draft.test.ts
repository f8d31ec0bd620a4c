import { expect } from 'chai';
import { draftOf, expectationOf, KINDS } from '../../../web/src/assistants/tests/expectation-draft.ts';

const SIMPLE = [
  ...[{ contains: 'x' }, { not_contains: 'x', turn: 2 }, { judged: 'It is kind.' }, { refuses: true }],
  ...[{ cites: { document: 'a.pdf' } }, { calls: { tool: 'weather' } }, { not_calls: { tool: 'weather' } }],
  ...[{ language: 'ca' }, { max_rounds: 3 }, { max_cost: 0.5 }, { matches: '^a' }],
];
const WITHOUT_FIELD = [
  ...[{ cites: { collection: 'c' } }, { calls: { tool: 'weather', arguments: { city: 'Bilbao' } }, turn: 1 }],
  ...[{ rubric_at_least: { rubric_id: 'r', points: 6 } }, { something_new: [1] }],
];

describe('the form of an expectation', () => {
  it('gives back what it was given, with a field for what is simple and JSON for the rest', () => {
    const kindsOf = (all: readonly Readonly<Record<string, unknown>>[]) =>
      all.map((each) => draftOf(each).kind);

    for (const each of [...SIMPLE, ...WITHOUT_FIELD])
      expect(expectationOf(draftOf(each))).to.deep.equal(each);
    expect(new Set([...kindsOf(SIMPLE), 'other'])).to.deep.equal(new Set(KINDS));
    expect(new Set(kindsOf(WITHOUT_FIELD))).to.deep.equal(new Set(['other']));
  });

  it('expects nothing as long as its field says nothing', () => {
    const written = KINDS.filter((kind) => kind !== 'refuses').map((kind) =>
      expectationOf({ kind, text: ' ', turn: undefined }),
    );

    expect(new Set(written)).to.deep.equal(new Set([undefined]));
    expect(expectationOf({ kind: 'other', text: '[1]', turn: undefined })).to.equal(undefined);
  });
});
