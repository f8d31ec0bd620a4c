import { Router } from 'express';
import { z } from 'zod';
import { createUsableAssistants } from '../../../activities/usable-assistants.js';
import type { AccessPolicy, Person } from '../../../core/access/access.js';
import type { LaunchedCaller } from '../../../core/access/caller.js';
import { activityOf } from '../../../core/access/launched.js';
import type { Assistant } from '../../../core/assistants/assistant.js';
import { seenBy } from '../../../core/assistants/served.js';
import { unauthenticated } from '../../../core/errors.js';
import { evaluates, whyNoGrades } from '../../../core/grading/evaluation.js';
import type { Activity } from '../../../core/lti/activity.js';
import type { LaunchFacts } from '../../../core/lti/launch.js';
import type { Stores, UserStore } from '../../../core/stores.js';
import type { PublishGate } from '../../../scenarios/gate.js';
import type { Verdicts } from '../../../scenarios/runs/verdicts.js';
import { showTests } from '../../assistants/body.js';
import type * as wire from '../../contract/activities.js';
import { parseWith } from '../../middleware/json-body.js';
import { PageQuery } from '../../middleware/query.js';
import { launchedCallerOf, launchedInstructorOf } from '../../middleware/request-facts.js';
import { showLinked } from './account.js';
import { createActivityShow } from './activity-body.js';
import { createFactsOfVisit, type VisitDeps } from './visit-facts.js';

export const ListQuery = PageQuery.extend({ q: z.string().min(1).max(200).optional() });

type Deps = VisitDeps &
  Pick<Stores, 'activities' | 'assistants' | 'ltiPeople' | 'participants' | 'platforms' | 'users'> & {
    readonly policy: AccessPolicy;
    readonly gate: PublishGate;
    readonly verdicts: Pick<Verdicts, 'of'>;
  };

/** What the pages of a visit ask first: who is here, where, and what they may do. */
export function ltiSession(deps: Deps): Router {
  const { assistants, launches, ltiPeople, participants, platforms, users, policy } = deps;
  const usable = createUsableAssistants(deps);
  const show = createActivityShow({ assistants, usable, gate: deps.gate });
  const factsOf = createFactsOfVisit(deps);

  const platformOf = async ({ launch }: LaunchedCaller) => {
    const platform = await platforms.get(launch.platformId);
    if (!platform) throw unauthenticated('This visit is over. Open the activity in your course again.');
    return { name: platform.name };
  };
  const accountOf = async ({ userId, launch }: LaunchedCaller): Promise<wire.LinkedAccount | null> => {
    const linkedId = (await ltiPeople.byUser(userId))?.linkedUserId ?? undefined;
    const linked =
      launch.role === 'instructor' && linkedId !== undefined ? await users.byId(linkedId) : undefined;
    return linked ? showLinked(linked) : null;
  };
  const consentOf = async (
    { userId, launch }: LaunchedCaller,
    activity: Activity | undefined,
  ): Promise<wire.Consent> => {
    const givenAt = activity && (await participants.consentOf(activity.id, userId));
    const isAsked = activity?.transcriptPolicy === 'named' && launch.role === 'learner';
    return { needed: isAsked && givenAt === undefined, given_at: givenAt ?? null };
  };
  const suggestedTo = async (caller: LaunchedCaller, activity: Activity | undefined, facts: LaunchFacts) => {
    if (caller.launch.role !== 'instructor' || activity?.configuredAt) return [];
    const accounts = await usable.accountsOf(caller);
    const named = await Promise.all(assistantsNamedIn(facts).map((id) => assistants.get(id)));
    const found = named.filter((assistant) => assistant !== undefined);
    const mayUse = await Promise.all(found.map((assistant) => usable.whoMayUse(assistant, accounts)));
    return found.filter((_, at) => mayUse[at]).map(({ id }) => id);
  };
  /** The account that sees most: one that is linked sees all that everybody of the organisation sees. */
  const visibleTo = (accounts: readonly [Person, ...Person[]]) =>
    policy.visibleTo(accounts.at(-1) ?? accounts[0]);

  return Router()
    .get('/lamb/v1/lti/session', async (_req, res) => {
      const caller = launchedCallerOf(res);
      const facts = await factsOf(caller);
      const activity = await activityOf(caller, deps);
      const isTeacher = caller.launch.role === 'instructor';
      const session: wire.LtiSession = {
        ...showVisit(facts),
        role: caller.launch.role,
        platform: await platformOf(caller),
        account: await accountOf(caller),
        activity: activity ? await (isTeacher ? show.toTeacher(activity) : show.toLearner(activity)) : null,
        consent: await consentOf(caller, activity),
        suggested_assistant_ids: await suggestedTo(caller, activity, facts),
        grading: showGrading(facts, activity),
      };
      res.json(session);
    })
    .get('/lamb/v1/lti/session/assistants', async (req, res) => {
      const accounts = await usable.accountsOf(launchedInstructorOf(res));
      const { q, ...page } = parseWith(ListQuery, req.query, 'The query');
      const found = await assistants.list(visibleTo(accounts), { q, enabled: true }, page);
      const mayUse = await Promise.all(found.data.map((each) => usable.whoMayUse(each, accounts)));
      const data = found.data.filter((_, at) => mayUse[at]);
      const [person] = accounts;
      const seen = await Promise.all(data.map((each) => seenBy(accounts.at(-1) ?? person, each, deps)));
      const verdictOf = await deps.verdicts.of(data);
      const shown = await Promise.all(
        data.map(async (newest, at) => {
          const mayEdit = accounts.some((account) => policy.mayEdit(account, newest).allowed);
          return {
            ...(await showUsable(seen[at] ?? newest, users)),
            tests: showTests(verdictOf(newest), mayEdit),
          };
        }),
      );
      res.json({ data: shown, next_cursor: found.nextCursor });
    })
    .post('/lamb/v1/lti/session/end', async (_req, res) => {
      await launches.end(launchedCallerOf(res).launch.sessionId);
      res.status(204).end();
    });
}

