import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { faultsInWords, readRubric } from '../../src/core/rubrics/rubric.js';
import { PROJECT_ROOT } from '../support/child-process.js';
import { essayRubric, fourLevels } from '../support/rubrics.js';

const faultsOf = (data: unknown): string[] => {
  const reading = readRubric(data);
  return reading.ok ? [] : reading.faults.map((fault) => faultsInWords([fault]));
};
const criterion = (changes: object = {}) => ({
  name: 'Argument',
  weight: 100,
  levels: fourLevels(),
  ...changes,
});
const withCriterion = (changes: object) => essayRubric({ criteria: [criterion(changes)] });

describe('reading a rubric', () => {
  it("understands LAMB's shape, whatever other keys it holds", () => {
    const reading = readRubric(essayRubric({ theme: 'dark', aiNotes: [1] }));

    expect(reading).to.have.property('ok', true);
    if (!reading.ok) return;
    expect(reading.rubric).to.include({ subject: 'History', gradeLevel: '10', maxScore: 10 });
    expect(reading.rubric.criteria.map(({ name, weight }) => [name, weight])).to.deep.equal([
      ['Argument', 60],
      ['Sources', 40],
    ]);
  });

  it('takes the example of the documentation', async () => {
    const page = await readFile(join(PROJECT_ROOT, 'docs', 'rubrics.md'), 'utf8');
    const [, example = ''] = /```json\n([^]*?)```/.exec(page) ?? [];

    expect(faultsOf((JSON.parse(example) as { rubric_data: unknown }).rubric_data)).to.deep.equal([]);
  });

  it('needs no ids, descriptions or metadata: nothing depends on them', () => {
    const bare = { label: 'Good', score: 1 };
    const data = {
      criteria: [{ name: 'All', weight: 100, levels: [bare, { label: 'Bad', score: 0 }] }],
      scoringType: 'checklist',
      maxScore: 1,
    };

    expect(faultsOf(data)).to.deep.equal([]);
    expect(faultsOf({ ...data, description: null, metadata: null })).to.deep.equal([]);
  });

  const cases: readonly (readonly [string, unknown, string])[] = [
    ['no object', null, 'rubric_data: must be an object'],
    ['a list', [], 'rubric_data: must be an object'],
    ['no criteria', essayRubric({ criteria: [] }), 'criteria: must hold at least one criterion'],
    ['criteria left out', essayRubric({ criteria: undefined }), 'criteria: is missing'],
    ['criteria that are a text', essayRubric({ criteria: 'x' }), 'criteria: must be a list'],
    ['a criterion that is none', essayRubric({ criteria: [null] }), 'criteria.0: must be an object'],
    ['a blank name', withCriterion({ name: ' ' }), 'criteria.0.name: must not be empty'],
    ['no weight', withCriterion({ weight: undefined }), 'criteria.0.weight: is missing'],
    ['a weight in words', withCriterion({ weight: 'half' }), 'criteria.0.weight: must be a number'],
    ['a negative weight', withCriterion({ weight: -1 }), 'criteria.0.weight: must be 0 or more'],
    [
      'one level',
      withCriterion({ levels: fourLevels().slice(0, 1) }),
      'criteria.0.levels: must hold at least two levels',
    ],
    [
      'a score in words',
      withCriterion({ levels: [{ label: 'A', score: '4' }, fourLevels()[1]] }),
      'criteria.0.levels.0.score: must be a number',
    ],
    [
      'no label',
      withCriterion({ levels: [{ score: 4 }, fourLevels()[1]] }),
      'criteria.0.levels.0.label: is missing',
    ],
    [
      'one id for two levels',
      withCriterion({ levels: fourLevels().map((level) => ({ ...level, id: 'same' })) }),
      'criteria.0.levels: names the id "same" twice',
    ],
    [
      'nothing to measure by',
      withCriterion({ levels: fourLevels().map((level) => ({ ...level, score: 0 })) }),
      'criteria.0.levels: the best level of the first criterion must have a score above 0',
    ],
    [
      'an unknown scoring type',
      essayRubric({ scoringType: 'stars' }),
      'scoringType: must be one of points, percentage, holistic, single-point, checklist',
    ],
    ['a maxScore of 0', essayRubric({ maxScore: 0 }), 'maxScore: must be above 0'],
    ['no maxScore', essayRubric({ maxScore: undefined }), 'maxScore: is missing'],
    [
      'a subject that is no text',
      essayRubric({ metadata: { subject: 7 } }),
      'metadata.subject: must be a text',
    ],
  ];
  for (const [what, data, fault] of cases) {
    it(`says what is wrong with ${what}`, () => {
      expect(faultsOf(data)).to.deep.equal([fault]);
    });
  }

  it('names every fault at once', () => {
    const data = {
      criteria: [
        { name: '', weight: 'x', levels: [{ id: 'a' }] },
        criterion({ weight: -5, levels: fourLevels().map((level) => ({ ...level, id: 'same' })) }),
      ],
      scoringType: 'stars',
      maxScore: -1,
    };

    expect(faultsOf(data)).to.have.members([
      'criteria.0.name: must not be empty',
      'criteria.0.weight: must be a number',
      'criteria.0.levels.0.score: is missing',
      'criteria.0.levels.0.label: is missing',
      'criteria.0.levels: must hold at least two levels',
      'criteria.1.weight: must be 0 or more',
      'criteria.1.levels: names the id "same" twice',
      'scoringType: must be one of points, percentage, holistic, single-point, checklist',
      'maxScore: must be above 0',
    ]);
  });

  it('never throws, whatever it is given', () => {
    const levels = fc.anything();
    const criteria = fc.oneof(fc.anything(), fc.array(fc.record({ levels })));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ criteria })), (data) => {
        expect(readRubric(data)).to.have.property('ok');
      }),
      { numRuns: 200 },
    );
  });
});
