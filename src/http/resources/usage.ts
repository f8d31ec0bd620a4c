import { Router } from 'express';
import { z } from 'zod';
import { isAdministrator } from '../../access/administrators.js';
import type { Caller } from '../../core/access/caller.js';
import { USAGE_GROUPS, type UsageFilter, type UsageGroup } from '../../core/runs/usage.js';
import type { Stores } from '../../core/stores.js';
import { type PricesFor, pricingOf } from '../../organizations/pricing.js';
import {
  type CountedSum,
  gapless,
  rowsOf,
  totalOf,
  type UsageRow,
  type UsageTotal,
} from '../../organizations/usage-report.js';
import type * as wire from '../contract/usage.js';
import { createAdministration } from '../middleware/administration.js';
import { parseWith } from '../middleware/json-body.js';
import { daysOf, PeriodQuery, reportedPeriod } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';

/** Beyond them a chart says nothing; the total counts all, and as CSV all are told. */
const MOST_ROWS = 1_000;
const RowId = z.coerce.number().int().positive().max(2_147_483_647);
export const UsageQuery = z.object({
  group_by: z.enum(USAGE_GROUPS).default('day'),
  assistant_id: RowId.optional(),
  activity_id: RowId.optional(),
  course_id: RowId.optional(),
  user_id: RowId.optional(),
  organization_id: RowId.optional(),
  format: z.enum(['json', 'csv']).default('json'),
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
    if (query.group_by === 'user' || query.user_id !== undefined)
      await office.mustAdminister({ caller, action: 'read usage by user' });
    const organizationId =
      query.organization_id &&
      (await office.organization(query.organization_id, { caller, action: 'read usage' })).id;

    const period = reportedPeriod(query, new Date());
    const filter = { ...visibleTo(caller, organizationId), ...narrowedBy(query), ...period };
    const group = query.group_by;
    const slices = await usage.slices(filter, group);
    const pricing = await pricingOf(slices, { caller, organizationId }, deps.pricesFor);
    const found = rowsOf(slices, pricing);
    const most = query.format === 'csv' ? found.length : MOST_ROWS;
    const rows = group === 'day' ? gapless(found, daysOf(period), pricing) : found.slice(0, most);
    const labelOf = await labelsOf(rows, group, deps);
    const report: wire.UsageReport = {
      rows: rows.map((row) => showRow(row, labelOf)),
      total: showTotal(totalOf(slices, pricing)),
      currency: pricing.currency,
    };
    if (query.format === 'json') res.json(report);
    else res.attachment(`usage-${group}.csv`).send(csvOf(report));
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

function narrowedBy({ assistant_id, activity_id, course_id, user_id }: z.output<typeof UsageQuery>) {
  return { assistantId: assistant_id, activityId: activity_id, courseId: course_id, askedBy: user_id };
}

/** By key; of what has no name any more there is none. */
async function labelsOf(
  rows: readonly UsageRow[],
  group: UsageGroup,
  { activities, assistants, users }: Deps,
): Promise<(key: string) => string> {
  const ids = rows.map(({ key }) => Number(key));
  if (group === 'user') {
    const emails = await inParts(ids, users.emails);
    return (key) => emails.get(Number(key)) ?? '';
  }
  if (group === 'assistant') {
    const named = await inParts(ids, assistants.named);
    return (key) => named.get(Number(key))?.name ?? '';
  }
  if (group === 'activity') {
    const titles = await inParts(ids, activities.titles);
    return (key) => titles.get(Number(key)) ?? '';
  }
  return group === 'model' ? (key) => key.slice(key.indexOf('/') + 1) : (key) => key;
}

/** A statement has room for so many values. */
async function inParts<Found>(
  ids: readonly number[],
  find: (some: readonly number[]) => Promise<ReadonlyMap<number, Found>>,
): Promise<ReadonlyMap<number, Found>> {
  const found = new Map<number, Found>();
  for (let start = 0; start < ids.length; start += MOST_ROWS)
    for (const [id, one] of await find(ids.slice(start, start + MOST_ROWS))) found.set(id, one);
  return found;
}

function showRow({ key, ...sum }: UsageRow, labelOf: (key: string) => string): wire.UsageRow {
  return { key, label: labelOf(key), ...showSum(sum) };
}

function showTotal({ unpricedRuns, otherCosts, ...sum }: UsageTotal): wire.UsageTotal {
  return { ...showSum(sum), unpriced_runs: unpricedRuns, other_costs: otherCosts };
}

function showSum(sum: CountedSum): wire.UsageFigures {
  return {
    runs: sum.runs,
    prompt_tokens: sum.promptTokens,
    completion_tokens: sum.completionTokens,
    cached_tokens: sum.cachedTokens,
    reasoning_tokens: sum.reasoningTokens,
    cost: sum.cost,
  };
}

const CSV_COLUMNS = ['key', 'label', 'runs', 'prompt_tokens', 'completion_tokens', 'cost', 'currency'];

/** For spreadsheets (RFC 4180), under names that are the same in every language. */
function csvOf({ rows, currency }: wire.UsageReport): string {
  const lines = rows.map(({ key, label, runs, prompt_tokens, completion_tokens, cost }) =>
    [key, label, runs, prompt_tokens, completion_tokens, cost ?? '', currency].map(cell).join(','),
  );
  return [CSV_COLUMNS.join(','), ...lines, ''].join('\r\n');
}

/** A name that begins like a formula is kept from becoming one. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
