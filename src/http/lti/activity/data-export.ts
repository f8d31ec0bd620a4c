import { Router } from 'express';
import { createErasure } from '../../../activities/erasure.js';
import { deedOf } from '../../../core/access/audit.js';
import type { LaunchedCaller } from '../../../core/access/caller.js';
import { activityOf, speakerOf } from '../../../core/access/launched.js';
import type { Hiding, Redactor } from '../../../core/base/redactor.js';
import { notFound } from '../../../core/errors.js';
import type { Activity } from '../../../core/lti/activity.js';
import type { SecretBox } from '../../../core/organizations/secret-box.js';
import type { ListedConversation, StoredMessage, Stores } from '../../../core/stores.js';
import { launchedCallerOf } from '../../middleware/request-facts.js';
import { showMessage } from '../../resources/conversations.js';
import { nameOfActivity } from './activity-lookup.js';
import { showSubmission } from './submission-body.js';
import { createFactsOfVisit, type VisitDeps } from './visit-facts.js';

type Deps = Pick<Stores, 'audit' | 'files' | 'erasure'>;

/** Everybody's own data in the activity they came to, to be had erased. */
export function ltiSessionData(deps: Deps): Router {
  const { erase } = createErasure(deps);

  return Router().delete('/lamb/v1/lti/session/data', async (_req, res) => {
    const { userId, organizationId, launch } = launchedCallerOf(res);
    if (launch.activityId === undefined) throw notFound('The activity');
    await erase(launch.activityId, userId);
    const resource = nameOfActivity({ id: launch.activityId });
    // That it was done stays on record; by whom is part of what is gone.
    await deps.audit.record({
      ...{ userId: null, organizationId, action: 'erase own data', resource },
      ...{ outcome: 'done', reason: '', runId: null },
    });
    res.status(204).end();
  });
}

type ExportDeps = VisitDeps &
  Pick<Stores, 'activities' | 'assistants' | 'audit' | 'conversations' | 'participants' | 'submissions'> & {
    readonly redactor: Redactor;
  };

/** Everybody may have what is kept about them where they are. */
export function ltiSessionExport(deps: ExportDeps): Router {
  const factsOf = createFactsOfVisit(deps);
  const ownData = createOwnData(deps);

  return Router().get('/lamb/v1/lti/session/export', async (_req, res) => {
    const caller = launchedCallerOf(res);
    const activity = await activityOf(caller, deps);
    if (!activity) throw notFound('The activity');
    const { name } = await factsOf(caller);
    const data = await ownData({ caller, activity });
    await deps.audit.record(
      deedOf(caller, { action: 'export own data', resource: nameOfActivity(activity) }),
    );
    res
      .attachment('activity-data.json')
      .set('Cache-Control', 'private, no-store')
      .json({
        exported_at: new Date().toISOString(),
        name,
        activity: {
          ...{ title: activity.title, course_title: activity.course.title },
          ...{ platform_name: activity.platformName, transcript_policy: activity.transcriptPolicy },
          retention_days: activity.retentionDays,
        },
        ...data,
      });
  });
}

/** Whose data, and where. */
export interface Whose {
  readonly caller: LaunchedCaller;
  readonly activity: Activity;
}

/** One kind of what is kept about somebody in an activity, under a name of its own. */
export type OwnDataPart = (whose: Whose) => Promise<Readonly<Record<string, unknown>>>;

type OwnDataDeps = Pick<Stores, 'assistants' | 'conversations' | 'participants' | 'submissions'> & {
  readonly box: SecretBox;
  readonly redactor: Redactor;
};

const PAGE = 200;

/** All that is kept about somebody in one activity, for themselves. Whatever else comes to be kept is a part more. */
function createOwnData(deps: OwnDataDeps): OwnDataPart {
  const parts = [participationIn(deps), conversationsIn(deps), submissionsIn(deps)];
  return async (whose) => {
    const all = await Promise.all(parts.map((part) => part(whose)));
    return Object.fromEntries(all.flatMap((part) => Object.entries(part)));
  };
}

function participationIn({ participants }: Pick<OwnDataDeps, 'participants'>): OwnDataPart {
  return async ({ caller: { userId }, activity }) => {
    const taking = await participants.get(activity.id, userId);
    const consentedAt = await participants.consentOf(activity.id, userId);
    return {
      participation: taking && {
        number: taking.number,
        first_seen_at: taking.firstSeenAt,
        last_seen_at: taking.lastSeenAt,
      },
      consent: { given_at: consentedAt ?? null },
    };
  };
}

/** As they see them: what was proposed is not theirs. */
function submissionsIn({ box, submissions }: Pick<OwnDataDeps, 'box' | 'submissions'>): OwnDataPart {
  return async ({ caller: { userId }, activity }) => {
    const found = await submissions.ofPerson(activity.id, userId);
    return { submissions: found.map((each) => showHandedIn(showSubmission(each, { role: 'learner', box }))) };
  };
}

function showHandedIn(submission: ReturnType<typeof showSubmission>) {
  const { text, status, grade, created_at, updated_at } = submission;
  return { text, status, grade, created_at, updated_at };
}

function conversationsIn({ assistants, conversations, redactor }: OwnDataDeps): OwnDataPart {
  const pagesOf = async (whose: Whose, cursor?: string): Promise<readonly ListedConversation[]> => {
    const speaker = speakerOf(whose.caller);
    const { data, nextCursor } = await conversations.list(speaker, {}, { limit: PAGE, cursor });
    return nextCursor === null ? data : [...data, ...(await pagesOf(whose, nextCursor))];
  };

  return async (whose) => {
    const found = await pagesOf(whose);
    const names = await assistants.named(found.map(({ assistantId }) => assistantId));
    const shown = [];
    // One after the other: there may be many, and others read as well.
    for (const { id, assistantId, title, folder, createdAt, updatedAt } of found) {
      const messages = await conversations.messages(speakerOf(whose.caller), id);
      shown.push({
        ...{ id, title, assistant_name: names.get(assistantId)?.name ?? null },
        ...{ created_at: createdAt, updated_at: updatedAt },
        ...(folder === null ? {} : { folder }),
        messages: messages.map((message) => showSaid(message, redactor.of(whose.activity.organizationId))),
      });
    }
    return { conversations: shown };
  };
}

/** As they read it themselves, without what only we look things up by. */
function showSaid(message: StoredMessage, redactor: Hiding) {
  const { role, content, incomplete, created_at, ...more } = showMessage(message, redactor);
  return { role, content, incomplete, created_at, ...('sources' in more ? { sources: more.sources } : {}) };
}
