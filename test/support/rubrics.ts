import type { Service } from './service.js';

/** Levels worth 4 to 1, as LAMB makes them. */
export const fourLevels = (about = 'The work') =>
  [
    ['Exemplary', 4],
    ['Proficient', 3],
    ['Developing', 2],
    ['Beginning', 1],
  ].map(([label, score]) => ({
    id: `level-${String(label).toLowerCase()}`,
    label,
    score,
    description: `${about} is ${String(label).toLowerCase()}.`,
  }));

/** A rubric in LAMB's shape: two criteria, 60 and 40 percent, ten points at best. */
export const essayRubric = (changes: object = {}) => ({
  rubricId: '0b8f5a3e-essay',
  title: 'Essay',
  description: 'How well an essay argues.',
  metadata: { createdAt: '2026-01-01', modifiedAt: '2026-01-02', subject: 'History', gradeLevel: '10' },
  criteria: [
    {
      id: 'c-1',
      name: 'Argument',
      description: 'Is there a thesis?',
      weight: 60,
      order: 0,
      levels: fourLevels(),
    },
    {
      id: 'c-2',
      name: 'Sources',
      description: 'Are they cited?',
      weight: 40,
      order: 1,
      levels: fourLevels(),
    },
  ],
  scoringType: 'points',
  maxScore: 10,
  ...changes,
});

export interface RubricRecord {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly owner: string;
  readonly organization_id: number;
  readonly is_public: boolean;
  readonly rubric_data: Record<string, unknown>;
  readonly warnings: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** Makes a rubric over the API, the administrator's unless a key is given. */
export async function aRubric(
  service: Pick<Service, 'request'>,
  body: object = {},
  key?: string,
): Promise<RubricRecord> {
  const made = await service.request<RubricRecord>('/lamb/v1/rubrics', {
    body: { title: 'Essay rubric', rubric_data: essayRubric(), ...body },
    ...(key === undefined ? {} : { key }),
  });
  if (made.status !== 201) throw new Error(`No rubric was made: ${String(made.status)} ${made.text}`);
  return made.json;
}
