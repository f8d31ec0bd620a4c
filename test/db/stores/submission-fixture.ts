import type { Activity } from '../../../src/core/lti/activity.js';
import type { GradingRubric, Proposal } from '../../../src/core/grading/grading.js';
import type { NewSubmission } from '../../../src/core/grading/submission.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { aUser } from '../fixtures.js';

const level = (n: number, title: string, points: number) => ({
  ...{ id: `level_${String(n)}`, title, points, description: '' },
});

/** One criterion, ten points at best. */
export const SMALL_RUBRIC: GradingRubric = {
  ...{ id: 'r-1', title: 'Essay', maximum: 10 },
  criteria: [
    { id: 'criterion_1', title: 'Argument', weight: 100, levels: [level(1, 'Good', 2), level(2, 'Weak', 1)] },
  ],
};

export const GOOD: Proposal = {
  levels: { criterion_1: 'level_1' },
  ...{ total: 10, maximum: 10, comment: 'Argument (Good): Clear.' },
  criteria: [{ id: 'criterion_1', level: 'level_1', reason: 'Clear.' }],
};

/** An activity and somebody who may hand something in there. */
export async function aClassroom(stores: Stores): Promise<{ activity: Activity; student: User }> {
  const student = await aUser(stores, { role: 'student' });
  const platform = await stores.platforms.create(student.organizationId, {
    ...{ kind: '1.3', name: 'Moodle', enabled: true, issuer: `https://${student.email}`, clientId: 'c' },
    ...{ deploymentIds: ['1'], authLoginUrl: 'https://m.example/a', authTokenUrl: 'https://m.example/t' },
    keySetUrl: 'https://m.example/k',
  });
  const activity = await stores.activities.findOrCreate(student.organizationId, {
    ...{ kind: 'activity', platformId: platform.id, deploymentId: '1', subject: 's', role: 'learner' },
    ...{ name: '', custom: {}, services: { gradeScopes: [] }, link: { id: 'l', title: 'Essay' } },
  });
  return { activity, student };
}

export function aWork(
  { activity, student }: { readonly activity: Activity; readonly student: User },
  changes: Partial<NewSubmission> = {},
): NewSubmission {
  return {
    ...{ activityId: activity.id, userId: student.id, text: `Rome fell. '); --`, who: 'sealed.v1.x' },
    ...{ rubric: SMALL_RUBRIC, ...changes },
  };
}
