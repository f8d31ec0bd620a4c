import { expect } from 'chai';
import fc from 'fast-check';
import { readRubric } from '../../../src/core/rubrics/rubric.js';
import { en } from '../../../web/src/i18n/en.js';
import { faultsFrom, faultsIn } from '../../../web/src/rubrics/rubric-check.js';
import { contentOf, draftOf } from '../../../web/src/rubrics/rubric-draft.js';
import {
  addCriterion,
  addLevel,
  duplicateCriterion,
  hasSameLevels,
  move,
  removeLevel,
  takeOut,
  shareLevels,
} from '../../../web/src/rubrics/rubric-edits.js';
import { contentIn, fileOf } from '../../../web/src/rubrics/rubric-file.js';
import { draftFrom } from '../../../web/src/rubrics/rubric-templates.js';
import { addsUp, balanced, sumOf } from '../../../web/src/rubrics/rubric-weights.js';
import { createFault } from '../../../web/src/api/fault.js';
import { essayRubric } from '../../support/rubrics.js';

const essay = (changes: object = {}) => ({
  ...{ title: 'Essay', description: 'How well an essay argues.', rubric_data: essayRubric(changes) },
});

describe('a rubric in the making', () => {
  it('sends back what it was given, unknown keys and all', () => {
    const given = essay({ theme: 'dark', nested: { deep: [1] } });

    expect(contentOf(draftOf(given)).rubric_data).to.deep.equal(given.rubric_data);
  });

  it('is read from anything at all, and never breaks', () => {
    fc.assert(
      fc.property(
        fc.object({ key: fc.constantFrom('criteria', 'levels', 'metadata', 'x') }),
        (rubric_data) => {
          faultsIn(draftOf({ title: 'x', rubric_data }), en);
        },
      ),
    );
  });

  for (const template of ['blank', 'essay', 'presentation', 'constructor']) {
    it(`begun as “${template}” needs no more than names to be taken by the service`, () => {
      const draft = draftFrom(template, en);
      draft.title ||= 'Named';
      for (const criterion of draft.criteria) criterion.name ||= 'Named';

      expect([...faultsIn(draft, en)]).to.deep.equal([]);
      expect(readRubric(contentOf(draft).rubric_data).ok).to.equal(true);
    });
  }

  it('says what is missing, each in its place', () => {
    const draft = draftFrom('essay', en);
    draft.title = ' ';
    draft.maxScore = 0;
    draft.criteria[0]!.weight = null;
    draft.criteria[1]!.name = '';
    draft.criteria[2]!.levels[1]!.score = null;

    expect([...faultsIn(draft, en).keys()]).to.deep.equal([
      ...[
        'title',
        'maxScore',
        'criteria.0.weight',
        'criteria.1.name',
        'criteria.2.levels.1.score',
        'weights',
      ],
    ]);
  });

  it('puts what the service says beside what it is about', () => {
    const message =
      'The body has faults: rubric_data.criteria.0.weight: must be a number; title: too long; really';

    const faults = faultsFrom(createFault({ status: 400, message }));

    expect([...faults]).to.deep.equal([
      ['criteria.0.weight', 'must be a number'],
      ['title', 'too long; really'],
    ]);
    expect(faultsFrom(createFault({ status: 500, message })).size).to.equal(0);
  });

  it('gains and loses criteria and levels, in any order', () => {
    const draft = draftOf(essay());
    draft.criteria[1]!.weight = 30;

    const added = addCriterion(draft);
    duplicateCriterion(draft, 0);
    move(draft.criteria, 0, 2);
    addLevel(draft.criteria);
    const putBack = removeLevel(draft.criteria, 0);
    const without = draft.criteria.map(({ levels }) => levels[0]?.label);
    putBack();
    const { criteria } = contentOf(draft).rubric_data as { criteria: { order?: number; id: string }[] };

    expect(added.weight).to.equal(10);
    expect(without).to.deep.equal(draft.criteria.map(() => 'Proficient'));
    expect(draft.criteria.map(({ name }) => name)).to.deep.equal(['Argument', 'Sources', 'Argument', '']);
    expect(draft.criteria.map(({ levels }) => levels.length)).to.deep.equal([5, 5, 5, 5]);
    expect(new Set(criteria.map(({ id }) => id)).size).to.equal(4);
    expect(criteria.map(({ order }) => order)).to.deep.equal([0, 1, 2, undefined]);
  });

  it('puts back what was taken out behind what it stood behind, whatever was moved since', () => {
    const named = (...names: string[]) => names.map((key) => ({ key }));
    const keys = (items: readonly { key: string }[]) => items.map(({ key }) => key).join('');

    const items = named('a', 'b', 'c', 'd');
    const { putBack } = takeOut(items, 1);
    move(items, 0, 2);
    putBack(items);
    putBack(items);
    const first = named('a', 'b', 'c');
    const ofFirst = takeOut(first, 0);
    move(first, 0, 1);
    ofFirst.putBack(first);
    const two = named('a', 'b', 'c', 'd');
    const later = takeOut(two, 2);
    takeOut(two, 1);
    move(two, 0, 1);
    later.putBack(two);

    expect([keys(items), keys(first), keys(two)]).to.deep.equal(['cdab', 'acb', 'dac']);
  });

  it('shares levels without losing what was written to them', () => {
    const draft = draftOf(essay());
    draft.criteria[0]!.levels.splice(3, 1);
    const before = draft.criteria.flatMap(({ levels }) => levels.map(({ description }) => description));

    expect(hasSameLevels(draft)).to.equal(false);
    shareLevels(draft);

    expect(hasSameLevels(draft)).to.equal(true);
    const after = draft.criteria.flatMap(({ levels }) => levels.map(({ description }) => description));
    expect(after).to.include.members(before);
  });

  it('is the same after it went through a file, ours or LAMB’s', async () => {
    const record = {
      ...essay(),
      id: '1',
      owner: '',
      organization_id: 1,
      is_public: false,
      warnings: [],
      may_edit: true,
    };
    const { name, bytes } = fileOf({ ...record, title: 'a/b: "c"', created_at: '', updated_at: '' });

    const back = contentIn(await bytes.text(), name);

    expect(name).to.equal('a b c.json');
    expect(back).to.deep.include({ title: 'a/b: "c"', description: 'How well an essay argues.' });
    expect(contentIn(JSON.stringify({ title: 'T', rubric_data: essayRubric() }), 'x')).to.deep.include({
      title: 'T',
      rubric_data: essayRubric(),
    });
    expect(contentIn('{"criteria": []}', 'mine.JSON')).to.include({ title: 'mine' });
    for (const text of ['', '[]', 'null', '"x"', '{']) expect(contentIn(text, 'x')).to.equal(undefined);
  });
});

