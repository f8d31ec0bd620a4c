import { Router } from 'express';
import { z } from 'zod';
import { type Dashboard, readDashboard } from '../../../activities/dashboard.js';
import type { RosterOf } from '../../../activities/roster.js';
import { readingOf, speakerIn } from '../../../activities/transcripts.js';
import { isRetrieving } from '../../../assistants/retrieving.js';
import { deedOf } from '../../../core/access/audit.js';
import type { LaunchedCaller } from '../../../core/access/caller.js';
import type { Hiding, Redactor } from '../../../core/base/redactor.js';
import { notFound } from '../../../core/errors.js';
import type { Transcript } from '../../../core/lti/activity-insight.js';
import type { Activity } from '../../../core/lti/activity.js';
import { type ChatContent, type Content, textOf } from '../../../core/message.js';
import type { SecretBox } from '../../../core/organizations/secret-box.js';
import type { Plugins } from '../../../core/plugins.js';
import type { AnswerDetails } from '../../../core/runs/conversation.js';
import type { AssistantStore, StoredMessage, Stores } from '../../../core/stores.js';
import { type PricesFor, pricingOf } from '../../../organizations/pricing.js';
import { sumOf, type UsageSum } from '../../../organizations/usage-report.js';
import type * as wire from '../../contract/activities.js';
import { parseWith } from '../../middleware/json-body.js';
import { daysOf, pageOf, PageQuery, reportedPeriod } from '../../middleware/query.js';
import { launchedInstructorOf } from '../../middleware/request-facts.js';
import { createActivityLookup } from './activity-lookup.js';

export const Place = z.object({ id: z.coerce.number().int().positive() });
/** Whole days: a part of one would be a group of its own. */
export const DashboardQuery = z.object({ days: z.coerce.number().int().min(1).max(366).default(30) });
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
      const pricing = await pricingOf(slices, reader, deps.pricesFor);
      const cost = seen.used && { ...sumOf(slices, pricing), currency: pricing.currency };
      res.json(showDashboard(seen, { activity, of, cost, days: asked.days, plugins: deps.plugins }));
    })
    .get('/lamb/v1/lti/activities/:id/transcripts', async (req, res) => {
      const activity = await theirs(launchedInstructorOf(res), req.params, 'list transcripts');
      const page = parseWith(PageQuery, req.query, 'The query');
      const { readable, reason } = await readingOf(activity, insight);
      const found =
        reason === null ? await insight.transcripts(readable, page) : { data: [], nextCursor: null };
      const answer: wire.TranscriptPage = {
        ...pageOf(found, (each) => showTranscript(each, activity, box)),
        ...{ shown: reason === null, reason },
      };
      res.json(answer);
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
      const answer: wire.Transcript = {
        ...showTranscript(transcript, activity, box),
        messages: messages.map((message) =>
          showTranscriptMessage(message, redactor.of(activity.organizationId)),
        ),
      };
      res.json(answer);
    });
}

/** What instructors see, as the API shows it. Ids of people are nowhere in it. */

const LONGEST_QUESTION = 300;

async function retrievingIn(
  { assistants: placed }: Activity,
  { assistants, plugins }: { readonly assistants: AssistantStore; readonly plugins: Plugins },
): Promise<readonly number[]> {
  const held = await Promise.all(placed.map(({ assistantId }) => assistants.get(assistantId)));
  return held.flatMap((assistant) => (assistant && isRetrieving(assistant, plugins) ? [assistant.id] : []));
}

interface DashboardFacts {
  readonly activity: Activity;
  /** How many learners the course has. */
  readonly of: number | null;
  readonly cost: (UsageSum & { readonly currency: string }) | null;
  readonly days: readonly string[];
  readonly plugins: Plugins;
}

function showDashboard(
  seen: Dashboard,
  { activity, of, cost, days, plugins }: DashboardFacts,
): wire.Dashboard {
  return {
    period: { from: days.at(0) ?? '', to: days.at(-1) ?? '' },
    participants: { students: seen.students, of, suppressed: seen.isSuppressed },
    questions: { total: seen.questions, per_day: seen.perDay },
    tools: seen.tools.map((use) => ({ ...use, title: plugins.tools.get(use.tool)?.title ?? use.tool })),
    attention: {
      unanswered: seen.unanswered,
      sourceless: seen.sourceless,
      examples: seen.examples.map(({ conversationId, question, why, at }) => ({
        ...{ conversation_id: conversationId, question: shortened(question), why, at },
      })),
    },
    cost: {
      amount: cost?.cost ?? null,
      currency: cost?.currency ?? null,
      prompt_tokens: cost?.promptTokens ?? null,
      completion_tokens: cost?.completionTokens ?? null,
    },
    transcript_policy: activity.transcriptPolicy,
    small_group: seen.isSmallGroup,
  };
}

function showTranscript(transcript: Transcript, activity: Activity, box: SecretBox): wire.TranscriptRow {
  return {
    id: transcript.id,
    title: transcript.title,
    who: speakerIn(transcript, activity, box),
    assistant_id: transcript.assistantId,
    messages: transcript.messages,
    started_at: transcript.startedAt,
    updated_at: transcript.updatedAt,
  };
}

/** Without its run, which leads to whoever asked. */
function showTranscriptMessage(
  { role, content, incomplete, details, createdAt }: StoredMessage,
  redactor: Hiding,
): wire.TranscriptMessage {
  const sources = redactor.redactIn(details?.sources ?? []) as AnswerDetails['sources'];
  return {
    ...{ role, content: withoutPictures(content), incomplete, created_at: createdAt },
    ...(sources.length > 0 ? { sources } : {}),
  };
}

/** A link to a picture of ours names its owner to whoever takes it apart, the same one in every course. */
const OWN_PICTURE = /!\[([^\]]*)\]\([^)\s]*\/pictures\/[^)\s]*\)/g;
const BARE_LINK = /\S*\/pictures\/[\w.-]{20,}/g;

/** So may the name of a file. */
export function withoutPictures(content: ChatContent): Content {
  const cleaned = (text: string) => text.replace(OWN_PICTURE, '[$1]').replace(BARE_LINK, '[…]');
  if (typeof content === 'string') return cleaned(content);
  return content.map((part) => {
    if (part.type === 'file') return { type: 'text', text: `[${part.file.media_type}]` };
    return part.type === 'text' ? { ...part, text: cleaned(part.text) } : { ...part };
  });
}

function shortened(question: ChatContent): string {
  const text = textOf(withoutPictures(question)).replace(/\s+/g, ' ').trim();
  return text.length <= LONGEST_QUESTION ? text : `${text.slice(0, LONGEST_QUESTION - 1)}…`;
}
