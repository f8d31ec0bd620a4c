import type { Activity, ActivityStore } from '../lti/activity.js';
import type { Speaker } from '../runs/conversation.js';
import type { Caller } from './caller.js';

/** Whose conversations a caller continues: within an activity, those of that activity. */
export function speakerOf({ userId, launch }: Caller): Speaker {
  return { userId, activityId: launch?.activityId };
}

/** Where a platform's launch has brought the caller. */
export async function activityOf(
  { launch }: Caller,
  { activities }: { readonly activities: ActivityStore },
): Promise<Activity | undefined> {
  return launch?.activityId === undefined ? undefined : await activities.get(launch.activityId);
}
