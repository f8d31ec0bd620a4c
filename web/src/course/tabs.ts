import type { Activity, LtiSession } from '../../../src/http/contract/activities.ts';

export type TabName = 'chat' | 'submit' | 'dashboard' | 'transcripts' | 'grades' | 'settings';

/** The parts of an activity that somebody finds in it, the first of which is where they begin. */
export function tabsFor(
  { role }: Pick<LtiSession, 'role'>,
  { configured, evaluation }: Pick<Activity, 'configured' | 'evaluation'>,
): readonly [TabName, ...TabName[]] {
  if (role === 'learner') return evaluation === null ? ['chat'] : ['chat', 'submit'];
  return configured ? ['chat', 'dashboard', 'transcripts', 'grades', 'settings'] : ['settings'];
}
