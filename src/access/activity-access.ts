import type { Person, Verdict } from '../core/access/access.js';
import type { Assistant } from '../core/assistants/assistant.js';
import type { Stores } from '../core/stores.js';
import { allowed, denied } from './rules.js';

type LaunchedPerson = Pick<Person, 'userId'> & { readonly launch: NonNullable<Person['launch']> };

/**
 * Whom a launch brought may chat with what the activity holds, by the right of whoever placed it there: when that is
 * gone, so is this. Where students are named, only after they have agreed to it.
 */
export function createActivityRule({
  activities,
  participants,
}: Pick<Stores, 'activities' | 'participants'>) {
  return async (
    { userId, launch }: LaunchedPerson,
    assistant: Assistant,
    mayStillChat: (addedBy: number) => Promise<Verdict>,
  ): Promise<Verdict> => {
    const { activityId, role } = launch;
    const activity = activityId === undefined ? undefined : await activities.get(activityId);
    const placed = activity?.assistants.find(({ assistantId }) => assistantId === assistant.id);
    if (!activity?.platformEnabled || !placed) return denied('not among the assistants of their activity');
    if (!(await mayStillChat(placed.addedBy)).allowed) {
      return denied('whoever placed it in the activity may not use it any more');
    }
    const mustConsent = activity.transcriptPolicy === 'named' && role === 'learner';
    if (mustConsent && (await participants.consentOf(activity.id, userId)) === undefined) {
      return denied('Your teacher reads conversations here by name. Agree to that first.', 'consent_needed');
    }
    return allowed('activity');
  };
}
