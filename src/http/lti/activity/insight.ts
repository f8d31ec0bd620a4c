import { Router } from 'express';
import { z } from 'zod';
import { readDashboard } from '../../../activities/dashboard.js';
import type { RosterOf } from '../../../activities/roster.js';
import { readingOf } from '../../../activities/transcripts.js';
import { deedOf } from '../../../core/access/audit.js';
import type { LaunchedCaller } from '../../../core/access/caller.js';
import type { Redactor } from '../../../core/base/redactor.js';
import { notFound } from '../../../core/errors.js';
import type { Activity } from '../../../core/lti/activity.js';
import type { SecretBox } from '../../../core/organizations/secret-box.js';
import type { Plugins } from '../../../core/plugins.js';
import type { Stores } from '../../../core/stores.js';
import type { PricesFor } from '../../../organizations/pricing.js';
import { pricingOf } from '../../../organizations/slice-prices.js';
import { sumOf } from '../../../organizations/usage-report.js';
import { parseWith } from '../../middleware/json-body.js';
import { daysOf, reportedPeriod } from '../../middleware/period.js';
import { PageQuery, pageOf } from '../../middleware/query.js';
import { launchedInstructorOf } from '../../middleware/request-facts.js';
import { createActivityLookup } from './activity-lookup.js';
import { retrievingIn, showDashboard, showTranscript, showTranscriptMessage } from './insight-body.js';

const Place = z.object({ id: z.coerce.number().int().positive() });
/** Whole days: a part of one would be a group of its own. */
const DashboardQuery = z.object({ days: z.coerce.number().int().min(1).max(366).default(30) });
const DAY_MS = 86_400_000;

interface Deps extends Pick<Stores, 'activities' | 'activityInsight' | 'assistants' | 'audit' | 'ltiPeople'> {
  readonly plugins: Plugins;
  readonly box: SecretBox;
  readonly redactor: Redactor;
  readonly pricesFor: PricesFor;
  readonly rosterOf: RosterOf;
}

/** What an instructor sees of what students do in their activity, as far as its transcript policy lets them. */
export function ltiInsight(deps: Deps): Router {
  const { activityInsight: insight, audit, box, redactor } = deps;

  const lookup = createActivityLookup(deps);

  /** The one they came to; any other is not there. */
  const theirs = (caller: LaunchedCaller, params: unknown, action: string): Promise<Activity> =>
    lookup.visited(parseWith(Place, params, 'The address').id, caller, action);

  return Router()
    .get('/lamb/v1/lti/activities/:id/dashboard', async (req, res) => {
      const caller = launchedInstructorOf(res);
      const activity = await theirs(caller, req.params, 'read dashboard');
      const { days } = parseWith(DashboardQuery, req.query, 'The query');
      const now = new Date();
      const from = new Date(now.getTime() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
      const period = reportedPeriod({ from }, now);
      const asked = { ...period, days: daysOf(period), retrieving: await retrievingIn(activity, deps) };
      const [seen, of] = await Promise.all([
        readDashboard(activity, asked, insight),
        deps.rosterOf(activity),
      ]);
      const slices = seen.used ?? [];
      const reader = { caller, organizationId: activity.organizationId };
      const { costOf, currency } = await pricingOf(slices, reader, deps.pricesFor);
      const cost = seen.used && { ...sumOf(slices, costOf), currency };
      res.json(showDashboard(seen, { activity, of, cost, days: asked.days, plugins: deps.plugins }));
    })
    .get('/lamb/v1/lti/activities/:id/transcripts', async (req, res) => {
      const activity = await theirs(launchedInstructorOf(res), req.params, 'list transcripts');
      const page = parseWith(PageQuery, req.query, 'The query');
      const { readable, reason } = await readingOf(activity, insight);
      const found =
        reason === null ? await insight.transcripts(readable, page) : { data: [], nextCursor: null };
      res.json({
        ...pageOf(found, (each) => showTranscript(each, activity, box)),
        ...{ shown: reason === null, reason },
      });
    })
    .get('/lamb/v1/lti/activities/:id/transcripts/:conversation', async (req, res) => {
      const caller = launchedInstructorOf(res);
      const activity = await theirs(caller, req.params, 'read transcript');
      const { readable } = await readingOf(activity, insight);
      const transcript = await insight.transcript(readable, req.params.conversation);
      if (!transcript) throw notFound('The conversation');
      const messages = await insight.messagesOf(transcript);
      const resource = `conversation ${transcript.id}`;
      await audit.record(deedOf(caller, { action: 'read transcript', resource }));
      res.json({
        ...showTranscript(transcript, activity, box),
        messages: messages.map((message) =>
          showTranscriptMessage(message, redactor.of(activity.organizationId)),
        ),
      });
    });
}
