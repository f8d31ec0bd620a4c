import { Router } from 'express';
import { z } from 'zod';
import { chooseModel } from '../../../agents/models/choose-model.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import { AppError } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import type { Plugins } from '../../core/plugins.js';
import type { Price } from '../../core/runs/prices.js';
import type { Settings } from '../../core/runs/run-context.js';
import type { SuiteRun } from '../../core/scenarios/suite-run.js';
import type { Stores } from '../../core/stores.js';
import { priceIn } from '../../organizations/pricing.js';
import { estimateRun } from '../../scenarios/runs/estimate.js';
import { createAssistantLookup, idIn, type LookupDeps } from '../assistants/lookup.js';
import type * as wire from '../contract/scenarios/suite-runs.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';
import { MOST_REPEATS } from './suite-runs.js';

export const EstimateQuery = z.object({
  repeat: z.coerce.number().int().min(1).max(MOST_REPEATS).default(1),
});

export type EstimateRoutesDeps = LookupDeps &
  Pick<Stores, 'scenarios' | 'suiteRuns'> & {
    readonly settingsOf: (organizationId: number) => Promise<Settings>;
    readonly plugins: Pick<Plugins, 'connectors'>;
    readonly log: Logger;
  };

/** About what a run would cost, before somebody asks for it. */
export function suiteEstimateRoutes(deps: EstimateRoutesDeps): Router {
  const { scenarios, suiteRuns, settingsOf } = deps;
  const lookup = createAssistantLookup(deps);

  return Router().get('/lamb/v1/assistants/:id/suite-runs/estimate', async (req, res) => {
    const assistant = await lookup.toEdit(idIn(req.params), callerOf(res), 'read scenarios');
    const { repeat } = parseWith(EstimateQuery, req.query, 'The query');
    const [all, settings, newest] = await Promise.all([
      scenarios.list(assistant.id),
      settingsOf(assistant.organizationId),
      suiteRuns.lastOf(assistant.id),
    ]);
    const last = newest && (await askedTheSame(newest, assistant, deps)) ? newest : undefined;
    const price = priceOf(assistant, settings, deps);
    const { basedOn, ...about } = estimateRun(all, { content: assistant, repeat, last, price });
    const currency = settings.prices.currency;
    res.json({ ...about, currency, based_on: basedOn } satisfies wire.SuiteEstimate);
  });
}

/** What another model cost says nothing of this one. */
async function askedTheSame(
  { version }: SuiteRun,
  { id, setup, version: newest }: Assistant,
  { assistants }: EstimateRoutesDeps,
): Promise<boolean> {
  const tried = version === newest ? { setup } : await assistants.atVersion(id, version);
  return tried?.setup.connector === setup.connector && tried?.setup.model === setup.model;
}

function priceOf(
  { setup }: Assistant,
  settings: Settings,
  { plugins: { connectors }, log }: EstimateRoutesDeps,
): Price | undefined {
  try {
    const { connector, model } = chooseModel(setup, settings, connectors, log);
    return priceIn(settings.prices, { connector: connector.name, model }, connectors);
  } catch (fault) {
    // One without a model cannot be run either, and says so then.
    if (fault instanceof AppError) return undefined;
    throw fault;
  }
}
