import type { Activity, LtiSession } from './shapes.ts';

export type TabName = 'chat' | 'settings';

/** The parts of an activity that somebody finds in it, the first of which is where they begin. */
export function tabsFor({ role }: LtiSession, { configured }: Activity): readonly [TabName, ...TabName[]] {
  if (role === 'learner') return ['chat'];
  return configured ? ['chat', 'settings'] : ['settings'];
}
