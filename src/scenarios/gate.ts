import { overseesOrganization } from '../access/administrators.js';
import { deedOf, denialOf } from '../core/access/audit.js';
import type { AccessPolicy, Person } from '../core/access/access.js';
import type { Caller } from '../core/access/caller.js';
import type { Example } from '../core/assistants/annotation.js';
import type { Assistant, AssistantContent, AssistantSetup } from '../core/assistants/assistant.js';
import { type FieldFault, forbidden, suiteNotPassed } from '../core/errors.js';
import { scenarioPassed, type SuiteRun } from '../core/scenarios/suite-run.js';
import type { Stores } from '../core/stores.js';
import { type ContentHash, requiredHash } from './hashes.js';

/** An administrator lets something through that has not passed, and says why. */
export interface Override {
  readonly reason: string;
}

export interface Act {
  readonly caller: Caller;
  /** Who they have proved to be besides, where a launch brought them. */
  readonly accounts?: readonly Person[] | undefined;
  readonly override?: Override | undefined;
}

/** To be called once the assistant is as it was to become. */
export type Settle = (saved: Assistant) => Promise<void>;

/** What has not passed its scenarios reaches nobody who may only chat. */
export interface PublishGate {
  /** Before others are let at it as it is: throws 409 unless it has passed. */
  beforeOpening(assistant: Assistant, act: Act): Promise<Settle>;
  /** Before an activity is held to a version of it. */
  beforePinning(assistant: Assistant, version: number, act: Act): Promise<void>;
  /** Before it becomes something else. */
  beforeSaving(before: Assistant, content: AssistantContent, act: Act): Promise<Settle>;
  /** Whether an activity that is held to this version may go on being. */
  mayServe(assistant: Assistant, held: Assistant): Promise<boolean>;
  /** A run has ended: what has passed is served from now on, with the examples that it ran with. */
  suiteEnded(run: SuiteRun, examples: readonly Example[]): Promise<void>;
}

export interface GateDeps {
  readonly stores: Pick<
    Stores,
    'annotations' | 'assistants' | 'audit' | 'scenarios' | 'suitePasses' | 'suiteRuns'
  >;
  readonly policy: Pick<AccessPolicy, 'mayEdit'>;
  readonly contentHash: ContentHash;
  readonly readSetup: (content: AssistantContent) => AssistantSetup;
}

const OTHER_EXAMPLES =
  'Its corrected answers have changed since this version passed its scenarios. Run its scenarios first.';
const NOTHING_TO_SETTLE: Settle = () => Promise.resolve();

