import { forbidden } from '../../core/errors.js';
import type { Moodle, MoodleSettings } from '../../core/clients/moodle.js';
import type { RunFacts } from '../../core/runs/run-context.js';
import { CAPABILITIES, createMoodleClient, type MoodleClientDeps } from './client.js';
import { identify, launchedCourse } from './moodle-identity.js';
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
