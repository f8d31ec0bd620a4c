import type { RubricTemplate } from '../i18n/en/rubrics.ts';
import type { Messages } from '../i18n/en.ts';
import { newCriterion, newLevel, type RubricDraft } from './rubric-draft.ts';

const BLANK: RubricTemplate = {
  title: '',
  description: '',
  criteria: [{ name: '', description: '', weight: 100, levels: [] }],
};

/** A rubric to begin with, in the words of whoever begins; a blank one for a name that nobody knows. */
export function draftFrom(template: string, { rubrics: t }: Messages): RubricDraft {
  const { title, description, criteria } = Object.hasOwn(t.templates, template)
    ? (t.templates[template] ?? BLANK)
    : BLANK;
  return {
    ...{ title, description, subject: '', gradeLevel: '', isPublic: false },
    ...{ scoringType: 'points', maxScore: 10, rest: {}, aboutRest: {} },
    criteria: criteria.map(({ levels, ...facts }) =>
      newCriterion({
        ...facts,
        levels: t.levels.map((label, i) => newLevel(label, t.levels.length - i, levels[i])),
      }),
    ),
  };
}
