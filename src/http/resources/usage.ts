import { Router } from 'express';
import { z } from 'zod';
import { isAdministrator } from '../../access/administrators.js';
import type { Caller } from '../../core/access/caller.js';
import { USAGE_GROUPS, type UsageFilter, type UsageGroup, type UsageSlice } from '../../core/runs/usage.js';
import type { Stores } from '../../core/stores.js';
import { type PricesFor, pricingOf } from '../../organizations/pricing.js';
import { gapless, rowsOf, sumOf, type UsageRow, type UsageSum } from '../../organizations/usage-report.js';
import type * as wire from '../contract/usage.js';
import { createAdministration } from '../middleware/administration.js';
import { parseWith } from '../middleware/json-body.js';
import { daysOf, PeriodQuery, reportedPeriod } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';

/** Beyond them a chart says nothing; the total counts all. */
const MOST_ROWS = 1_000;
const RowId = z.coerce.number().int().positive().max(2_147_483_647);
const UsageQuery = z.object({
  group_by: z.enum(USAGE_GROUPS).default('day'),
  assistant_id: RowId.optional(),
  organization_id: RowId.optional(),
  ...PeriodQuery.shape,
});

interface Deps extends Pick<
  Stores,
  'activities' | 'assistants' | 'audit' | 'organizations' | 'usage' | 'users'
> {
  readonly pricesFor: PricesFor;
}

/** What was used and what it cost, by the ledger: tokens, never contents. */
export function usageRoutes(deps: Deps): Router {
  const { usage } = deps;
  const office = createAdministration(deps);
  return Router().get('/lamb/v1/usage', async (req, res) => {
    const caller = callerOf(res);
    const query = parseWith(UsageQuery, req.query, 'The query');
    if (query.group_by === 'user') await office.mustAdminister({ caller, action: 'read usage by user' });
    const organizationId =
      query.organization_id &&
      (await office.organization(query.organization_id, { caller, action: 'read usage' })).id;

    const period = reportedPeriod(query, new Date());
    const filter = { ...visibleTo(caller, organizationId), assistantId: query.assistant_id, ...period };
    const group = query.group_by;
    // One after the other: there are few connections to read by, and searches wait for them too.
    const slices = await usage.slices(filter, group);
    const runs = await usage.runs(filter, group);
    const { costOf, currency } = await pricingOf(slices, { caller, organizationId }, deps.pricesFor);

    const found = rowsOf(slices, runs, costOf);
    const rows = group === 'day' ? gapless(found, daysOf(period)) : found.slice(0, MOST_ROWS);
    const labels = await labelsOf(rows, group, deps);
    const unpriced = slices.filter((slice) => costOf(slice) === undefined);
    const all = await usage.runCount(filter);
    const isAll = unpriced.length === slices.length;
    const report: wire.UsageReport = {
      rows: rows.map((row) => showRow(row, labels)),
      total: {
        runs: all,
        ...showSum(sumOf(slices, costOf)),
        unpriced_runs: isAll ? all : await usage.runCount(filter, modelsIn(unpriced)),
      },
      currency,
    };
    res.json(report);
  });
}

function visibleTo(
  caller: Caller,
  asked: number | undefined,
): Pick<UsageFilter, 'userId' | 'ownerId' | 'organizationId'> {
  if (asked !== undefined) return { organizationId: asked };
  if (caller.role === 'system_admin') return {};
  if (isAdministrator(caller)) return { organizationId: caller.organizationId };
  return { userId: caller.userId, ownerId: caller.userId };
}

function modelsIn(slices: readonly UsageSlice[]) {
  return [...new Map(slices.map((slice) => [JSON.stringify(modelOf(slice)), modelOf(slice)])).values()];
}

function modelOf({ organizationId, connector, model }: UsageSlice) {
  return { organizationId, connector, model };
}

/** By key; of what has no name any more there is none. */
async function labelsOf(
  rows: readonly UsageRow[],
  group: UsageGroup,
  { activities, assistants, users }: Deps,
): Promise<(key: string) => string> {
  const ids = rows.map(({ key }) => Number(key));
  if (group === 'user') {
    const emails = await users.emails(ids);
    return (key) => emails.get(Number(key)) ?? '';
  }
  if (group === 'assistant') {
    const named = await assistants.named(ids);
    return (key) => named.get(Number(key))?.name ?? '';
  }
  if (group === 'activity') {
    const titles = await activities.titles(ids);
    return (key) => titles.get(Number(key)) ?? '';
  }
  return group === 'model' ? (key) => key.slice(key.indexOf('/') + 1) : (key) => key;
}

function showRow({ key, runs, ...sum }: UsageRow, labelOf: (key: string) => string): wire.UsageRow {
  return { key, label: labelOf(key), runs, ...showSum(sum) };
}

function showSum({ promptTokens, completionTokens, cost }: UsageSum) {
  return { prompt_tokens: promptTokens, completion_tokens: completionTokens, cost };
}
