import type { Caller } from '../../src/core/access/caller.js';
import type { Assistant, ToolEntry } from '../../src/core/assistants/assistant.js';
import { servedTo } from '../../src/core/assistants/served.js';
import { newRunId } from '../../src/core/base/ids.js';
import { forbidden, invalidConfiguration, toolFailed, unusableAnswer } from '../../src/core/errors.js';
import type { Evaluation, WorkToEvaluate } from '../../src/core/grading/evaluation.js';
import { gradingRubricOf, RubricEvaluation } from '../../src/core/grading/grading.js';
import type { Activity } from '../../src/core/lti/activity.js';
import { readRubric } from '../../src/core/rubrics/rubric.js';
import type { Ending } from '../../src/core/runs/event.js';
import { RubricId } from '../../src/tool-kit/rubric.js';
import type { ToolOutcome } from '../gate/invocation.js';
import { invokeTool } from '../gate/invoke-tool.js';
import { openToolbox } from '../gate/toolbox.js';
import { chooseModel } from '../models/choose-model.js';
import { findAssistant } from './find-assistant.js';
import { beginRun, budgetFor, type RunBasis, type RunDeps, type RunParts } from './prepare.js';
import { recordRun, runBegan } from './record.js';

const TOOL = 'rubric_eval';
const NO_EVALUATION = 'This activity takes no submissions.';

/**
 * One tool of one assistant, by its author's configuration and right, through the same gate and on record like any run.
 * No model decides that it is called, nor with what: the work is an argument, and nothing else.
 */
export function createEvaluation(deps: RunDeps): Evaluation {
  return {
    async rubricFor(activity, caller) {
      const { assistant, entry } = await findEvaluator({ activity, caller, runId: newRunId() }, deps);
      const id = RubricId.safeParse(entry.config['rubric_id']).data ?? '';
      const { allowed } = await deps.policy.mayUse({ kind: 'rubric', id }, assistant);
      const stored = allowed ? await deps.stores.rubrics.get(id) : undefined;
      const reading = stored && readRubric(stored.data);
      if (!stored || !reading?.ok) {
        throw invalidConfiguration('The rubric of this activity cannot be used. Your teacher can mend that.');
      }
      return gradingRubricOf(stored, reading.rubric);
    },

    async evaluate(work) {
      const { activity, caller, signal } = work;
      const runId = newRunId();
      const { assistant, entry, pinned } = await findEvaluator({ activity, caller, runId }, deps);
      // Nothing else that it holds is laid out, let alone used.
      const narrowed = { ...assistant, setup: { ...assistant.setup, tools: [entry] } };
      const settings = await deps.settingsOf(assistant.organizationId);
      const model = () => chooseModel(assistant.setup, settings, deps.plugins.connectors, deps.log);
      const parts: RunParts = {
        ...{ runId, caller, signal, assistant: narrowed, chat: [], sampling: {}, mayAsk: false },
        ...{ parent: undefined, conversation: undefined },
        currentAssistant: () => evaluatorNow({ activity, caller }, { pinned, narrowed }, deps),
        startChild: () => Promise.reject(forbidden('An evaluation cannot ask an assistant.')),
      };
      const budget = await budgetFor(parts, settings, deps);
      return await runEvaluation(beginRun(parts, { settings, budget, model }, deps), work, deps);
    },
  };
}

async function runEvaluation(
  basis: RunBasis,
  { text }: WorkToEvaluate,
  deps: RunDeps,
): Promise<RubricEvaluation> {
  const { ctx, trace, deadline } = basis;
  let ending: Ending | undefined;
  let fault: unknown;
  runBegan(basis, deps);
  try {
    const tool = deps.plugins.tools.get(TOOL);
    const { functions } = await openToolbox(new Map(tool ? [[TOOL, tool]] : []), ctx);
    const [ready] = functions.values();
    const site = { kind: 'tool', iteration: 1, callId: 'call_1' } as const;
    // As it was handed in: no model has written it down, so there is nothing of a model's to be parsed.
    const call = { site, ready, args: { fromChat: { submission: text } } };
    const evaluation = read(await invokeTool(call, ctx));
    const [usage, tools] = [trace.usage(), trace.tools()];
    ending = { finishReason: 'stop', iterations: 0, capped: false, usage, sources: [], tools };
    return evaluation;
  } catch (thrown) {
    fault = thrown;
    throw thrown;
  } finally {
    deadline.dispose();
    await recordRun(basis, { answer: '', ending, fault }, deps);
  }
}

function read(outcome: ToolOutcome): RubricEvaluation {
  if (!outcome.ok) throw toolFailed(outcome.reason);
  const evaluation = RubricEvaluation.safeParse(outcome.data);
  if (evaluation.success) return evaluation.data;
  throw unusableAnswer('The evaluation brought no grade.');
}

interface Place {
  readonly activity: Activity;
  readonly caller: Caller;
}

interface Evaluator {
  readonly assistant: Assistant;
  readonly entry: ToolEntry;
  readonly pinned: number | undefined;
}

/** The assistant that judges in this activity, if this person may use it as things are. */
async function findEvaluator(
  { activity, caller, runId }: Place & { readonly runId: string },
  { stores, policy, mayServe }: RunDeps,
): Promise<Evaluator> {
  const { evaluationAssistantId: id, pinnedVersion } = activity;
  if (id === null) throw invalidConfiguration(NO_EVALUATION);
  const pinned = pinnedVersion ?? undefined;
  const wanted = { model: String(id), pinned, caller, runId };
  const assistant = await findAssistant(wanted, { ...stores, policy, mayServe });
  const entry = assistant.setup.tools.find(({ enabled, type }) => enabled && type === TOOL);
  if (!entry) throw invalidConfiguration(NO_EVALUATION);
  return { assistant, entry, pinned };
}

/** Asked again at the gate: an activity that has another by now, or an assistant withdrawn, ends it there. */
async function evaluatorNow(
  { activity, caller }: Place,
  { pinned, narrowed }: { readonly pinned: number | undefined; readonly narrowed: Assistant },
  { stores, policy }: RunDeps,
): Promise<Assistant | undefined> {
  const [now, current] = await Promise.all([
    stores.activities.get(activity.id),
    stores.assistants.get(narrowed.id),
  ]);
  if (!current || now?.evaluationAssistantId !== narrowed.id) return undefined;
  if (!(await policy.mayRun(caller, current)).allowed) return undefined;
  return pinned === undefined ? await servedTo(caller, current, { ...stores, policy }) : narrowed;
}