export function createPublishGate({ stores, policy, contentHash, readSetup }: GateDeps): PublishGate {
  const { annotations, assistants, audit, scenarios, suitePasses, suiteRuns } = stores;
  const requiredOf = async (id: number) => requiredHash(await scenarios.list(id));
  const isGated = ({ setup }: Assistant) => setup.publishGate !== undefined;

  async function hasPassed(id: number, content: AssistantContent): Promise<boolean> {
    const required = await requiredOf(id);
    return required !== undefined && (await suitePasses.has(id, contentHash(content), required));
  }

  const serve: Settle = ({ id, version }) => assistants.serve(id, version);

  /** Whoever is no administrator is refused, and that they tried is kept. */
  async function mayOverride(assistant: Assistant, { caller, accounts = [] }: Act): Promise<void> {
    if ([caller, ...accounts].some((one) => overseesOrganization(one, assistant.organizationId))) return;
    const resource = `assistant ${String(assistant.id)}`;
    await audit.record(denialOf(caller, { action: 'override gate', resource, reason: 'no administrator' }));
    throw forbidden('Only an administrator of the organisation may let through what has not passed.');
  }

  const overriding =
    ({ caller, override }: Act): Settle =>
    async (saved) => {
      const { id: assistantId, version } = saved;
      const resource = `assistant ${String(assistantId)}`;
      await audit.record(
        deedOf(caller, { action: 'override gate', resource, reason: override?.reason ?? '' }),
      );
      const hash = contentHash(saved);
      await annotations.keepPassed(assistantId, hash, await annotations.active(assistantId));
      await suitePasses.add({ assistantId, version, contentHash: hash, requiredHash: null });
    };

  async function mustPass(assistant: Assistant, content: AssistantContent, act: Act): Promise<void> {
    if (!(await hasPassed(assistant.id, content))) throw await refusal(assistant, content, act);
    // From now on it has those that are in use.
    const [now, then] = await Promise.all([
      annotations.active(assistant.id),
      annotations.passed(assistant.id, contentHash(content)),
    ]);
    if (JSON.stringify(now) !== JSON.stringify(then))
      throw suiteNotPassed(OTHER_EXAMPLES, [{ path: 'annotations', message: OTHER_EXAMPLES }]);
  }

  /** What stands in the way is for those who may edit it: others may use it, and not read how it is tried. */
  async function refusal(assistant: Assistant, content: AssistantContent, { caller, accounts = [] }: Act) {
    const { id, name } = assistant;
    if (![caller, ...accounts].some((one) => policy.mayEdit(one, assistant).allowed)) {
      const told = `"${name}" has not passed its scenarios. Whoever looks after it has to run them first.`;
      return suiteNotPassed(told, [{ path: `assistants.${String(id)}`, message: told }]);
    }
    const all = await scenarios.list(id);
    const required = all.filter((scenario) => scenario.required);
    if (required.length === 0)
      return suiteNotPassed('It has no required scenario, so it cannot pass. Write one and run it first.');
    const run = await suiteRuns.lastOf(id, contentHash(content));
    const faults = required.flatMap((scenario) => faultOf(scenario, run));
    const told = faults.map(({ message }) => message).join(' ');
    return suiteNotPassed(
      `This version has not passed its scenarios. Run its scenarios first. ${told}`.trim(),
      faults,
    );
  }

  return {
    async beforeOpening(assistant, act) {
      if (!isGated(assistant)) return NOTHING_TO_SETTLE;
      if (await hasPassed(assistant.id, assistant)) return serve;
      if (!act.override) throw await refusal(assistant, assistant, act);
      await mayOverride(assistant, act);
      return both(overriding(act), serve);
    },

    async beforePinning(assistant, version, act) {
      if (!isGated(assistant)) return;
      const held =
        version === assistant.version ? assistant : await assistants.atVersion(assistant.id, version);
      if (!held || (await hasPassed(assistant.id, held))) return;
      if (!act.override) throw await refusal(assistant, held, act);
      await mayOverride(assistant, act);
      await overriding(act)(held);
    },

    async beforeSaving(before, content, act) {
      const isGatedThen = readSetup(content).publishGate !== undefined;
      if (!isGated(before) && !isGatedThen) return NOTHING_TO_SETTLE;
      const settle: Settle = isGatedThen ? serve : ({ id }) => assistants.serve(id, null);
      if (act.override) {
        await mayOverride(before, act);
        return both(overriding(act), settle);
      }
      if (!isGatedThen) {
        await mustPass(before, content, act);
        return settle;
      }
      if (await hasPassed(before.id, content)) return serve;
      if (isGated(before)) return NOTHING_TO_SETTLE;
      const required = await requiredOf(before.id);
      const last = required === undefined ? undefined : await suitePasses.newest(before.id, required);
      if (last === undefined && (await assistants.isReachable(before.id)))
        throw await refusal(before, content, act);
      return ({ id }) => assistants.serve(id, last ?? null);
    },

    async mayServe(assistant, held) {
      if (!isGated(assistant) || held.version === assistant.servedVersion) return true;
      return await suitePasses.hasEver(assistant.id, contentHash(held));
    },

    async suiteEnded(run, examples) {
      const ran = requiredHash(run.scenarios);
      if (run.cassette === 'replay' || run.passed !== true || ran === undefined) return;
      const { assistantId, version, contentHash: hash } = run;
      const isByThoseOfNow = ran === (await requiredOf(assistantId));
      // What people chat with has passed already: by scenarios that have changed since it gets nothing new.
      if (isByThoseOfNow || !(await suitePasses.hasEver(assistantId, hash)))
        await annotations.keepPassed(assistantId, hash, examples);
      await suitePasses.add({ assistantId, version, contentHash: hash, requiredHash: ran });
      const assistant = await assistants.get(assistantId);
      if (!assistant || !isGated(assistant) || !isByThoseOfNow) return;
      // What was tried is the newest as well, when nothing but who may see it has changed since.
      const served = contentHash(assistant) === hash ? assistant.version : version;
      if (served > (assistant.servedVersion ?? 0)) await assistants.serve(assistantId, served);
    },
  };
}

const both =
  (first: Settle, second: Settle): Settle =>
  async (saved) => {
    await first(saved);
    await second(saved);
  };

/** Why a scenario stands in the way, by the newest run there was. */
function faultOf(
  { id, name, hash }: { readonly id: number; readonly name: string; readonly hash: string },
  run: SuiteRun | undefined,
): readonly FieldFault[] {
  const scenario = { path: `scenarios.${String(id)}`, name };
  const ran = run?.scenarios.find((scenario) => scenario.id === id);
  if (!run || !ran) return [{ ...scenario, code: 'not_run', message: `"${name}" has not been run on it.` }];
  if (ran.hash !== hash)
    return [{ ...scenario, code: 'changed', message: `"${name}" was changed since it was run.` }];
  const passed = scenarioPassed(id, run);
  if (passed === true) return [];
  const verdicts = run.results.find((result) => result.id === id)?.runs.flatMap((each) => each.expectations);
  const why = verdicts?.find((verdict) => verdict.passed === passed)?.why ?? '';
  const what = passed === false ? 'failed' : 'could not be decided';
  const code = passed === false ? 'failed' : 'undecided';
  return [{ ...scenario, code, message: `"${name}" ${what}: ${why}` }];
}
