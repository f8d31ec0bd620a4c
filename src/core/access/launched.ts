import type { Activity, ActivityStore } from '../lti/activity.js';
import { mustNotBeInExam } from '../lti/exam-window.js';
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

/** The same for those who are about to ask a model something there: in an exam that is for those who teach. */
export async function openActivityOf(
  caller: Caller,
  stores: { readonly activities: ActivityStore },
): Promise<Activity | undefined> {
  const activity = await activityOf(caller, stores);
  if (activity && caller.launch) mustNotBeInExam(activity, { role: caller.launch.role, at: Date.now() });
  return activity;
}