describe('weights', () => {
  const weighted = (weights: readonly (number | null)[]) => weights.map((weight) => ({ weight }));

  it('are made to add up, whatever they are, and stay in their order', () => {
    const weights = fc.array(fc.option(fc.double({ min: 0, max: 1000, noNaN: true })), {
      ...{ minLength: 1, maxLength: 50 },
    });
    fc.assert(
      fc.property(weights, (given) => {
        const made = balanced(weighted(given));

        expect(sumOf(weighted(made))).to.equal(100);
        expect(made.every((weight) => Number.isInteger(weight) && weight >= 0)).to.equal(true);
        for (const [i, a] of given.entries())
          for (const [j, b] of given.entries())
            if ((a ?? 0) > (b ?? 0)) expect(made[i]).to.be.at.least(made[j]!);
      }),
    );
  });

  it('that nearly add up do, as three times 33.33', () => {
    expect(addsUp(weighted([33.33, 33.33, 33.33]))).to.equal(true);
    expect(addsUp(weighted([33, 33, 33]))).to.equal(false);
    expect(balanced(weighted([1, 1, 1]))).to.deep.equal([34, 33, 33]);
    expect(balanced(weighted([1, 1 + Number.EPSILON, 1]))).to.deep.equal([33, 34, 33]);
    expect(balanced(weighted([0, null]))).to.deep.equal([50, 50]);
  });
});
