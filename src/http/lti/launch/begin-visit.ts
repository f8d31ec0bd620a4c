import { randomUUID } from 'node:crypto';
import { evaluates } from '../../../core/grading/evaluation.js';
import type { Activity, ActivityChange } from '../../../core/lti/activity.js';
import type { LaunchFacts } from '../../../core/lti/launch.js';
import type { LtiPlatform } from '../../../core/lti/platform.js';
import type { SecretBox } from '../../../core/organizations/secret-box.js';
import type { Stores } from '../../../core/stores.js';
import { refusedLaunch } from '../../../lti/refusals.js';
import { type Placement, PLACEMENT_PARAMETER, type Placements } from '../../../security/signed-links.js';
import { hashToken, launchToken, newBrowserSecret } from '../../../security/tokens.js';

export interface VisitDeps extends Pick<
  Stores,
  'users' | 'ltiPeople' | 'activities' | 'participants' | 'launches' | 'platforms' | 'assistants' | 'audit'
> {
  readonly box: SecretBox;
  readonly placements: Placements;
}

export interface Visitor {
  readonly platform: LtiPlatform;
  /** Proved, all of it: from here on there are rows. */
  readonly facts: LaunchFacts;
  /** Of the browser; undefined when it has none yet. */
  readonly secret: string | undefined;
}

export interface Visit {
  readonly page: string;
  /** To be given to the browser. */
  readonly secret: string;
}

const HOURS = 8;

/** Lets somebody in whom a platform vouches for. */
export async function beginVisit(deps: VisitDeps, visitor: Visitor): Promise<Visit> {
  const { platform, facts } = visitor;
  const { userId } = await deps.ltiPeople.findOrCreate(platform, facts.subject);
  const user = await deps.users.byId(userId);
  if (!user?.enabled) throw refusedLaunch('account is switched off');
  const activityId =
    facts.kind === 'activity' ? await enterActivity(deps, { ...visitor, facts }, userId) : null;

  const id = randomUUID();
  const secret = await ownSecret(deps, visitor.secret, userId);
  await deps.launches.open({
    ...{ id, userId, platformId: platform.id, activityId, role: facts.role },
    courseId: facts.course?.id ?? '',
    browserHash: hashToken(secret),
    tokenHash: hashToken(launchToken(secret, id)),
    facts: deps.box.seal(JSON.stringify(facts)),
    expiresAt: new Date(Date.now() + HOURS * 3_600_000).toISOString(),
  });
  await mustBeAlone(deps, secret);
  await deps.platforms.launched(platform.id);
  return { secret, page: `/lti/${facts.kind === 'activity' ? 'activity' : 'deep-link'}/${id}` };
}

async function enterActivity(
  deps: VisitDeps,
  { platform, facts }: Visitor & { readonly facts: { readonly kind: 'activity' } },
  userId: number,
): Promise<number> {
  const activity = await deps.activities.findOrCreate(platform.organizationId, facts);
  await applyPlacement(deps, activity, facts);
  await deps.participants.join(activity.id, userId, facts.role);
  return activity.id;
}

/** A browser that somebody else used before is a new one: theirs ends here, and what it knew opens nothing any more. */
async function ownSecret(
  { launches }: VisitDeps,
  known: string | undefined,
  userId: number,
): Promise<string> {
  if (known === undefined) return newBrowserSecret();
  const browserHash = hashToken(known);
  const users = await launches.usersOf(browserHash, new Date().toISOString());
  if (users.every((user) => user === userId)) return known;
  await launches.endOfBrowser(browserHash);
  return newBrowserSecret();
}

/** Two people launched at the same moment by one browser would share its secret: then neither gets in. */
async function mustBeAlone({ launches }: VisitDeps, secret: string): Promise<void> {
  const browserHash = hashToken(secret);
  const users = await launches.usersOf(browserHash, new Date().toISOString());
  if (users.length === 1) return;
  await launches.endOfBrowser(browserHash);
  throw refusedLaunch('two people at once in one browser', 'launch_stale');
}

type Deps = Pick<Stores, 'activities' | 'assistants' | 'users' | 'audit'> & {
  readonly placements: Placements;
};

/** A link that was chosen here holds what was chosen, from its first launch on; later its instructor decides. */
async function applyPlacement(deps: Deps, activity: Activity, { custom }: LaunchFacts): Promise<void> {
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
