import { Router } from 'express';
import type { Caller } from '../../core/caller.js';
import { notFound } from '../../core/errors.js';
import type { Usage } from '../../core/event.js';
import type { RunRecord, RunStep } from '../../core/run-record.js';
import type { RunFilter, RunStore } from '../../core/stores.js';
import { parseWith } from '../json-body.js';
import { PageQuery, pageOf } from '../paging.js';
import { callerOf } from '../request-facts.js';

/** What happened in a run: its steps and its cost, none of its contents. */
export function runs({ runs }: { readonly runs: RunStore }): Router {
  return Router()
    .get('/lamb/v1/runs', async (req, res) => {
      const page = parseWith(PageQuery, req.query, 'The query');
      res.json(pageOf(await runs.list(visibleTo(callerOf(res)), page), show));
    })
    .get('/lamb/v1/runs/:id', async (req, res) => {
      const run = await runs.get(req.params.id);
      if (!run || !maySee(callerOf(res), run)) throw notFound('The run');
      res.json({ ...show(run), steps: run.steps.map(showStep) });
    });
}

function visibleTo({ role, userId, organizationId }: Caller): RunFilter {
  if (role === 'system_admin') return {};
  return role === 'org_admin' ? { organizationId } : { userId };
}

function maySee(caller: Caller, run: RunRecord): boolean {
  const { userId, organizationId } = visibleTo(caller);
  return (
    (userId ?? run.userId) === run.userId && (organizationId ?? run.organizationId) === run.organizationId
  );
}

function show(run: RunRecord) {
  return {
    id: run.id,
    parent_run_id: run.parentRunId ?? null,
    assistant_id: run.assistantId ?? null,
    version: run.assistantId === undefined ? null : run.assistantVersion,
    caller: { user_id: run.userId, via: run.via },
    conversation_id: run.conversationId ?? null,
    started_at: run.startedAt,
    ms: run.ms,
    status: run.status,
    error_code: run.errorCode ?? null,
    iterations: run.iterations,
    capped: run.capped,
    usage: showUsage(run.usage),
  };
}

function showStep(step: RunStep) {
  return {
    kind: step.kind,
    ...(step.tool === undefined ? {} : { tool: step.tool }),
    ...(step.model === undefined ? {} : { connector: step.connector, model: step.model }),
    ok: step.ok,
    started_at: step.startedAt,
    ms: step.ms,
    iteration: step.iteration,
    input: step.input,
    output: step.output,
    ...(step.usage === undefined ? {} : { usage: showUsage(step.usage) }),
    ...(step.childRunId === undefined ? {} : { child_run_id: step.childRunId }),
    ...(step.detail === undefined ? {} : { detail: step.detail }),
  };
}

function showUsage({ promptTokens, completionTokens, estimated }: Usage) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    ...(estimated ? { estimated } : {}),
  };
}
