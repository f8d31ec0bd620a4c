import { type Rubric, type StoredRubric } from './rubric.js';
import { bestFirst, factorOf, toHundredths } from './score.js';

const FORMULA = 'Final Score = Σ (level_score × weight% / 100) × f';

/** A rubric with how to score by it, for a model and for people. What its author wrote stays literal. */
export function rubricMarkdown({ title, description }: Titled, rubric: Rubric): string {
  const purpose = description.trim() === '' ? rubric.description : description;
  const facts = [
    ['Purpose', purpose],
    ['Subject', rubric.subject],
    ['Grade level', rubric.gradeLevel],
  ] as const;
  return [
    `# EVALUATION RUBRIC: ${oneLine(title)}`,
    ...facts.flatMap(([what, says]) => (says.trim() === '' ? [] : [`**${what}:** ${cell(says)}`])),
    scoringInstructions(rubric),
    overview(rubric),
    performanceLevels(rubric),
    EXPECTED_OUTPUT,
  ].join('\n\n');
}

/** The same for programs: the instructions beside the rubric as it is stored. */
export function rubricJson({ title, data }: Pick<StoredRubric, 'title' | 'data'>, rubric: Rubric): string {
  const evaluation_instructions = {
    title,
    scoring_type: rubric.scoringType,
    max_score: rubric.maxScore,
    steps: STEPS,
    formula: FORMULA,
    f: factorOf(rubric),
    weights: rubric.criteria.map(({ name, weight }) => ({ criterion: name, weight_percent: weight })),
    expected_output: OUTPUT_PARTS,
  };
  return JSON.stringify({ evaluation_instructions, rubric: data }, null, 2);
}

/** Text inside a table's cell: it can neither end the cell nor begin a line. */
function cell(text: string): string {
  return text
    .trim()
    .replace(/(?<!\\)(\\*)\|/g, '$1$1\\|')
    .replace(/\r\n|[\r\n\u2028\u2029\v\f]/g, '<br>');
}

type Titled = Pick<StoredRubric, 'title' | 'description'>;

const STEPS = [
  'Judge each criterion on its own.',
  'Give it the one level whose description fits the work best; there is nothing between two levels.',
  'Multiply the score of that level by the weight of its criterion, add up, and multiply the sum by f.',
];

const OUTPUT_PARTS = [
  'for each criterion: the level, its score, and a reason that points to the work',
  'the final score, with the sum that leads to it',
  'what is done well, and what would improve the work most',
];

const EXPECTED_OUTPUT = ['## EXPECTED OUTPUT FORMAT', listed(OUTPUT_PARTS)].join('\n\n');

function scoringInstructions(rubric: Rubric): string {
  const { criteria, maxScore, scoringType } = rubric;
  const [first] = criteria;
  const scale = first ? bestFirst(first) : [];
  const best = scale[0]?.score ?? 0;
  const f = `${String(maxScore)} ÷ ${String(best)} = ${String(toHundredths(factorOf(rubric)))}`;
  return [
    '## SCORING INSTRUCTIONS',
    STEPS.map((step, i) => `${String(i + 1)}. ${step}`).join('\n'),
    `Levels: ${scale.map(({ score, label }) => `${String(score)} = ${oneLine(label)}`).join(', ')}`,
    `Weights: ${criteria.map(({ name, weight }) => `${oneLine(name)} ${String(weight)}%`).join(', ')}`,
    `\`${FORMULA}\`, where f = ${f}`,
    `Highest score: ${String(maxScore)} (scoring type: ${scoringType})`,
  ].join('\n\n');
}

function overview({ criteria }: Rubric): string {
  const rows = criteria.map(({ name, weight, description }) => [name, `${String(weight)}%`, description]);
  return `## CRITERIA OVERVIEW\n\n${table(['Criterion', 'Weight', 'What is judged'], rows)}`;
}

function performanceLevels({ criteria }: Rubric): string {
  const tables = criteria.map((criterion, i) => {
    const rows = bestFirst(criterion).map(({ score, label, description }) => [
      String(score),
      label,
      description,
    ]);
    const heading = `### ${String(i + 1)}. ${oneLine(criterion.name)} (${String(criterion.weight)}%)`;
    return `${heading}\n\n${table(['Score', 'Level', 'Description'], rows)}`;
  });
  return ['## PERFORMANCE LEVELS BY CRITERION', ...tables].join('\n\n');
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function listed(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
