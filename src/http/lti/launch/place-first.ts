import { evaluates } from '../../../core/grading/evaluates.js';
import type { Activity, ActivityChange } from '../../../core/lti/activity.js';
import type { LaunchFacts } from '../../../core/lti/launch.js';
import type { Stores } from '../../../core/stores.js';
import { PLACEMENT_PARAMETER, type Placement, type Placements } from '../../../security/lti-placement.js';

type Deps = Pick<Stores, 'activities' | 'assistants' | 'users' | 'audit'> & {
  readonly placements: Placements;
};

/** A link that was chosen here holds what was chosen, from its first launch on; later its instructor decides. */
export async function placeFirst(deps: Deps, activity: Activity, { custom }: LaunchFacts): Promise<void> {
  const token = custom[PLACEMENT_PARAMETER];
  if (token === undefined || token === '' || activity.configuredAt !== null) return;
  const placement = deps.placements.read(token);
  const fault = faultOf(placement, activity);
  const left = placement && fault === undefined ? await whatIsLeft(deps, placement) : undefined;
  if (left) {
    await deps.activities.configureFirst(activity.id, left);
    return;
  }
  await deps.audit.record({
    ...{ userId: null, organizationId: activity.organizationId, runId: null },
    ...{ action: 'LTI placement', resource: `LTI activity ${String(activity.id)}`, outcome: 'denied' },
    reason: fault ?? 'nothing of it is left',
  });
}

function faultOf(placement: Placement | undefined, { platformId }: Activity): string | undefined {
  if (!placement) return 'not made here, or changed since';
  return placement.platformId === platformId ? undefined : 'made for another platform';
}

/** Whether they may still be used is asked at every chat. */
async function whatIsLeft(
  { assistants, users }: Deps,
  { assistantIds, addedBy, evaluatorId }: Placement,
): Promise<ActivityChange | undefined> {
  if (!(await users.byId(addedBy))) return undefined;
  const found = await Promise.all([...new Set(assistantIds)].map((id) => assistants.get(id)));
  const left = found.filter((assistant) => assistant !== undefined);
  if (left.length === 0) return undefined;
  const evaluator = left.find((assistant) => assistant.id === evaluatorId && evaluates(assistant));
  return {
    assistants: left.map(({ id }) => ({ assistantId: id, addedBy })),
    ...(evaluator ? { evaluationAssistantId: evaluator.id } : {}),
  };
}
