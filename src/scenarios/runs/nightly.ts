import { deedOf } from '../../core/access/audit.js';
import type { AccessPolicy } from '../../core/access/access.js';
import { type Rounds, startRounds } from '../../core/base/rounds.js';
import { type Logger, errorLocation } from '../../core/log.js';
import type { DueNight } from '../../core/scenarios/suite-run.js';
import type { Stores } from '../../core/stores.js';
import type { ContentHash } from '../hashes.js';
import { suiteCaller } from '../run-suite.js';
import type { SuiteRuns } from '../suite-runs.js';
import { MOST_RUNS, planRun } from './plan.js';

export interface NightlyDeps {
  readonly stores: Pick<Stores, 'assistants' | 'audit' | 'scenarios' | 'suiteRuns' | 'users'>;
  readonly policy: Pick<AccessPolicy, 'mayEdit'>;
  readonly contentHash: ContentHash;
  readonly suites: Pick<SuiteRuns, 'nudge'>;
  /** Minutes after midnight, in UTC. */
  readonly at: number;
  readonly now?: () => number;
  readonly log: Logger;
}

const LOOK_MS = 60_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The last time it was due. */
export function lastNight(at: number, now: number): DueNight {
  const midnight = now - (now % DAY_MS);
  const today = midnight + at * MINUTE_MS;
  const due = new Date(today <= now ? today : today - DAY_MS).toISOString();
  return { night: due.slice(0, 10), at: due };
}

/** Begins the runs of a night that has none yet. Of many processes that do so each run is begun by one. */
function createNight({ stores, policy, contentHash, suites, log }: NightlyDeps) {
  const { assistants, audit, suiteRuns, users } = stores;

  async function begin(assistantId: number, { night }: DueNight): Promise<void> {
    const assistant = await assistants.get(assistantId);
    const owner = assistant?.setup.nightlySuite && (await users.byId(assistant.ownerId));
    if (!assistant || !owner || !owner.enabled) return;
    const caller = suiteCaller(owner);
    if (!policy.mayEdit(caller, assistant).allowed) return;
    if ((await stores.scenarios.list(assistantId)).length === 0) return;
    const of = { assistant, userId: owner.id };
    const planned = await planRun({ repeat: 1, cassette: 'live' }, of, { ...stores, contentHash });
    const run = await suiteRuns.create({ ...planned, night }, MOST_RUNS);
    if (typeof run === 'string') return;
    const resource = `assistant ${String(assistantId)}`;
    const reason = `run ${run.id}, every night`;
    await audit.record(deedOf(caller, { action: 'run scenarios', resource, reason }));
    suites.nudge();
  }

  return async (night: DueNight, signal: AbortSignal): Promise<void> => {
    for (let after = 0; ;) {
      const some = signal.aborted ? [] : await suiteRuns.due(night, after);
      for (const id of some) {
        if (signal.aborted) return;
        // One that cannot be run keeps no other from it.
        await begin(id, night).catch((fault: unknown) => {
          log.error({ assistantId: id, fault: errorLocation(fault) }, 'a suite of the night was not begun');
        });
        after = id;
      }
      if (some.length === 0) return;
    }
  };
}

/** Looks every minute whether the hour has come. At the start it makes up for the last night, and for no other. */
export function keepNights(deps: NightlyDeps): Rounds {
  const { at, now = Date.now, log } = deps;
  const beginAll = createNight(deps);
  let seen = '';
  return startRounds({
    everyMs: LOOK_MS,
    async round(signal) {
      const night = lastNight(at, now());
      if (night.at === seen) return;
      await beginAll(night, signal);
      seen = night.at;
    },
    failed: (fault) => {
      log.error({ fault: errorLocation(fault) }, 'suites of the night could not be begun');
    },
  });
}
