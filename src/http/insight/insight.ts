import { Router } from 'express';
import { z } from 'zod';
import { overseesOrganization } from '../../access/administrators.js';
import { seenQuestions, type SeenQuestions } from '../../activities/asked-questions.js';
import { FEWEST_STUDENTS } from '../../activities/k-anonymity.js';
import type { WordAnalysis } from '../../assistants/similar-questions.js';
import { isRetrieving } from '../../assistants/retrieving.js';
import type { Caller } from '../../core/access/caller.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import type { AskedQuestion, RatedAnswer } from '../../core/assistants/insight.js';
import type { Activity } from '../../core/lti/activity.js';
import { textOf } from '../../core/message.js';
import type { Plugins } from '../../core/plugins.js';
import type { RunRecord } from '../../core/runs/record.js';
import type { Stores } from '../../core/stores.js';
import { createAssistantLookup, idIn, type LookupDeps } from '../assistants/lookup.js';
import type * as wire from '../contract/people/insight.js';
import { createActivityLookup } from '../lti/activity/activity-lookup.js';
import { withoutPictures } from '../lti/activity/insight.js';
import { parseWith } from '../middleware/json-body.js';
import { daysOf, type Period, reportedPeriod } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';
import { frequentIn, questionOf } from './frequent-questions.js';

/** Whole days: a part of one would be a group of its own. */
export const InsightQuery = z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() });

/** The newest ones: what is compared is bounded, however much was asked. */
const MOST_QUESTIONS = 1_000;
const MOST_RATED = 500;
const MOST_ANSWERS = 100;
const MOST_EXAMPLES = 20;
const LONGEST_ANSWER = 5_000;

type Deps = LookupDeps &
  Pick<Stores, 'activities' | 'activityInsight' | 'assistantInsight' | 'ltiPeople'> & {
    readonly plugins: Plugins;
    readonly analyser: WordAnalysis;
  };

/** Whoever looks, at which assistant. */
interface Reader {
  readonly caller: Caller;
  readonly assistant: Assistant;
  readonly seen: SeenQuestions;
}

/** What those who look after an assistant can learn from how it is used, without a name. */
export function insightRoutes(deps: Deps): Router {
  const { assistantInsight: insight, analyser, plugins } = deps;
  const find = createAssistantLookup(deps);
  const seenBy = createSight(deps);

  return Router().get('/lamb/v1/assistants/:id/insight', async (req, res) => {
    const caller = callerOf(res);
    const assistant = await find.toEdit(idIn(req.params), caller, 'read insight');
    const period = reportedPeriod(parseWith(InsightQuery, req.query, 'The query'), new Date());
    const asked = await insight.questions(assistant.id, period, MOST_QUESTIONS);
    const bounds = { fewestStudents: FEWEST_STUDENTS, most: MOST_RATED };
    const rated = await insight.rated(assistant.id, period, bounds);
    const quotable = [...asked, ...rated.flatMap((each) => each.asked ?? [])];
    const seen = await seenBy(asked, { caller, assistant, period, quotable });
    const reader = { caller, assistant, seen };
    const days = daysOf(period);
    const answer: wire.Insight = {
      period: { from: days.at(0) ?? '', to: days.at(-1) ?? '' },
      questions: seen.counted.length,
      suppressed: seen.isSuppressed,
      feedback: {
        up: rated.filter(({ rating }) => rating === 'up').length,
        down: rated.filter(({ rating }) => rating === 'down').length,
        answers: rated.slice(0, MOST_ANSWERS).map((each) => showRated(each, reader)),
      },
      frequent: frequentIn(seen, analyser),
      sourceless: isRetrieving(assistant, plugins) ? showSourceless(reader) : null,
    };
    res.json(answer);
  });
}

/** Judged by the activities that the questions are of. */
function createSight(deps: Deps) {
  const { placersOf } = createActivityLookup(deps);
  const isTheirs = async (caller: Caller, { id, organizationId }: Assistant) => {
    if (overseesOrganization(caller, organizationId)) return () => true;
    const own = new Set(await placersOf(caller));
    return ({ assistants }: Activity) =>
      assistants.some(({ assistantId, addedBy }) => assistantId === id && own.has(addedBy));
  };

  return async (
    asked: readonly AskedQuestion[],
    of: Pick<Reader, 'caller' | 'assistant'> & {
      readonly period: Period;
      readonly quotable: readonly AskedQuestion[];
    },
  ): Promise<SeenQuestions> => {
    const ids = new Set(of.quotable.flatMap(({ activityId }) => activityId ?? []));
    const found = await Promise.all([...ids].map((id) => deps.activities.get(id)));
    const activities = new Map(found.flatMap((each) => (each ? [[each.id, each] as const] : [])));
    const ownActivities = [...activities.values()].filter(await isTheirs(of.caller, of.assistant));
    return seenQuestions(
      asked,
      {
        ...{ userId: of.caller.userId, days: daysOf(of.period), ownActivities },
        activityOf: (id) => activities.get(id),
      },
      deps.activityInsight,
    );
  };
}

/** As the list of runs has it: one's own, those of one's assistants, and those of an organisation one looks after. */
export function maySeeRun(
  caller: Caller,
  { ownerId }: Pick<Assistant, 'ownerId'>,
  { userId, organizationId }: Pick<RunRecord, 'userId' | 'organizationId'>,
): boolean {
  return (
    userId === caller.userId || ownerId === caller.userId || overseesOrganization(caller, organizationId)
  );
}

/** The words of somebody else never stand beside their run: it may lead to whoever asked. */
function quote(asked: AskedQuestion, { caller, assistant, seen }: Reader) {
  const isOwn = asked.userId === caller.userId;
  const isShown = seen.isQuotable(asked);
  const run = { userId: asked.userId, organizationId: assistant.organizationId };
  const mayLink = (isOwn || !isShown) && maySeeRun(caller, assistant, run);
  return {
    question: isShown ? questionOf(asked) : null,
    answer: isShown && asked.answer ? answerOf(asked.answer.text) : null,
    run_id: mayLink ? asked.runId : null,
  };
}

function showRated({ runId, rating, comment, at, asked }: RatedAnswer, reader: Reader): wire.RatedAnswer {
  const { caller, assistant } = reader;
  const isSeen =
    assistant.ownerId === caller.userId || overseesOrganization(caller, assistant.organizationId);
  const quoted = asked
    ? quote(asked, reader)
    : { question: null, answer: null, run_id: isSeen ? runId : null };
  return { ...quoted, rating, comment, at };
}

function showSourceless(reader: Reader): wire.Insight['sourceless'] {
  const { counted, isQuotable } = reader.seen;
  const answered = counted.filter(({ answer }) => answer && !answer.isIncomplete && answer.text !== '');
  const sourceless = answered.filter(({ answer }) => !answer?.sources.some(({ cited }) => cited));
  return {
    ...{ answers: sourceless.length, of: answered.length },
    examples: sourceless
      .filter(isQuotable)
      .slice(0, MOST_EXAMPLES)
      .map((asked) => ({ ...quote(asked, reader), at: asked.at })),
  };
}

function answerOf(text: string): string {
  const shown = textOf(withoutPictures(text)).trim();
  return shown.length <= LONGEST_ANSWER ? shown : `${shown.slice(0, LONGEST_ANSWER - 1)}…`;
}
