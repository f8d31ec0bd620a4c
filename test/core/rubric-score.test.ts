import { expect } from 'chai';
import fc from 'fast-check';
import type { Criterion, Level, Rubric } from '../../src/core/rubrics/rubric.js';
import { bestFirst, factorOf, toHundredths, totalOf, warningsOf } from '../../src/core/rubrics/score.js';

const level = (score: number): Level => ({ score, label: String(score), description: '' });
const criterion = (weight: number, scores: readonly number[]): Criterion => ({
  name: 'Criterion',
  description: '',
  weight,
  levels: scores.map(level),
});
const rubric = (maxScore: number, ...criteria: readonly Criterion[]): Rubric => ({
  description: '',
  subject: '',
  gradeLevel: '',
  criteria,
  scoringType: 'points',
  maxScore,
});

/** Weights that add up to 100, on a scale all criteria share. */
const aSoundRubric = fc
  .record({
    cuts: fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 5 }),
    scale: fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { minLength: 2, maxLength: 6 }),
    maxScore: fc.integer({ min: 1, max: 100 }),
  })
  .map(({ cuts, scale, maxScore }) => {
    const marks = [0, ...cuts.sort((a, b) => a - b), 100];
    const weights = marks.slice(1).map((mark, i) => mark - (marks[i] ?? 0));
    return rubric(maxScore, ...weights.map((weight) => criterion(weight, scale)));
  });

/** A rubric, and a level chosen for each of its criteria. */
const aJudgedRubric = aSoundRubric.chain((made) =>
  fc.record({
    made: fc.constant(made),
    chosen: fc.tuple(...made.criteria.map(({ levels }) => fc.constantFrom(...levels))),
  }),
);
const best = ({ criteria }: Rubric) => criteria.map((each) => bestFirst(each)[0]!);
const worst = ({ criteria }: Rubric) => criteria.map((each) => bestFirst(each).at(-1)!);

describe('the score of a rubric', () => {
  it('is the weighted level scores, times what makes the best one the highest score', () => {
    const essay = rubric(10, criterion(60, [4, 3, 2, 1]), criterion(40, [4, 3, 2, 1]));

    expect(factorOf(essay)).to.equal(2.5);
    expect(totalOf(essay, [level(3), level(2)])).to.equal(6.5);
    expect(totalOf(essay, [level(4), level(4)])).to.equal(10);
  });

  it('is measured by the best level of the first criterion, wherever in its list that stands', () => {
    const odd = rubric(100, criterion(50, [1, 5, 3]), criterion(50, [10, 0]));

    expect(factorOf(odd)).to.equal(20);
    expect(totalOf(odd, [level(5), level(10)])).to.equal(150);
  });

  it('is rounded to hundredths as people round', () => {
    expect([1.005, 2.675, 33.333333, 0.1 + 0.2, 7].map(toHundredths)).to.deep.equal([
      1.01, 2.68, 33.33, 0.3, 7,
    ]);
  });

  it('is the highest for the best levels, and lies between worst and best for any others', () => {
    fc.assert(
      fc.property(aJudgedRubric, ({ made, chosen }) => {
        const total = totalOf(made, chosen);

        expect(totalOf(made, best(made))).to.equal(made.maxScore);
        expect(total).to.be.within(totalOf(made, worst(made)), made.maxScore);
      }),
    );
  });

  it('never falls when one level gets better', () => {
    fc.assert(
      fc.property(aJudgedRubric, fc.nat(), ({ made, chosen }, where) => {
        const at = where % chosen.length;
        const better = chosen.map((each, i) => (i === at ? bestFirst(made.criteria[i]!)[0]! : each));

        expect(totalOf(made, better)).to.be.at.least(totalOf(made, chosen));
      }),
    );
  });

  it('does not depend on the order of criteria that share a scale', () => {
    fc.assert(
      fc.property(aJudgedRubric, ({ made, chosen }) => {
        const turned = { ...made, criteria: [...made.criteria].reverse() };

        expect(totalOf(turned, [...chosen].reverse())).to.equal(totalOf(made, chosen));
      }),
    );
  });
});

describe('the warnings about a rubric', () => {
  it('are none when it adds up, also by hundredths', () => {
    const thirds = [33.33, 33.33, 33.33].map((weight) => criterion(weight, [2, 1]));

    expect(warningsOf(rubric(10, ...thirds))).to.deep.equal([]);
    fc.assert(
      fc.property(aSoundRubric, (made) => {
        expect(warningsOf(made)).to.deep.equal([]);
      }),
    );
  });

  it('name the sum of weights that do not make 100, and the best score that follows', () => {
    expect(warningsOf(rubric(10, criterion(60, [4, 1]), criterion(30, [4, 1])))).to.deep.equal([
      'The weights add up to 90, not to 100.',
      'The best possible score is 9, while maxScore is 10.',
    ]);
  });

  it('tell of scales that differ, and of levels that score the same', () => {
    expect(warningsOf(rubric(10, criterion(50, [4, 1]), criterion(50, [5, 5])))).to.deep.equal([
      'The best possible score is 11.25, while maxScore is 10.',
      'Two levels of "Criterion" have the same score.',
    ]);
  });
});
