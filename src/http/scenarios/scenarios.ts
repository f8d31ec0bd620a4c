import express, { type Request, type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import { badRequest, conflict, notFound } from '../../core/errors.js';
import {
  type HashedScenario,
  type Scenario,
  SCENARIO_LIMITS,
  ScenarioContent,
} from '../../core/scenarios/scenario.js';
import type { Stores } from '../../core/stores.js';
import type { ScenarioIntake } from '../../scenarios/intake.js';
import { readYaml, writeYaml } from '../../scenarios/yaml.js';
import { createAssistantLookup, idIn, type LookupDeps } from '../assistants/lookup.js';
import type * as wire from '../contract/scenarios/scenarios.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';

const YAML = ['application/yaml', 'application/x-yaml', 'text/yaml'];
const LONGEST_YAML = 512 * 1024;

export const ScenarioList = z
  .array(ScenarioContent)
  .min(1, 'must hold at least one scenario')
  .max(SCENARIO_LIMITS.ofAssistant);

export const AddingQuery = z.object({
  same: z
    .enum(['add', 'skip'])
    .default('add')
    .describe('`skip` leaves out those that ask and expect what one of the assistant does already.'),
});

export type ScenarioRoutesDeps = LookupDeps &
  Pick<Stores, 'scenarios'> & { readonly scenarioIntake: ScenarioIntake };

/** What assistants are tried with: for whoever may edit them. */
export function scenarioRoutes(deps: ScenarioRoutesDeps): Router {
  const { scenarios } = deps;
  const find = createAssistantLookup(deps);
  const desk = createScenarioDesk(deps);

  return Router()
    .get('/lamb/v1/assistants/:id/scenarios', async (req, res) => {
      const { id } = await find.toEdit(idIn(req.params), callerOf(res), 'read scenarios');
      const all = await scenarios.list(id);
      const wanted = req.accepts(['json', ...YAML]);
      if (wanted === false || wanted === 'json') {
        res.json({ data: all.map(showScenario), next_cursor: null } satisfies wire.Scenarios);
        return;
      }
      res.type('application/yaml; charset=utf-8').send(await writeYaml(all));
    })
    .post('/lamb/v1/assistants/:id/scenarios', async (req, res) => {
      const caller = callerOf(res);
      const assistant = await find.toEdit(idIn(req.params), caller, 'change scenarios');
      const isList = Array.isArray(req.body);
      const made = await desk.add(isList ? (req.body as unknown[]) : [req.body], {
        ...{ assistant, caller, isList, same: sameIn(req) },
      });
      const [first] = made;
      if (isList || !first) res.status(201).json(showAll(made));
      else res.status(201).json(showScenario(first));
    })
    .get('/lamb/v1/scenarios/:id', async (req, res) => {
      const { scenario } = await desk.find(req, callerOf(res), 'read scenarios');
      res.json(showScenario(scenario));
    })
    .put('/lamb/v1/scenarios/:id', async (req, res) => {
      const caller = callerOf(res);
      const { scenario, assistant } = await desk.find(req, caller, 'change scenarios');
      const content = parseWith(ScenarioContent, req.body);
      const [admitted] = await deps.scenarioIntake.admit([content], assistant, () => '');
      const changed = admitted && (await scenarios.replace(scenario.id, admitted));
      if (!changed) throw notFound('The scenario');
      await desk.note(caller, assistant);
      res.json(showScenario(changed));
    })
    .delete('/lamb/v1/scenarios/:id', async (req, res) => {
      const caller = callerOf(res);
      const { scenario, assistant } = await desk.find(req, caller, 'change scenarios');
      if (!(await scenarios.delete(scenario.id))) throw notFound('The scenario');
      await desk.note(caller, assistant);
      res.status(204).end();
    });
}

/** The same list in YAML. It is read before JSON is insisted on. */
export function scenarioUploads(deps: ScenarioRoutesDeps): Router {
  const find = createAssistantLookup(deps);
  const desk = createScenarioDesk(deps);
  const onlyYaml: RequestHandler = (req, _res, next) => {
    next(req.is(YAML) ? undefined : 'route');
  };

  return Router().post(
    '/lamb/v1/assistants/:id/scenarios',
    onlyYaml,
    express.text({ type: YAML, limit: LONGEST_YAML }),
    async (req: Request, res) => {
      const caller = callerOf(res);
      const assistant = await find.toEdit(idIn(req.params), caller, 'change scenarios');
      const given = await readYaml(typeof req.body === 'string' ? req.body : '');
      if (!Array.isArray(given)) throw badRequest('The YAML must be a list of scenarios at its top level.');
      const made = await desk.add(given, { assistant, caller, isList: true, same: sameIn(req) });
      res.status(201).json(showAll(made));
    },
  );
}

interface Adding {
  readonly assistant: Assistant;
  readonly caller: Caller;
  /** Whether faults are told with the place in a list. */
  readonly isList: boolean;
  /** What comes of those that the assistant has already. */
  readonly same: 'add' | 'skip';
}

const sameIn = ({ query }: Request) => parseWith(AddingQuery, query, 'The query').same;

export function createScenarioDesk(deps: ScenarioRoutesDeps) {
  const { scenarios, audit, scenarioIntake } = deps;
  const lookup = createAssistantLookup(deps);
  const note = (caller: Caller, { id }: Assistant) =>
    audit.record(deedOf(caller, { action: 'change scenarios', resource: `assistant ${String(id)}` }));

  return {
    note,
    async add(
      given: readonly unknown[],
      { assistant, caller, isList, same }: Adding,
    ): Promise<readonly Scenario[]> {
      const contents = isList ? parseWith(ScenarioList, given) : [parseWith(ScenarioContent, given[0])];
      const placeOf = (at: number) => (isList ? `${String(at)}.` : '');
      const admitted = await scenarioIntake.admit(contents, assistant, placeOf);
      const wanted = same === 'add' ? admitted : newAmong(admitted, await scenarios.list(assistant.id));
      if (wanted.length === 0) return [];
      const made = await scenarios.add(assistant.id, wanted, SCENARIO_LIMITS.ofAssistant);
      if (made === 'too many')
        throw conflict(`An assistant can have ${String(SCENARIO_LIMITS.ofAssistant)} scenarios at most.`);
      await note(caller, assistant);
      return made;
    },
    /** Whose it is, is told to those alone who know of its assistant. */
    async find(req: Request<{ id: string }>, caller: Caller, action: string) {
      const scenario = await scenarios.get(idIn(req.params));
      if (!scenario) throw notFound('The scenario');
      const assistant = await lookup.toEdit(scenario.assistantId, caller, action).catch((fault: unknown) => {
        throw isNotFound(fault) ? notFound('The scenario') : fault;
      });
      return { scenario, assistant };
    },
  };
}

/** Each once. */
function newAmong(
  given: readonly HashedScenario[],
  there: readonly Pick<Scenario, 'hash'>[],
): readonly HashedScenario[] {
  const known = new Set(there.map(({ hash }) => hash));
  return given.filter(({ hash }) => !known.has(hash) && known.add(hash));
}

const isNotFound = (fault: unknown) => (fault as { readonly status?: number }).status === 404;

export const showAll = (scenarios: readonly Scenario[]): wire.Scenarios => ({
  data: scenarios.map(showScenario),
  next_cursor: null,
});

function showScenario({
  id,
  assistantId,
  name,
  messages,
  expect,
  required,
  ...times
}: Scenario): wire.Scenario {
  return {
    ...{ id, assistant_id: assistantId, name, messages, expect, required },
    ...{ created_at: times.createdAt, updated_at: times.updatedAt },
  };
}
