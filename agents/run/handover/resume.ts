import { deedOf } from '../../../src/core/access/audit.js';
import type { Caller } from '../../../src/core/access/caller.js';
import type { Assistant } from '../../../src/core/assistants/assistant.js';
import { badRequest } from '../../../src/core/errors.js';
import type { QuestionAnswer } from '../../../src/core/runs/approval.js';
import type { ClientResult, SentTools } from '../../../src/core/runs/handover.js';
import type { AnsweredQuestion } from '../../gate/approvals.js';
import type { RunDeps } from '../prepare.js';
import { mayBringTools, refused } from './client-tools.js';
import type { Resumed } from './resumed-run.js';

/** Of one result; the model is given far less of it. More is a mistake, or an attack on our memory. */
const LONGEST_RESULT = 1_000_000;

const unknownCall = (message: string) => refused('unknown_tool_call', message, 'messages');

interface Resuming {
  readonly results: readonly ClientResult[];
  readonly tools: SentTools | undefined;
  readonly caller: Caller;
  readonly assistant: Assistant;
}

/** Goes on where a run stood, for the one it was handed to. Whatever does not fit is the same as never handed out. */
export async function resume(
  { results, tools, caller, assistant }: Resuming,
  { stores: { handovers }, limits }: RunDeps,
): Promise<Resumed> {
  mayBringTools(assistant);
  if (results.some(({ content }) => content.length > LONGEST_RESULT)) {
    const most = String(LONGEST_RESULT);
    throw badRequest(`What a tool brought may have ${most} characters at most.`, 'messages');
  }
  const whose = { userId: caller.userId, assistantId: assistant.id };
  const handover = await handovers.waiting(results.at(-1)?.callId ?? '', whose);
  // Nobody's program may say what a tool of ours brought.
  if (handover?.activityId !== caller.launch?.activityId || !handover || handover.state.questions) {
    throw unknownCall('A tool message answers a call that is not known here, or not any more. Ask again.');
  }
  const earlier = new Set(handover.state.answered);
  const ofRound = results.filter(({ callId }) => !earlier.has(callId));
  const answered = new Set(ofRound.map(({ callId }) => callId));
  const isComplete =
    ofRound.length === handover.calls.length && handover.calls.every(({ id }) => answered.has(id));
  if (!isComplete) throw unknownCall('All calls of a round are answered in one request, each once.');
  const sent = tools === 'none' ? [] : (tools?.specs ?? []);
  if (sent.length > 0 && JSON.stringify(sent) !== JSON.stringify(handover.state.specs)) {
    throw badRequest('The tools must be those that the run began with; they may be left out.', 'tools');
  }
  const until = new Date(Date.now() + limits.runTimeoutMs).toISOString();
  if (!(await handovers.claim(handover.id, until))) throw unknownCall('This call is being answered already.');
  return { handover, results: ofRound };
}

const noSuchQuestion = () =>
  refused('unknown_question', 'This question is not open, or not any more. Ask again.', 'requestState');

interface Answering {
  readonly answers: readonly QuestionAnswer[];
  readonly caller: Caller;
  readonly assistant: Assistant;
}

/** Goes on where a run stood that asked for approval, for the one it asked. Each question is answered; too late is not approved. */
export async function resumeAnswered(
  { answers, caller, assistant }: Answering,
  { stores: { audit, handovers }, limits }: RunDeps,
): Promise<Resumed> {
  const whose = { userId: caller.userId, assistantId: assistant.id };
  const handover = await handovers.waiting(answers[0]?.id ?? '', whose);
  const { questions, modelIds } = handover?.state ?? {};
  if (!handover || !questions || handover.activityId !== caller.launch?.activityId) throw noSuchQuestion();
  const { runId } = handover;
  const until = new Date(Date.now() + limits.runTimeoutMs).toISOString();
  if (!(await handovers.claim(handover.id, until))) throw noSuchQuestion();
  const answered = questions.map((question): AnsweredQuestion => {
    const approved = answers.some(({ id, approved }) => id === question.id && approved);
    const isLate = new Date().toISOString() >= question.expiresAt;
    return { ...question, answer: isLate ? 'expired' : approved ? 'approved' : 'refused' };
  });
  for (const { tool, answer } of answered) {
    if (answer === 'expired') continue;
    const action = answer === 'approved' ? 'approve a call' : 'refuse a call';
    await audit.record(deedOf(caller, { action, resource: `tool ${tool}`, runId }));
  }
  const byModelId = answered.map((each) => [modelIds?.[each.id] ?? each.id, each] as const);
  return { handover, results: [], answered: new Map(byModelId) };
}
