import { Router } from 'express';
import { z } from 'zod';
import { overseesOrganization } from '../../access/administrators.js';
import type { Caller } from '../../core/access/caller.js';
import { notFound } from '../../core/errors.js';
import { RUN_STATUSES, type RunRecord } from '../../core/runs/record.js';
import type { RunFilter, Stores } from '../../core/stores.js';
import type { PricesFor } from '../../organizations/pricing.js';
import { parseWith } from '../middleware/json-body.js';
import { PeriodQuery, periodOf } from '../middleware/period.js';
import { PageQuery, pageOf } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';
import { type RunView, showRun, showRunWithSteps } from './run-view.js';

const ListQuery = PageQuery.extend({
  assistant_id: z.coerce.number().int().positive().max(2_147_483_647).optional(),
  status: z.enum(RUN_STATUSES).optional(),
  ...PeriodQuery.shape,
});

interface Deps extends Pick<Stores, 'assistants' | 'runs'> {
  readonly pricesFor: PricesFor;
}

/** What happened in a run: its steps and its cost, none of its contents. */
export function runs(deps: Deps): Router {
  const { runs } = deps;
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
      res.json(showRunWithSteps(view));
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
  const organizationIds = [...new Set(page.map(({ organizationId }) => organizationId))];
  const [named, children, priced] = await Promise.all([
    assistants.named([...assistantIds]),
    runs.steps(childIds),
    Promise.all(organizationIds.map(async (id) => [id, await pricesFor(caller, id)] as const)),
  ]);
  const prices = new Map(priced);
  return page.flatMap((run) => {
    const theirs = prices.get(run.organizationId);
    if (!theirs) return [];
    const isOwn = run.userId === caller.userId;
    const assistant = run.assistantId === undefined ? undefined : named.get(run.assistantId);
    const mayKnowWho = isOwn || overseesOrganization(caller, run.organizationId);
    return [{ run, assistant, children, prices: theirs, isOwn, mayKnowWho }];
  });
}
