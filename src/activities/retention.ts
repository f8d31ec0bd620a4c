import { type Rounds, startRounds } from '../core/base/rounds.js';
import { type Logger, errorLocation } from '../core/log.js';
import type { DueRun } from '../core/lti/erasure.js';
import type { Stores } from '../core/stores.js';
import { createVisitorErasure } from './erase-visitors.js';
import { createErasure } from './erasure.js';
import { letGoOfMonths, oldestKept } from './run-months.js';
import { sweepAttachments, sweepOriginals } from './sweep-originals.js';

const DAY_MS = 86_400_000;
/** Platforms fetch keys seldom: one that signs no more may be asked for that long. */
const RETIRED_KEY_MS = 7 * DAY_MS;
/** Nobody takes that long from coming to having come, and no run to its end. */
const SETTLED_MS = DAY_MS;
const EVERY_MS = 3_600_000;

type Deps = Pick<
  Stores,
  | 'attachments'
  | 'attachmentFiles'
  | 'budgets'
  | 'documents'
  | 'documentFiles'
  | 'files'
  | 'erasure'
  | 'handovers'
  | 'invitations'
  | 'launches'
  | 'links'
  | 'ltiKeys'
  | 'oauthGrants'
  | 'rateLimits'
  | 'runFrames'
  | 'runMonths'
  | 'tickets'
  | 'usage'
  | 'vainQuestions'
> & {
  /** 0 for ever. */
  readonly runsKeepMonths: number;
};

/** How much went. */
export type Swept = Readonly<Record<string, number>>;

interface Clock {
  readonly now: number;
  readonly signal: AbortSignal;
  /** Runs of before it are kept nowhere. */
  readonly oldestRun: string;
}

const ago = ({ now }: Pick<Clock, 'now'>, ms: number) => new Date(now - ms).toISOString();

/** Takes away what is past its date. Stops between two steps when told to; whoever sweeps next goes on. */
export function createSweep(deps: Deps) {
  const forget = createErasure(deps);
  const forgetVisitors = createVisitorErasure(deps);
  const {
    budgets,
    erasure: store,
    handovers,
    launches,
    ltiKeys,
    oauthGrants,
    rateLimits,
    runFrames,
    tickets,
    vainQuestions,
  } = deps;

  async function sweepActivity(activityId: number, retentionDays: number, clock: Clock): Promise<Swept> {
    const past = { activityId, before: ago(clock, retentionDays * DAY_MS) };
    const pastRuns = past.before < clock.oldestRun ? { activityId, before: clock.oldestRun } : past;
    const since = ago(clock, SETTLED_MS);
    const runs = (due: () => Promise<readonly DueRun[]>) =>
      forget.eraseRuns(() => (clock.signal.aborted ? Promise.resolve([]) : due()), pastRuns);
    return {
      conversations: await all(() => store.forgetConversations(past), clock),
      runs: await runs(() => store.dueRuns(pastRuns)),
      submissions: await all(() => store.forgetSubmissions(past), clock),
      participants: await forget.eraseParticipants(past),
      strays:
        (await all(() => store.forgetStrayConversations(activityId, since), clock)) +
        (await runs(() => store.strays(activityId, since))),
    };
  }

  async function sweepActivities(clock: Clock): Promise<Swept> {
    let swept: Swept = {};
    for (let after = 0; ;) {
      const some = await store.retentions(after);
      for (const { activityId, retentionDays } of some) {
        if (clock.signal.aborted) return swept;
        swept = added(swept, await sweepActivity(activityId, retentionDays, clock));
        after = activityId;
      }
      if (some.length === 0) return swept;
    }
  }

  async function sweepPeople(clock: Clock): Promise<number> {
    for (let [after, forgotten] = [0, 0]; ;) {
      const some = clock.signal.aborted ? [] : await store.unneeded(after, ago(clock, SETTLED_MS));
      if (some.length === 0) return forgotten;
      for (const userId of some) if (await forget.erasePerson(userId)) forgotten += 1;
      after = some.at(-1) ?? after;
    }
  }

  return async (signal: AbortSignal, now: number = Date.now()): Promise<Swept> => {
    const clock = { now, signal, oldestRun: oldestKept(deps.runsKeepMonths, now) };
    const at = ago(clock, 0);
    await deps.runMonths.makeAhead(new Date(now));
    const erasures = await store.erasures();
    for (const erasure of erasures) await forget.finish(erasure);
    const expired = {
      visits: await launches.sweep(at),
      tickets: await tickets.sweep(at),
      keys: await ltiKeys.sweep(ago(clock, RETIRED_KEY_MS)),
      approvals: await store.forgetApprovals(at),
      vainQuestions: await vainQuestions.sweep(at),
      budgets: await budgets.sweep(at),
      handovers: await handovers.sweep(at),
      resumableRuns: await runFrames.sweep(at),
      oauthGrants: await oauthGrants.sweep(at),
      rateLimits: await rateLimits.sweep(at),
      attachments: await sweepAttachments(deps, now),
      invitations: await deps.invitations.sweep(at),
      ...(await forgetVisitors.sweep(now, signal)),
    };
    const past = await sweepActivities(clock);
    // After those of activities, with which more goes than the rows.
    const months = clock.oldestRun === '' ? {} : await letGoOfMonths(deps, clock.oldestRun, signal);
    const people = await sweepPeople(clock);
    const bytes = { blobs: await deps.files.sweep(), originals: await sweepOriginals(deps) };
    return { erasures: erasures.length, ...expired, ...past, ...months, people, ...bytes };
  };
}

/** Some at a time, until none is left or it is time to stop. */
async function all(some: () => Promise<number>, { signal }: Clock): Promise<number> {
  for (let sum = 0; ;) {
    const gone = signal.aborted ? 0 : await some();
    if (gone === 0) return sum;
    sum += gone;
  }
}

function added(one: Swept, other: Swept): Swept {
  const sums = Object.entries(other).map(([what, count]) => [what, (one[what] ?? 0) + count] as const);
  return Object.fromEntries([...Object.entries(one), ...sums]);
}

type KeepDeps = Deps & {
  readonly log: Logger;
  readonly turns: {
    /** Undefined while another process is at it. */
    sweep<T>(work: () => Promise<T>): Promise<T | undefined>;
  };
};

/** At once and then every hour. */
export function keepRetention(deps: KeepDeps): Rounds {
  const sweep = createSweep(deps);
  return startRounds({
    everyMs: EVERY_MS,
    async round(signal) {
      const swept = await deps.turns.sweep(() => sweep(signal));
      if (swept && Object.values(swept).some((count) => count > 0)) {
        deps.log.info({ ...swept }, 'what was past its date is gone');
      }
    },
    failed: (fault) => {
      deps.log.error({ fault: errorLocation(fault) }, 'taking away what is past its date failed');
    },
  });
}
