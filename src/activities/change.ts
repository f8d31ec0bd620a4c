import type { AccessPolicy, Person } from '../core/access/access.js';
import type { Assistant } from '../core/assistants/assistant.js';
import type { FieldFault } from '../core/errors.js';
import { evaluates } from '../core/grading/evaluation.js';
import type { Activity, ActivityChange, PlacedAssistant } from '../core/lti/activity.js';
import type { Stores } from '../core/stores.js';
import type { UsableAssistants } from './usable-assistants.js';

/** What somebody wants an activity to be. What it leaves out stays, as far as it still makes sense. */
export type WantedActivity = Omit<ActivityChange, 'assistants'> & {
  readonly assistantIds?: readonly number[] | undefined;
};

export interface PlannedChange {
  readonly change: ActivityChange;
  /** Why it cannot be; empty when it can. */
  readonly faults: readonly FieldFault[];
}

/** Which activity, and with whose rights it is changed. */
interface Desk {
  readonly activity: Activity;
  readonly accounts: readonly Person[];
}

interface Held {
  readonly assistant: Assistant;
  readonly placed: PlacedAssistant;
}

interface Deps extends Pick<Stores, 'assistants'> {
  readonly policy: AccessPolicy;
  readonly usable: UsableAssistants;
}

export type PlanChange = (wanted: WantedActivity, desk: Desk) => Promise<PlannedChange>;

/** Judges what somebody wants an activity to be, field by field. */
export function createActivityPlans({ assistants, policy, usable }: Deps): PlanChange {
  async function hold(id: number, { activity, accounts }: Desk): Promise<Held | undefined> {
    const assistant = await assistants.get(id);
    if (!assistant) return undefined;
    const before = activity.assistants.find(({ assistantId }) => assistantId === id);
    // What stands by somebody's right goes on standing by it, until that right is gone.
    if (before && (await usable.isLent(activity, before, assistant))) return { assistant, placed: before };
    const account = await usable.whoMayUse(assistant, accounts);
    if (account) return { assistant, placed: { assistantId: id, addedBy: account.userId } };
    return before && { assistant, placed: before };
  }

  /** What an assistant was is for those who may edit it; others hold it to what it is now, or leave it held as it is. */
  async function mayPin(
    version: number,
    assistant: Assistant,
    { activity, accounts }: Desk,
  ): Promise<boolean> {
    const isKept = version === activity.pinnedVersion && isOnly(idsOf(activity), assistant.id);
    const isEditor = accounts.some((account) => policy.mayEdit(account, assistant).allowed);
    if (!isEditor && !isKept && version !== assistant.version) return false;
    return (await assistants.version(assistant.id, version)) !== undefined;
  }

  async function faultOfPin(version: number, held: readonly Held[], desk: Desk): Promise<string | undefined> {
    const [only, ...others] = held;
    if (!only || others.length > 0) return 'Only an activity with one assistant can be held to a version.';
    if (await mayPin(version, only.assistant, desk)) return undefined;
    return `There is no version ${String(version)} that you may choose.`;
  }

  async function faultOfEvaluation(id: number, held: readonly Held[], pinned: number | null) {
    const newest = held.find(({ assistant }) => assistant.id === id)?.assistant;
    if (!newest) return 'Only an assistant of this activity can propose grades in it.';
    const assistant = pinned === null ? newest : await assistants.atVersion(id, pinned);
    if (!assistant || evaluates(assistant)) return undefined;
    return 'This assistant has no tool that evaluates with a rubric.';
  }

  return async (wanted, desk) => {
    const settled = settle(wanted, desk.activity);
    const { ids, pinnedVersion, evaluationAssistantId } = settled;
    const each = await Promise.all(ids.map((id) => hold(id, desk)));
    const held = each.filter((one) => one !== undefined);
    const missing = wanted.assistantIds ? ids.filter((_, at) => !each[at]) : [];

    const isPinAsked = wanted.pinnedVersion != null && missing.length === 0;
    const isEvaluationAsked = isPinAsked || wanted.evaluationAssistantId != null;
    const faults = [
      ...missing.map((id) => ({
        path: `assistant_ids.${String(ids.indexOf(id))}`,
        message: `There is no assistant ${String(id)} that you may use.`,
      })),
      ...faultAt('assistant_ids', ids.length === 0 ? 'Choose at least one assistant.' : undefined),
      ...faultAt(
        'pinned_version',
        isPinAsked && pinnedVersion !== null ? await faultOfPin(pinnedVersion, held, desk) : undefined,
      ),
      ...faultAt(
        'evaluation.assistant_id',
        isEvaluationAsked && evaluationAssistantId !== null
          ? await faultOfEvaluation(evaluationAssistantId, held, pinnedVersion)
          : undefined,
      ),
    ];
    const { transcriptPolicy, retentionDays, stepsVisible, examWindows } = wanted;
    const assistantsNow = wanted.assistantIds && held.map(({ placed }) => placed);
    return {
      change: {
        ...{ transcriptPolicy, retentionDays, stepsVisible, examWindows },
        ...{ pinnedVersion, evaluationAssistantId, assistants: assistantsNow },
      },
      faults,
    };
  };
}

/** What it holds then. What hung on an assistant that is no longer there, or no longer the only one, ends with that. */
function settle(wanted: WantedActivity, activity: Activity) {
  const before = idsOf(activity);
  const ids = wanted.assistantIds ?? before;
  const isSameOne = ids.length === 1 && isOnly(before, ids[0]);
  const { evaluationAssistantId: evaluator } = activity;
  const stillEvaluates = evaluator !== null && ids.includes(evaluator);
  return {
    ids,
    pinnedVersion: orElse(wanted.pinnedVersion, isSameOne ? activity.pinnedVersion : null),
    evaluationAssistantId: orElse(wanted.evaluationAssistantId, stillEvaluates ? evaluator : null),
  };
}

/** Null is an answer. */
function orElse(wanted: number | null | undefined, otherwise: number | null): number | null {
  return wanted === undefined ? otherwise : wanted;
}

function idsOf({ assistants }: Activity): readonly number[] {
  return assistants.map(({ assistantId }) => assistantId);
}

function isOnly(ids: readonly number[], id: number | undefined): boolean {
  return ids.length === 1 && ids[0] === id;
}

function faultAt(path: string, message: string | undefined): readonly FieldFault[] {
  return message === undefined ? [] : [{ path, message }];
}
