import { Router } from 'express';
import { z } from 'zod';
import { readDashboard } from '../../activity-dashboard.js';
import type { Activity } from '../../core/activity.js';
import { deedOf } from '../../core/audit.js';
import type { LaunchedCaller } from '../../core/caller.js';
import { notFound } from '../../core/errors.js';
import type { Plugins } from '../../core/plugins.js';
import type { Redactor } from '../../core/redactor.js';
import type { SecretBox } from '../../core/secret-box.js';
import type { Stores } from '../../core/stores.js';
import type { PricesFor } from '../../pricing.js';
import type { RosterOf } from '../../roster-size.js';
import { pricingOf } from '../../slice-prices.js';
import { readingOf } from '../../transcript-reading.js';
import { sumOf } from '../../usage-report.js';
import { createActivityLookup } from '../activity-lookup.js';
import { retrievingIn, showDashboard, showTranscript, showTranscriptMessage } from '../insight-body.js';
import { parseWith } from '../json-body.js';
import { PageQuery, pageOf } from '../paging.js';
import { daysOf, reportedPeriod } from '../period.js';
import { launchedInstructorOf } from '../request-facts.js';

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
