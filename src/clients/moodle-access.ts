import { forbidden } from '../core/errors.js';
import type { Moodle } from '../core/moodle.js';
import type { RunFacts } from '../core/run-context.js';
import { createMoodleClient, type MoodleClientDeps } from './moodle.js';
import { identify } from './moodle-identity.js';
import { recordsOf } from './moodle-records.js';

/** Moodle as one run may read it; undefined where the assistant's organisation has none. */
export type MoodleFor = (run: RunFacts) => Moodle | undefined;

export function createMoodleAccess(deps: Pick<MoodleClientDeps, 'fetch' | 'timeoutMs'>): MoodleFor {
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
        return recordsOf(wanted, { siteUrl: settings.siteUrl, call, signal });
      },
    };
  };
}
