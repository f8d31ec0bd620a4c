import { setTimeout as pause } from 'node:timers/promises';
import { type Response, Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import type { Settings } from '../../core/runs/run-context.js';
import { notFound, rateLimited } from '../../core/errors.js';
import {
  CASSETTES,
  scenarioPassed,
  type SuiteRun,
  type SuiteRunFacts,
} from '../../core/scenarios/suite-run.js';
import type { Stores } from '../../core/stores.js';
import type { ContentHash } from '../../scenarios/hashes.js';
import { MOST_RUNS, planRun } from '../../scenarios/runs/plan.js';
import type { SuiteRuns } from '../../scenarios/suite-runs.js';
import { createAssistantLookup, idIn, type LookupDeps } from '../assistants/lookup.js';
import { STREAM_HEADERS } from '../chat/sse.js';
import type * as wire from '../contract/scenarios/suite-runs.js';
import { parseWith } from '../middleware/json-body.js';
import type { OpenRuns } from '../middleware/open-runs.js';
import { callerOf } from '../middleware/request-facts.js';
import { junitOf } from './junit.js';

export const MOST_REPEATS = 10;
const MOST_NAMED = 200;

const RowId = z.number().int().positive().max(2_147_483_647);
export const SuiteWish = z.strictObject({
  version: RowId.optional(),
  repeat: z.number().int().min(1).max(MOST_REPEATS).default(1),
  scenarios: z.array(RowId).min(1, 'must name at least one').max(MOST_NAMED).optional(),
  cassette: z.enum(CASSETTES).default('live'),
});

export type SuiteRoutesDeps = LookupDeps &
  Pick<Stores, 'scenarios' | 'suiteRuns'> & {
    readonly contentHash: ContentHash;
    readonly suites: Pick<SuiteRuns, 'nudge' | 'cancel'>;
    readonly settingsOf: (organizationId: number) => Promise<Pick<Settings, 'prices'>>;
    /** Minutes after midnight, in UTC; undefined where none are run at night. */
    readonly suiteNightlyAt: number | undefined;
    readonly openRuns: OpenRuns;
    readonly heartbeatMs: number;
  };

/** Tries an assistant with its scenarios, beside everything else the service does. */
export function suiteRunRoutes(deps: SuiteRoutesDeps): Router {
  const { suiteRuns, suites, audit, openRuns } = deps;
  const lookup = createAssistantLookup(deps);
  const find = async (id: string, caller: Caller, action: string) => {
    const run = await suiteRuns.get(id);
    if (!run) throw notFound('The suite run');
    const assistant = await lookup.toEdit(run.assistantId, caller, action).catch((fault: unknown) => {
      throw (fault as { readonly status?: number }).status === 404 ? notFound('The suite run') : fault;
    });
    return { run, assistant };
  };
  const currencyOf = async ({ organizationId }: Assistant) =>
    (await deps.settingsOf(organizationId)).prices.currency;
  const shown = async (run: SuiteRun, assistant: Assistant): Promise<wire.SuiteRun> => ({
    ...showRun(run, await currencyOf(assistant)),
    current: run.contentHash === deps.contentHash(assistant),
  });

  return Router()
    .post('/lamb/v1/assistants/:id/suite-runs', async (req, res) => {
      const caller = callerOf(res);
      const assistant = await lookup.toEdit(idIn(req.params), caller, 'run scenarios');
      const wish = parseWith(SuiteWish, req.body ?? {});
      const planned = await planRun(wish, { assistant, userId: caller.userId }, deps);
      const run = await suiteRuns.create({ ...planned, night: null }, MOST_RUNS);
      if (typeof run === 'string')
        throw rateLimited('Several suites of this assistant wait already. Wait until one has ended.', 10);
      const resource = `assistant ${String(assistant.id)}`;
      await audit.record(deedOf(caller, { action: 'run scenarios', resource, reason: `run ${run.id}` }));
      suites.nudge();
      res.status(202).json({ id: run.id } satisfies wire.BegunSuiteRun);
    })
    .get('/lamb/v1/assistants/:id/suite-runs', async (req, res) => {
      const assistant = await lookup.toEdit(idIn(req.params), callerOf(res), 'read scenarios');
      const all = await suiteRuns.list(assistant.id, MOST_RUNS.kept);
      const currency = await currencyOf(assistant);
      const data = all.map((run) => showFacts(run, currency));
      const nightly_at = deps.suiteNightlyAt === undefined ? null : inHours(deps.suiteNightlyAt);
      res.json({ data, next_cursor: null, nightly_at } satisfies wire.SuiteRuns);
    })
    .get('/lamb/v1/suite-runs/:id', async (req, res) => {
      const { run, assistant } = await find(req.params.id, callerOf(res), 'read scenarios');
      res.json(await shown(run, assistant));
    })
    .get('/lamb/v1/suite-runs/:id/junit', async (req, res) => {
      const { run } = await find(req.params.id, callerOf(res), 'read scenarios');
      res.type('application/xml; charset=utf-8').send(junitOf(run));
    })
    .get('/lamb/v1/suite-runs/:id/events', async (req, res) => {
      const { run } = await find(req.params.id, callerOf(res), 'read scenarios');
      const { signal, over } = openRuns.begin(res);
      try {
        await tell(run, res, { ...deps, signal });
      } finally {
        over();
      }
    })
    .post('/lamb/v1/suite-runs/:id/cancel', async (req, res) => {
      const { run, assistant } = await find(req.params.id, callerOf(res), 'cancel scenarios');
      const stopped = await suites.cancel(run.id);
      if (!stopped) throw notFound('The suite run');
      res.json(await shown(stopped, assistant));
    });
}

/** So often it is looked how far it has come; whoever runs it may be another process. */
const LOOK_MS = 300;

/** Tells what changes, to the end. */
async function tell(
  begun: SuiteRun,
  res: Response,
  { suiteRuns, heartbeatMs, signal }: SuiteRoutesDeps & { readonly signal: AbortSignal },
): Promise<void> {
  res.writeHead(200, STREAM_HEADERS);
  res.flushHeaders();
  const heart = setInterval(() => res.write(': \n\n'), heartbeatMs);
  let told = '';
  try {
    for (let run: SuiteRun | undefined = begun; run; run = await suiteRuns.get(begun.id)) {
      const frame = JSON.stringify(showEvent(run));
      if (frame !== told) res.write(`data: ${frame}\n\n`);
      told = frame;
      if (run.endedAt !== null || signal.aborted) break;
      await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    clearInterval(heart);
    res.end();
  }
}

const showEvent = ({ id, status, passed, done, of }: SuiteRunFacts): wire.SuiteRunEvent => ({
  ...{ id, status, passed, progress: { done, of } },
});

/** `03:00`. */
const inHours = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

function showFacts(run: SuiteRunFacts, currency: string): wire.SuiteRunFacts {
  const { assistantId, version, cassette, repeat, error, cost, tokens } = run;
  return {
    ...showEvent(run),
    ...{ assistant_id: assistantId, version, cassette, repeat, error, cost, currency, tokens },
    nightly: run.night !== null,
    ...{ created_at: run.createdAt, ended_at: run.endedAt },
  };
}

function showRun(run: SuiteRun, currency: string): Omit<wire.SuiteRun, 'current'> {
  return {
    ...showFacts(run, currency),
    scenarios: run.scenarios.map(({ id, name, required }) => ({
      ...{ id, name, required, passed: scenarioPassed(id, run) },
      runs: run.results.find((result) => result.id === id)?.runs ?? [],
    })),
  };
}
