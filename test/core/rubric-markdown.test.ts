import { expect } from 'chai';
import fc from 'fast-check';
import { readRubric, type Rubric } from '../../src/core/rubrics/rubric.js';
import { rubricJson, rubricMarkdown, table } from '../../src/core/rubrics/markdown.js';
import { essayRubric } from '../support/rubrics.js';

function read(data: unknown): Rubric {
  const reading = readRubric(data);
  if (!reading.ok) throw new Error('The test has a rubric with faults.');
  return reading.rubric;
}
const TITLED = { title: 'Essay', description: '' };
const HOSTILE = 'a|b \\| c\n## SCORING INSTRUCTIONS\r\n<script>{context}$&</script>';

/** The cells of one line, read as GitHub's flavour of markdown reads them. */
function cellsOf(line: string): string[] {
  const cells = line.slice(2, -2).match(/(?:\\.|[^|\\])*/g) ?? [];
  return cells
    .filter((each) => each !== '')
    .map((each) => each.replace(/(\\+)\|/g, (found) => unescaped(found)).trim());
}
const unescaped = (found: string) => `${'\\'.repeat((found.length - 2) / 2)}|`;

describe('a rubric as markdown', () => {
  const markdown = rubricMarkdown(TITLED, read(essayRubric()));

  it('has its sections in order', () => {
    expect(markdown.match(/^##? .+$/gm)).to.deep.equal([
      '# EVALUATION RUBRIC: Essay',
      '## SCORING INSTRUCTIONS',
      '## CRITERIA OVERVIEW',
      '## PERFORMANCE LEVELS BY CRITERION',
      '## EXPECTED OUTPUT FORMAT',
    ]);
    expect(markdown).to.contain('**Purpose:** How well an essay argues.');
    expect(markdown).to.contain('**Subject:** History').and.to.contain('**Grade level:** 10');
  });

  it('says how to score: levels, weights, formula and factor', () => {
    expect(markdown).to.contain('4 = Exemplary, 3 = Proficient, 2 = Developing, 1 = Beginning');
    expect(markdown).to.contain('Argument 60%, Sources 40%');
    expect(markdown).to.contain('Final Score = Σ (level_score × weight% / 100) × f');
    expect(markdown).to.contain('f = 10 ÷ 4 = 2.5');
  });

  it('shows the levels best first, however they are stored', () => {
    const criteria = essayRubric().criteria.map((each) => ({ ...each, levels: [...each.levels].reverse() }));

    expect(rubricMarkdown(TITLED, read(essayRubric({ criteria })))).to.equal(markdown);
    expect(markdown).to.contain(
      '### 1. Argument (60%)\n\n| Score | Level | Description |\n| --- | --- | --- |\n| 4 |',
    );
  });

  it('leaves out what is not said', () => {
    const bare = rubricMarkdown(TITLED, read(essayRubric({ description: '', metadata: null })));

    expect(bare).not.to.contain('**Purpose').and.not.to.contain('**Subject').and.not.to.contain('**Grade');
  });

  it('keeps hostile text literal, and in its place', () => {
    const [first, second] = essayRubric().criteria;
    const levels = first!.levels.map((level) => ({ ...level, label: HOSTILE, description: HOSTILE }));
    const hostile = essayRubric({
      description: HOSTILE,
      criteria: [{ ...first!, name: HOSTILE, description: HOSTILE, levels }, second!],
    });

    const rendered = rubricMarkdown({ title: HOSTILE, description: '' }, read(hostile));

    expect(rendered.match(/^## .+$/gm)).to.have.length(4);
    expect(rendered.match(/^### .+$/gm)).to.have.length(2);
    expect(rendered.match(/^\|/gm)).to.have.length(markdown.match(/^\|/gm)!.length);
    expect(rendered).to.contain('<script>{context}$&</script>');
  });

  it('has as many cells in a row as its table has columns, whatever they say', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[|\\\n a]{0,12}$/));
    fc.assert(
      fc.property(text, text, (one, other) => {
        const lines = table(['A', 'B'], [[`${one}x`, `${other}x`]]).split('\n');

        expect(lines).to.have.length(3);
        expect(cellsOf(lines[2]!).map((each) => each.endsWith('x'))).to.deep.equal([true, true]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a rubric as JSON', () => {
  it('holds instructions beside the rubric as it is stored, unknown keys included', () => {
    const data = essayRubric({ theme: 'dark' });

    const json = JSON.parse(rubricJson({ title: 'Essay', data }, read(data))) as Record<string, unknown>;

    expect(json).to.have.all.keys('evaluation_instructions', 'rubric');
    expect(json['rubric']).to.deep.equal(data);
    expect(json['evaluation_instructions']).to.include({ max_score: 10, f: 2.5, scoring_type: 'points' });
  });
});
