import type { Caller } from '../../../src/core/access/caller.js';
import { activityOf } from '../../../src/core/access/launched.js';
import type { Assistant } from '../../../src/core/assistants/assistant.js';
import { mustNotBeInExam } from '../../../src/core/lti/exam-window.js';
import type { RunDeps } from '../prepare.js';
import { thinkUpQuestions } from './think-up-questions.js';

const MOST = 3;
const LONGEST = 200;
/** Whoever reads the answer has gone on by then. */
const WITHIN_MS = 20_000;
const LONGEST_QUESTION = 2_000;
const LONGEST_ANSWER = 6_000;

const TASK = `You write questions that a learner could ask next. The material is what they asked an assistant and what it \
answered. Write ${String(MOST)} that lead on from the answer and that it does not answer already.`;

export type FollowUps = (request: {
  readonly caller: Caller;
  readonly assistant: Assistant;
  /** Of the answer. */
  readonly runId: string;
  readonly question: string;
  readonly answer: string;
  readonly signal: AbortSignal;
}) => Promise<readonly string[]>;

/** What somebody could ask after an answer; nothing where the model thought of nothing. */
export function createFollowUps(deps: RunDeps): FollowUps {
  return async ({ caller, assistant, runId, question, answer, signal }) => {
    mustNotBeInExam(await activityOf(caller, deps.stores), caller);
    const material = [question.slice(0, LONGEST_QUESTION), answer.slice(0, LONGEST_ANSWER)].join('\n\n');
    const wanted = { name: 'follow_ups', most: MOST, longest: LONGEST, withinMs: WITHIN_MS };
    const of = { assistant, runId };
    return await thinkUpQuestions({ caller, of, signal, material, task: TASK, ...wanted }, deps);
  };
}
