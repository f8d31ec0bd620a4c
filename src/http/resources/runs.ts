import { Router } from 'express';
import { z } from 'zod';
import { overseesOrganization } from '../../access/administrators.js';
import type { Caller } from '../../core/access/caller.js';
import { notFound } from '../../core/errors.js';
import type { Feedback } from '../../core/runs/stores.js';
import { addUsage, NO_USAGE, type Usage } from '../../core/runs/event.js';
import { type Fingerprint, RUN_STATUSES, type RunRecord, type RunStep } from '../../core/runs/record.js';
import type { NamedAssistant, RunFilter, Stores } from '../../core/stores.js';
import {
  costOfRun,
  costOfStep,
  currencyOf,
  type PricesFor,
  type RunPricing,
} from '../../organizations/pricing.js';
import type * as wire from '../contract/runs.js';
import { parseWith } from '../middleware/json-body.js';
import { pageOf, PageQuery, periodOf, PeriodQuery } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';
import { showFeedback } from './feedback.js';

export const ListQuery = PageQuery.extend({
  assistant_id: z.coerce.number().int().positive().max(2_147_483_647).optional(),
  status: z.enum(RUN_STATUSES).optional(),
  ...PeriodQuery.shape,
});

interface Deps extends Pick<Stores, 'assistants' | 'feedback' | 'runs'> {
  readonly pricesFor: PricesFor;
}

/** What happened in a run: its steps and its cost, none of its contents. */
export function runs(deps: Deps): Router {
  const { feedback, runs } = deps;
  return Router()
    .get('/lamb/v1/runs', async (req, res) => {
      const caller = callerOf(res);
      const { assistant_id, status, from, to, ...page } = parseWith(ListQuery, req.query, 'The query');
      const narrowing = { assistantId: assistant_id, status, ...periodOf({ from, to }) };
      const { data, nextCursor } = await runs.list({ ...visibleTo(caller), ...narrowing }, page);
      res.json(pageOf({ data: await viewsOf(data, caller, deps), nextCursor }, showRun));
    })
    .get('/lamb/v1/runs/:id', async (req, res) => {
      const caller = callerOf(res);
      const run = await runs.get(req.params.id);
      const [view] = run ? await viewsOf([run], caller, deps) : [];
      if (!view || !maySee(caller, view)) throw notFound('The run');
      const given = await feedback.of(caller.userId, [view.run.id]);
      res.json(showRunWithSteps(view, given.get(view.run.id)));
    });
}

function visibleTo({ role, userId, organizationId }: Caller): RunFilter {
  if (role === 'system_admin') return {};
  const theirs = { userId, ownerId: userId };
  return role === 'org_admin' ? { ...theirs, organizationId } : theirs;
}

function maySee(caller: Caller, { assistant, mayKnowWho }: RunView): boolean {
  return mayKnowWho || assistant?.ownerId === caller.userId;
}

/** Everything around a page of runs with one question each, however many they are. */
async function viewsOf(
  page: readonly RunRecord[],
  caller: Caller,
  { assistants, runs, pricesFor }: Deps,
): Promise<readonly RunView[]> {
  const assistantIds = new Set(page.flatMap(({ assistantId }) => assistantId ?? []));
  const childIds = page.flatMap(({ steps }) => steps.flatMap(({ childRunId }) => childRunId ?? []));
  const [named, children] = await Promise.all([assistants.named([...assistantIds]), runs.byIds(childIds)]);
  const payers = new Set([...page, ...children.values()].map(({ organizationId }) => organizationId));
  const priced = [...payers].map(async (id) => [id, await pricesFor(caller, id)] as const);
  const pricing = { children, prices: new Map(await Promise.all(priced)) };
  return page.map((run) => {
    const isOwn = run.userId === caller.userId;
    const assistant = run.assistantId === undefined ? undefined : named.get(run.assistantId);
    const mayKnowWho = isOwn || overseesOrganization(caller, run.organizationId);
    return { run, assistant, pricing, isOwn, mayKnowWho };
  });
}

/** One run and what is known around it, for one reader. */
interface RunView {
  readonly run: RunRecord;
  readonly assistant: NamedAssistant | undefined;
  readonly pricing: RunPricing;
  readonly isOwn: boolean;
  /** Their own, or of an organisation they look after. The owner of an assistant does not learn who uses it. */
  readonly mayKnowWho: boolean;
}

function showRun({ run, assistant, pricing, isOwn, mayKnowWho }: RunView): wire.Run {
  return {
    id: run.id,
    parent_run_id: run.parentRunId ?? null,
    assistant_id: run.assistantId ?? null,
    assistant_name: assistant && !assistant.isDeleted ? assistant.name : null,
    version: run.assistantId === undefined ? null : run.assistantVersion,
    caller: { user_id: mayKnowWho ? run.userId : null, via: run.via },
    own: isOwn,
    // It would tell which runs are the same person's.
    conversation_id: (mayKnowWho ? run.conversationId : undefined) ?? null,
    started_at: run.startedAt,
    ms: run.ms,
    status: run.status,
    error_code: run.errorCode ?? null,
    iterations: run.iterations,
    capped: run.capped,
    model: run.steps.findLast(({ kind }) => kind === 'model')?.model ?? null,
    usage: showUsage({ ...detailsOf(run, pricing), ...run.usage }),
    cost: costOfRun(run, pricing),
    currency: currencyOf(run, pricing),
  };
}

function showRunWithSteps(view: RunView, own: Feedback | undefined): wire.RunWithSteps {
  const start = Date.parse(view.run.startedAt);
  return {
    ...showRun(view),
    steps: view.run.steps.map((step) => showStep(step, start, view)),
    feedback: own ? showFeedback(own) : null,
  };
}

function showStep(step: RunStep, start: number, { run, pricing, mayKnowWho }: RunView): wire.RunStep {
  const show = (print: Fingerprint) => (mayKnowWho ? print : withoutPrint(print));
  return {
    kind: step.kind,
    ...(step.tool === undefined ? {} : { tool: step.tool }),
    ...(step.model === undefined ? {} : { connector: step.connector, model: step.model }),
    ok: step.ok,
    started_at: step.startedAt,
    at: Math.max(0, Date.parse(step.startedAt) - start),
    ms: step.ms,
    iteration: step.iteration,
    input: show(step.input),
    output: show(step.output),
    cost: costOfStep(step, run, pricing) ?? null,
    ...(step.usage === undefined ? {} : { usage: showUsage(step.usage) }),
    ...(step.childRunId === undefined ? {} : { child_run_id: step.childRunId }),
    ...(step.detail === undefined ? {} : { detail: step.detail }),
    ...(step.facts === undefined ? {} : { facts: step.facts }),
  };
}

/** By its fingerprint, a guess at what somebody wrote could be tried out. */
function withoutPrint({ chars }: Fingerprint): wire.Fingerprint {
  return { chars };
}

/** As they stand in its steps, and in those of the runs that it started. */
function detailsOf({ steps }: RunRecord, { children }: RunPricing): Usage {
  const asked = steps.flatMap((step) => [step, ...(children.get(step.childRunId ?? '')?.steps ?? [])]);
  return asked.reduce((sum, { usage }) => (usage ? addUsage(sum, usage) : sum), NO_USAGE);
}

function showUsage(usage: Usage): wire.TokenUse {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens, estimated } = usage;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    ...(cachedTokens === undefined ? {} : { cached_tokens: cachedTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoning_tokens: reasoningTokens }),
    ...(estimated ? { estimated } : {}),
  };
}
