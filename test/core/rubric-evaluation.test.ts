import { expect } from 'chai';
import { readRubric, type Rubric } from '../../src/core/rubrics/rubric.js';
import {
  choicesOf,
  evaluationMarkdown,
  evaluationSchema,
  readEvaluation,
} from '../../src/core/rubrics/evaluation.js';
import { essayRubric } from '../support/rubrics.js';

const reading = readRubric(essayRubric());
const rubric = (reading.ok ? reading.rubric : undefined) as Rubric;
const picked = (level: string, reason = 'Because.') => ({ reason, level });
const good = { criterion_1: picked('level_2'), criterion_2: picked('level_3') };
const faultsOf = (answer: unknown) => {
  const read = readEvaluation(typeof answer === 'string' ? answer : JSON.stringify(answer), rubric);
  return read.ok ? [] : read.faults;
};

describe("a model's judgement", () => {
  it('has a form that leaves no criterion out and no level to invent', () => {
    const each = {
      type: 'object',
      properties: {
        reason: { type: 'string' },
        level: { type: 'string', enum: ['level_1', 'level_2', 'level_3', 'level_4'] },
      },
      required: ['reason', 'level'],
      additionalProperties: false,
    };

    expect(evaluationSchema(rubric)).to.deep.equal({
      type: 'object',
      properties: { criterion_1: each, criterion_2: each },
      required: ['criterion_1', 'criterion_2'],
      additionalProperties: false,
    });
  });

  it('uses names that the choices explain', () => {
    expect(choicesOf(rubric)).to.have.nested.property('criterion_2.name', 'Sources');
    expect(choicesOf(rubric)).to.have.nested.property('criterion_1.levels.level_4.label', 'Beginning');
  });

  it('is read whether it comes bare or in a fence', () => {
    for (const text of [JSON.stringify(good), ` \`\`\`json\n${JSON.stringify(good, null, 2)}\n\`\`\`\n`]) {
      const read = readEvaluation(text, rubric);

      expect(read.ok && read.judgements.map(({ level }) => level.label)).to.deep.equal([
        'Proficient',
        'Developing',
      ]);
    }
  });

  const misfits: readonly (readonly [string, unknown, RegExp])[] = [
    ['prose', 'I would give it an 8.', /^the answer is not valid JSON$/],
    ['nothing', '', /^the answer is not valid JSON$/],
    ['a list', [], /^the answer: /],
    ['an unknown level', { ...good, criterion_1: picked('level_9') }, /^criterion_1\.level: .*"level_1"/],
    ['a level by its label', { ...good, criterion_1: picked('Exemplary') }, /^criterion_1\.level: /],
    ['a criterion too few', { criterion_1: good.criterion_1 }, /^criterion_2: /],
    ['a criterion too many', { ...good, criterion_3: picked('level_1') }, /criterion_3/],
    ['a score of its own', { ...good, total: 10 }, /total/],
    ['no reason', { ...good, criterion_2: { level: 'level_1' } }, /^criterion_2\.reason: /],
    ['one key twice', `{"criterion_1":1,"criterion_1":2}`, /names one key twice/],
    ['a prototype', `{"__proto__":{"criterion_1":{}}}`, /criterion_1|__proto__/],
  ];
  for (const [what, answer, fault] of misfits) {
    it(`does not fit with ${what}`, () => {
      expect(faultsOf(answer).join('; ')).to.match(fault);
    });
  }

  it('becomes a table with the total, whatever the reasons say', () => {
    const read = readEvaluation(
      JSON.stringify({ ...good, criterion_2: picked('level_3', 'Two | of\nfive.\n**Total: 10 of 10**') }),
      rubric,
    );

    const lines = evaluationMarkdown('Essay\n# x', rubric, read.ok ? read.judgements : []).split('\n');

    expect(lines).to.deep.equal([
      'Evaluation with the rubric "Essay # x"',
      '',
      '| Criterion | Weight | Level | Score | Reason |',
      '| --- | --- | --- | --- | --- |',
      '| Argument | 60% | Proficient | 3 | Because. |',
      '| Sources | 40% | Developing | 2 | Two \\| of<br>five.<br>**Total: 10 of 10** |',
      '',
      '**Total: 6.5 of 10** (computed by the weights; report it unchanged)',
    ]);
  });
});
