import { AppError, unavailable } from '../core/errors.js';
import { whyNoGrades } from '../core/grading/evaluation.js';
import type { Activity } from '../core/lti/activity.js';
import type { LtiPlatform, Platform13 } from '../core/lti/platform.js';
import type { Stores } from '../core/stores.js';
import { LINE_ITEM_SCOPE, RESULT_SCOPE } from '../lti/grade-service.js';
import type { LtiProtocol } from '../lti/protocol.js';
import type { Result, Score, ScorePosted } from '../lti/scores.js';

/** Where the grades of an activity go. */
export interface GradeBook {
  /** Takes one score. What goes wrong is the answer, not a fault. */
  post(activity: Activity, score: Score): Promise<ScorePosted | { readonly outcome: 'impossible' }>;
  /** Whether what the platform shows is this very score. */
  has(activity: Activity, score: Score): Promise<boolean>;
}

export interface GradeBookDeps extends Pick<Stores, 'activities' | 'platforms' | 'tickets'> {
  readonly protocol: () => Promise<LtiProtocol>;
}

const NO_PLATFORM = 'The learning platform is switched off here.';
const LOCKED_MS = 5 * 60_000;

export function createGradeBook(deps: GradeBookDeps): GradeBook {
  return {
    async post(activity, score) {
      if (whyNoGrades(activity.services) !== undefined) return { outcome: 'impossible' };
      try {
        const platform = await platformOf(activity, deps);
        const column = await columnOf(activity, { platform, maximum: score.maximum }, deps);
        if (column === undefined) return { outcome: 'impossible' };
        return await (await deps.protocol()).postScore(platform, column, score);
      } catch (fault) {
        if (!(fault instanceof AppError)) throw fault;
        // What was refused is refused again, unless whoever refused it says that it may pass.
        const retryable = fault.code !== 'upstream_refused' || fault.retryable;
        return { outcome: 'failed', retryable, message: fault.message };
      }
    },

    async has(activity, score) {
      const { lineItemUrl, gradeScopes } = activity.services;
      if (lineItemUrl === undefined || !gradeScopes.includes(RESULT_SCOPE)) return false;
      const platform = await platformOf(activity, deps);
      const result = await (await deps.protocol()).readResult(platform, lineItemUrl, score.subject);
      return result !== undefined && isSame(result, score);
    },
  };
}

async function platformOf(
  { platformId }: Activity,
  { platforms }: GradeBookDeps,
): Promise<LtiPlatform & Platform13> {
  const platform = await platforms.get(platformId);
  if (!platform?.enabled || platform.kind !== '1.3') throw unavailable(NO_PLATFORM);
  return platform;
}

interface Wanted {
  readonly platform: LtiPlatform & Platform13;
  readonly maximum: number;
}

/** The column of the link: told by a launch, or found, or made. Whoever looks for it does so alone, so none is made twice. */
async function columnOf(
  activity: Activity,
  wanted: Wanted,
  deps: GradeBookDeps,
): Promise<string | undefined> {
  if (activity.services.lineItemUrl !== undefined) return activity.services.lineItemUrl;
  const lock = { purpose: 'line item', hash: `activity ${String(activity.id)}` } as const;
  const isMine = () =>
    deps.tickets.leave({ ...lock, payload: '', expiresAt: new Date(Date.now() + LOCKED_MS).toISOString() });
  if (!(await isMine())) {
    // Of somebody who was killed, perhaps.
    await deps.tickets.sweep(new Date().toISOString());
    if (!(await isMine())) throw unavailable('The grade column is being looked for.');
  }
  try {
    const now = await deps.activities.get(activity.id);
    const known = now?.services.lineItemUrl;
    return known ?? (await findOrMake(activity, wanted, deps));
  } finally {
    await deps.tickets.take(lock.purpose, lock.hash, new Date().toISOString());
  }
}

async function findOrMake(
  { id, linkId, title, services }: Activity,
  { platform, maximum }: Wanted,
  { activities, protocol }: GradeBookDeps,
): Promise<string | undefined> {
  const { lineItemsUrl: url = '', gradeScopes: scopes } = services;
  const items = { url, scopes };
  const lti = await protocol();
  const mayMake = scopes.includes(LINE_ITEM_SCOPE);
  const item =
    (await lti.findLineItem(platform, items, { resourceLinkId: linkId })) ??
    (mayMake
      ? await lti.createLineItem(platform, items, {
          label: title,
          scoreMaximum: maximum,
          resourceLinkId: linkId,
        })
      : undefined);
  if (item) await activities.setLineItem(id, item.url);
  return item?.url;
}

/** Less than any grade book shows. */
const EPSILON = 0.005;

/** Platforms show scores on the scale of their column, and comments with whitespace of their own. */
function isSame({ score, maximum, comment }: Result, told: Score): boolean {
  if (score === null) return false;
  const expected = maximum === null ? told.score : (told.score / told.maximum) * maximum;
  return Math.abs(score - expected) < EPSILON && words(comment) === words(told.comment);
}

const words = (text: string) => text.replace(/\s+/g, ' ').trim();
