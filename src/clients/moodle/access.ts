import { type Moodle, type MoodleSettings, moodleSite } from '../../core/clients/moodle.js';
import { forbidden } from '../../core/errors.js';
import type { RunFacts } from '../../core/runs/run-context.js';
import { type CallMoodle, CAPABILITIES, createMoodleClient, type MoodleClientDeps } from './client.js';
import { type Launched, recordsOf } from './records.js';

/** Moodle as one run may read it; undefined where the assistant's organisation has none. */
export type MoodleFor = (run: RunFacts) => Moodle | undefined;

interface MoodleAccessDeps extends Pick<MoodleClientDeps, 'fetch' | 'timeoutMs'> {
  /** What the course of an activity is called, as far as its platform said. */
  readonly courseNameOf: (activityId: number) => Promise<string>;
}

export function createMoodleAccess(deps: MoodleAccessDeps): MoodleFor {
  return (run) => {
    const settings = run.settings.moodle;
    if (!settings) return undefined;
    const call = createMoodleClient({ ...deps, settings, log: run.log });

    let known: Promise<number> | undefined;
    const userId = () => {
      known ??= identify(run, settings, call).catch((fault: unknown) => {
        known = undefined;
        throw fault;
      });
      return known;
    };
    return {
      userId,
      async recordsOf(wanted, signal) {
        if (wanted !== (await userId())) throw forbidden('Only your own records are read from Moodle.');
        return recordsOf(wanted, {
          siteUrl: settings.siteUrl,
          call,
          signal,
          launched: launchedIn(run, settings, deps),
        });
      },
    };
  };
}

function launchedIn(
  run: RunFacts,
  settings: MoodleSettings,
  { courseNameOf }: MoodleAccessDeps,
): Launched | undefined {
  const courseId = launchedCourse(run, settings);
  if (courseId === undefined) return undefined;
  const { caller, log } = run;
  const activityId = caller.launch?.activityId;
  return {
    courseId,
    async keptBack() {
      const capability = CAPABILITIES.core_enrol_get_users_courses;
      log.warn({ courseId, capability }, 'Moodle keeps back the course of a launch');
      return activityId === undefined ? '' : await courseNameOf(activityId);
    },
  };
}

const UNKNOWN =
  'It is not known who you are in Moodle, so nothing was read there. Open the assistant from your Moodle course.';
const NOT_FOUND =
  'Moodle shows nobody of your e-mail address to this service, so nothing was read there. Open the assistant from your Moodle course.';

/** As Moodle numbers people and courses. */
const ROW_ID = /^[1-9]\d{0,14}$/;

/**
 * Who the person behind a run is in Moodle: as Moodle's own launch says, else, where the organisation allows it, by
 * their verified e-mail. Never anybody else: not a default, not the owner of the token.
 */
async function identify(
  { caller, assistant, log, signal }: RunFacts,
  { siteUrl, matchByEmail }: MoodleSettings,
  call: CallMoodle,
): Promise<number> {
  // Another organisation's administrators could vouch for anybody: their word counts in their own house.
  if (caller.organizationId !== assistant.organizationId) throw forbidden(UNKNOWN);
  const { lms, verifiedEmail } = caller;
  if (lms && moodleSite(lms.issuer) === siteUrl) {
    if (!ROW_ID.test(lms.userId)) throw forbidden(UNKNOWN);
    return Number(lms.userId);
  }
  if (!matchByEmail || verifiedEmail === undefined) throw forbidden(UNKNOWN);

  const email = verifiedEmail.toLowerCase();
  const users = await call('core_user_get_users_by_field', { field: 'email', values: [email] }, signal);
  const own = users.filter((user) => user.email?.toLowerCase() === email && user.suspended !== true);
  if (own.length === 1 && own[0]) return own[0].id;
  // Moodle says the same of nobody and of somebody whose address it keeps to itself.
  log.info({ found: own.length, capability: 'moodle/site:viewuseridentity' }, 'no one person in Moodle');
  throw forbidden(NOT_FOUND);
}

/** The course that the launch named by which the person is known; undefined where it was none, or another site's. */
function launchedCourse(
  { caller: { lms } }: Pick<RunFacts, 'caller'>,
  { siteUrl }: MoodleSettings,
): number | undefined {
  if (!lms || moodleSite(lms.issuer) !== siteUrl || !ROW_ID.test(lms.courseId ?? '')) return undefined;
  return Number(lms.courseId);
}
