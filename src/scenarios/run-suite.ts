import type { Caller } from '../core/access/caller.js';
import type { Example } from '../core/assistants/annotation.js';
import { notFound } from '../core/errors.js';
import type { OrganizationLimits } from '../core/organizations/limits.js';
import { type BeginAsking, undecided } from '../core/scenarios/asking.js';
import { reasonOf } from '../core/scenarios/reason.js';
import type {
  CassettePlace,
  Recording,
  RunScenario,
  ScenarioTry,
  Spent,
  SuiteProgress,
  SuiteRun,
} from '../core/scenarios/suite-run.js';
import type { Stores, User } from '../core/stores.js';
import type { FindPattern } from './pattern.js';
import { tryScenario } from './try-scenario.js';

export interface RunSuiteDeps {
  readonly stores: Pick<Stores, 'cassettes' | 'users'>;
  readonly beginAsking: BeginAsking;
  readonly limitsOf: (organizationId: number) => Promise<OrganizationLimits>;
  readonly find: FindPattern;
}

/** Askings under way at the same time in one run, where the organisation does not say less: people chat meanwhile. */
const AT_ONCE = 8;
/** A longer recording is not kept. */
const LONGEST_RECORDING = 2_000_000;

const NOTHING: Spent = { tokens: 0, cost: null };

const added = (sum: Spent, { tokens, cost }: Spent): Spent => ({
  tokens: sum.tokens + tokens,
  cost: cost === null ? sum.cost : (sum.cost ?? 0) + cost,
});

export function createTally({ scenarios }: Pick<SuiteRun, 'scenarios'>) {
  const tries = new Map<number, ScenarioTry[]>(scenarios.map(({ id }) => [id, []]));
  const spentOn = new Map<number, Spent>();
  let done = 0;
  let told = 0;
  let spent = NOTHING;
  return {
    add(id: number, at: number, result: ScenarioTry, spending: Spent) {
      const list = tries.get(id) ?? [];
      list[at] = result;
      done += 1;
      spent = added(spent, spending);
      spentOn.set(id, added(spentOn.get(id) ?? NOTHING, spending));
    },
    /** Whether there is more than was asked for last. */
    hasNews: () => done > told,
    progress(): SuiteProgress {
      told = done;
      const results = [...tries].map(([id, runs]) => ({
        ...{ id, runs: runs.filter(Boolean), spent: spentOn.get(id) ?? NOTHING },
      }));
      return { done, ...spent, results };
    },
  };
}

/** Every scenario as often as it is to be asked, several at the same time. */
export async function runSuite(
  run: SuiteRun,
  { tally, signal, examples }: Pick<Around, 'tally' | 'signal' | 'examples'>,
  deps: RunSuiteDeps,
): Promise<void> {
  const caller = await callerOf(run.startedBy, deps);
  const left = run.scenarios.flatMap((scenario) =>
    Array.from({ length: run.repeat }, (_, at) => ({ scenario, at })),
  );
  const trySome = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      signal.throwIfAborted();
      await tryOnce(next, { run, caller, tally, signal, examples }, deps);
    }
  };
  const { concurrentRuns = AT_ONCE, concurrentRunsPerUser = AT_ONCE } = await deps.limitsOf(
    caller.organizationId,
  );
  const atOnce = Math.min(AT_ONCE, concurrentRuns, concurrentRunsPerUser);
  await Promise.all(Array.from({ length: atOnce }, trySome));
}

interface Around {
  readonly run: SuiteRun;
  readonly caller: Caller;
  readonly tally: ReturnType<typeof createTally>;
  readonly signal: AbortSignal;
  readonly examples: readonly Example[];
}

async function tryOnce(
  { scenario, at }: { readonly scenario: RunScenario; readonly at: number },
  { run, caller, tally, signal, examples }: Around,
  { stores, beginAsking, find }: RunSuiteDeps,
): Promise<void> {
  const { assistantId, version } = run;
  const place = { assistantId, version, scenarioId: scenario.id, repetition: at };
  const replay = run.cassette === 'replay' ? await stores.cassettes.get(place) : undefined;
  if (run.cassette === 'replay' && !replay) {
    tally.add(scenario.id, at, notRecorded(scenario, version), { tokens: 0, cost: null });
    return;
  }
  const cassette = replay ? { replay } : run.cassette === 'record' ? 'record' : 'live';
  const asking = beginAsking({ caller, assistantId, version, signal, cassette, examples });
  const result = await tryScenario(scenario, asking, { find, signal });
  const recording = asking.recording();
  if (recording) await keepRecording(place, recording, stores);
  tally.add(scenario.id, at, result, asking.spent());
}

const notRecorded = ({ expect }: RunScenario, version: number): ScenarioTry => ({
  passed: null,
  answer: '',
  expectations: expect.map((expectation) => ({
    expectation,
    ...undecided(reasonOf('not_recorded', { values: [String(version)] })),
  })),
});

/** One that is gone meanwhile, with its scenario or its assistant, needs none. */
async function keepRecording(
  place: CassettePlace,
  recording: Recording,
  { cassettes }: RunSuiteDeps['stores'],
): Promise<void> {
  if (JSON.stringify(recording).length > LONGEST_RECORDING) return;
  await cassettes.put(place, recording).catch(() => undefined);
}

/** Whoever asked for the run, as their account is now. */
async function callerOf(userId: number, { stores }: RunSuiteDeps): Promise<Caller> {
  const user = await stores.users.byId(userId);
  if (!user?.enabled) throw notFound('Whoever asked for this run');
  return suiteCaller(user);
}

/** In whose name a run asks. */
export function suiteCaller({ id, email, name, organizationId, role }: User): Caller {
  return {
    ...{ userId: id, email, name, organizationId, role },
    ...{ via: 'session', credentialId: `suite:${String(id)}` },
  };
}
