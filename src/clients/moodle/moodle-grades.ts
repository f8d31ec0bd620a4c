import { plainText } from '../../core/base/plain-text.js';
import { safeLabel } from '../../core/base/text.js';
import type { MoodleGrade } from '../../core/clients/moodle.js';
import type { Reply } from './replies.js';

type GradeItem = Reply<'gradereport_user_get_grade_items'>['usergrades'][number]['gradeitems'][number];

const LONGEST_NAME = 600;
const LONGEST_FEEDBACK = 2_000;

/**
 * What the person sees in their own report. The site's token may see more: a grade that is hidden from them is left
 * out, and so are totals that would give it away.
 */
export function visibleGrades(items: readonly GradeItem[]): readonly MoodleGrade[] {
  const someHidden = items.some(isHidden);
  return items.filter((item) => !isHidden(item) && !(someHidden && isTotal(item))).map(gradeOf);
}

const isHidden = ({ gradeishidden }: GradeItem) => gradeishidden === true;
const isTotal = ({ itemtype }: GradeItem) => itemtype === 'course' || itemtype === 'category';

function gradeOf(item: GradeItem): MoodleGrade {
  const { itemname, itemtype, graderaw, gradeformatted, grademax, percentageformatted, feedback } = item;
  const isGraded = graderaw !== null && graderaw !== undefined;
  const name = safeLabel(plainText(itemname ?? '', LONGEST_NAME));
  const unnamed = itemtype === 'course' ? 'Course total' : 'Unnamed';
  return {
    name: name === '' ? unnamed : name,
    grade: isGraded ? safeLabel(plainText(gradeformatted ?? String(graderaw), LONGEST_NAME)) : undefined,
    best: grademax ?? undefined,
    percentage: isGraded ? safeLabel(plainText(percentageformatted ?? '', LONGEST_NAME)) : undefined,
    feedback: plainText(feedback ?? '', LONGEST_FEEDBACK),
  };
}
