import { Router } from 'express';
import { z } from 'zod';
import { isRetrieving } from '../../assistants/retrieving.js';
import { TEMPLATE_LANGUAGES } from '../../core/assistants/template.js';
import { notFound } from '../../core/errors.js';
import type { Plugins } from '../../core/plugins.js';
import { listScenarioSets, openScenarioSet } from '../../scenarios/scenario-sets.js';
import { createAssistantLookup, Id, mustBeMaker } from '../assistants/lookup.js';
import type * as wire from '../contract/scenarios/scenario-sets.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';
import { createScenarioDesk, type ScenarioRoutesDeps, showAll } from './scenarios.js';

const WrittenIn = z.enum(TEMPLATE_LANGUAGES).default('en').describe('What it is written in.');
export const SetsQuery = z.object({ language: WrittenIn });
export const SetParams = Id.extend({ set: z.string().max(64) });
export const SetWish = z.strictObject({ language: WrittenIn });

export type ScenarioSetRoutesDeps = ScenarioRoutesDeps & { readonly plugins: Pick<Plugins, 'tools'> };

/** Ready-made scenarios. Once added they are an assistant's own, like those that somebody wrote. */
export function scenarioSetRoutes(deps: ScenarioSetRoutesDeps): Router {
  const find = createAssistantLookup(deps);
  const desk = createScenarioDesk(deps);

  return Router()
    .get('/lamb/v1/scenario-sets', async (req, res) => {
      await mustBeMaker(callerOf(res), 'read scenarios', deps.audit);
      const { language } = parseWith(SetsQuery, req.query, 'The query');
      res.json({ data: await listScenarioSets(language) } satisfies wire.ScenarioSets);
    })
    .post('/lamb/v1/assistants/:id/scenario-sets/:set', async (req, res) => {
      const { id, set } = parseWith(SetParams, req.params, 'The address');
      const caller = callerOf(res);
      const assistant = await find.toEdit(id, caller, 'change scenarios');
      const { language } = parseWith(SetWish, req.body ?? {});
      const hasDocuments = isRetrieving(assistant, deps.plugins);
      const given = await openScenarioSet(set, { language, hasDocuments });
      if (!given) throw notFound('The set of scenarios');
      const added = await desk.add(given, { assistant, caller, isList: true, same: 'skip' });
      res.status(201).json(showAll(added));
    });
}