/** Enough to choose by. */
async function showUsable(
  assistant: Assistant,
  users: UserStore,
): Promise<Omit<wire.UsableAssistant, 'tests'>> {
  const { id, name, description, ownerId, version } = assistant;
  const owner = (await users.byId(ownerId))?.name ?? '';
  return { id, name, description, owner_name: owner, version, evaluates: evaluates(assistant) };
}

/** A visit as its pages see it. */

/** What the pages speak. */
const LOCALES = ['en', 'es', 'ca', 'eu'] as const;

/** As platforms write it: `es`, `es-MX`, `ca_valencia`. */
function localeOf(launched: string | undefined): (typeof LOCALES)[number] | null {
  const language = launched?.toLowerCase().split(/[-_]/)[0];
  return LOCALES.find((locale) => locale === language) ?? null;
}

const MOST_SUGGESTED = 20;

/** The assistants that whoever made the link in the platform named beside it: `42`, or `1,2`. */
function assistantsNamedIn({ custom }: Pick<LaunchFacts, 'custom'>): readonly number[] {
  const words = [custom.assistant_id, custom.assistant_ids].flatMap((text) => text?.split(',') ?? []);
  const ids = words.map((word) => word.trim()).filter((word) => /^[1-9]\d{0,9}$/.test(word));
  return [...new Set(ids.map(Number))].slice(0, MOST_SUGGESTED);
}

function showVisit(facts: LaunchFacts) {
  const { course } = facts;
  return {
    kind: facts.kind,
    name: facts.name,
    locale: localeOf(facts.locale),
    course: course ? { id: course.id, title: course.title } : null,
    return_url: facts.returnUrl ?? null,
    opened_in: facts.openedIn ?? null,
  };
}

/** By what is known now: a grade column that was made later is not in the launch. */
function showGrading(facts: LaunchFacts, activity: Activity | undefined) {
  const reason = whyNoGrades(activity?.services ?? facts.services) ?? null;
  return { available: reason === null, reason };
}
