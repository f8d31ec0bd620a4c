import type { Caller } from '../src/core/access/caller.js';
import { activityOf } from '../src/core/access/launched.js';
import type { Assistant } from '../src/core/assistants/assistant.js';
import { servedTo } from '../src/core/assistants/served.js';
import { unsupportedParameter } from '../src/core/errors.js';
import { mustNotBeInExam } from '../src/core/lti/exam-window.js';
import { type ChatMessage, filesOf, hasFiles, imagesOf, type SentMessage } from '../src/core/message.js';
import type { MayAsk, QuestionAnswer } from '../src/core/runs/approval.js';
import type { Endable } from '../src/core/runs/deadline.js';
import type { Ending, Listener, StatusEvent } from '../src/core/runs/event.js';
import type { ClientResult, SentTools } from '../src/core/runs/handover.js';
import type { Sampling } from '../src/core/runs/model-choice.js';
import { admitFiles } from './run/attachments/admit-files.js';
import { readFiles } from './run/attachments/read-files.js';
import { startChild } from './run/child.js';
import { goingOnWith, mayBringTools } from './run/handover/client-tools.js';
import { replayed } from './run/handover/hand-over.js';
import { resume, resumeAnswered } from './run/handover/resume.js';
import { openConversation } from './run/conversation.js';
import { executeRun } from './run/execute.js';
import {
  type Drafted,
  draftedAssistant,
  draftedNow,
  findAssistant,
  mayStillEdit,
} from './run/find-assistant.js';
import { type PreparedRun, prepareRun, type RunDeps } from './run/prepare.js';

export interface RunRequest {
  readonly runId: string;
  /** Which assistant, in any of the ways a client may name one. */
  readonly model: string;
  /** Which version of it answers; the newest unless given. */
  readonly version?: number | undefined;
  /** What answers instead, for an author who tries out what they are writing. */
  readonly drafted?: Drafted | undefined;
  readonly caller: Caller;
  readonly chat: readonly SentMessage[];
  readonly sampling: Sampling;
  /** Tools that the client brings, if any, and what it wants called. */
  readonly client?: SentTools | undefined;
  /** What the client's tools brought, for a run that goes on. */
  readonly results?: readonly ClientResult[];
  /** What somebody said to the questions of a run that goes on. */
  readonly answers?: readonly QuestionAnswer[];
  readonly conversationId: string | undefined;
  /** A new conversation begins with all that is sent, and not with the newest question alone. */
  readonly keepsHistory?: boolean;
  /** Whether whoever is chatting sees what the run tells while it goes on. */
  readonly mayAsk: MayAsk;
  /** What the client wants it traced as a part of (W3C Trace Context). */
  readonly traceparent?: string | undefined;
  readonly signal: AbortSignal;
  /** What the signal belongs to, to be ended when the run's time is up; a signal without is followed. */
  readonly end?: Endable['end'];
}

/** A run that was let in. Nothing happens until it is started. */
export interface Run {
  /** Of the one that goes on, where it does. */
  readonly runId: string;
  /** How many rounds there were before, of one that goes on. */
  readonly rounds: number;
  readonly assistant: Assistant;
  readonly conversationId: string | undefined;
  /** Keeps what was asked before there is an answer to keep it with. */
  readonly keepQuestion: () => Promise<void>;
  /** What was asked of the model and cannot be asked of this one. */
  readonly ignored: readonly string[];
  readonly start: (listener: Listener) => Promise<Ending>;
}

export type RunAssistant = (request: RunRequest) => Promise<Run>;

/** One request to one assistant. What is wrong with the request itself is thrown before anything streams. */
export function createRunAssistant(deps: RunDeps): RunAssistant {
  const { stores, policy } = deps;
  const { assistants, audit, conversations } = stores;

  const directory = { assistants, audit, policy, mayServe: deps.mayServe };

  return async (request) => {
    const { model, version: asked, caller, sampling, results = [], mayAsk, signal, end } = request;
    const client = request.client === 'none' ? undefined : request.client;
    const { drafted } = request;
    const activity = await activityOf(caller, stores);
    mustNotBeInExam(activity, caller);
    const pinned = activity?.pinnedVersion ?? undefined;
    // Which version answers in an activity or by a link is not for those who come there to say.
    const version = (caller.launch ?? caller.link) ? undefined : asked;
    const found = drafted
      ? await draftedAssistant(drafted, deps.onAccess)
      : await findAssistant({ model, version, pinned, caller, runId: request.runId }, directory);
    // A version stays as it was written, whatever form it has.
    const isAsWritten =
      drafted !== undefined || (version ?? pinned) !== undefined || found.servedVersion != null;
    const assistant = isAsWritten ? found : await deps.onAccess(found);
    if (client && client.specs.length > 0) mayBringTools(assistant);
    const sent = hasFiles(request.chat)
      ? await admitFiles(request.chat, { ...request, assistant }, deps)
      : (request.chat as readonly ChatMessage[]);
    mustSee(assistant, sent);
    const resumed = request.answers
      ? await resumeAnswered({ answers: request.answers, caller, assistant }, deps)
      : results.length === 0
        ? undefined
        : await resume({ results, tools: request.client, caller, assistant }, deps);
    const chat = await replayed(sent, { userId: caller.userId, assistantId: assistant.id }, deps);
    const conversationId = resumed ? resumed.handover.conversationId : request.conversationId;
    try {
      const conversation =
        conversationId === undefined
          ? undefined
          : await openConversation(conversationId, resumed ? [] : chat, {
              ...{ caller, assistant, conversations, activity },
              keepsHistory: request.keepsHistory ?? false,
            });
      const talk = conversation?.chat ?? chat;
      if (hasFiles(talk)) await bindFiles(sent, conversation?.id, deps);
      const runId = resumed?.handover.runId ?? request.runId;
      const run = await prepareRun(
        {
          ...{ runId, parent: undefined, assistant, caller, sampling, signal, end, conversation, mayAsk },
          traceparent: request.traceparent,
          chat: hasFiles(talk) ? await readFiles(talk, { assistant, userId: caller.userId }, deps) : talk,
          client: resumed && !resumed.answered ? goingOnWith(resumed.handover, request.client) : client,
          resumed,
          currentAssistant: async () => {
            if (drafted) return await draftedNow(assistant, { draft: drafted.draft, caller }, deps);
            const current = await assistants.get(assistant.id);
            if (!current || !(await policy.mayRun(caller, current)).allowed) return undefined;
            if (pinned !== undefined) return assistant;
            if (version === undefined) return await servedTo(caller, current, directory);
            // A version is for editors alone, and holds its own tools.
            return (await mayStillEdit(caller, current, deps)) ? assistant : undefined;
          },
          startChild: (child, parent) => startChild(child, parent, deps),
        },
        deps,
      );
      const whole = (listener: Listener) => executeRun(run, deps, listener);
      const start = activity?.stepsVisible === false ? withoutSteps(whole) : whole;
      const ignored = ignoredBy(run, sampling);
      const rounds = resumed?.handover.state.rounds ?? 0;
      const keepQuestion = async () => conversation?.keepQuestion(runId);
      return { runId, rounds, assistant, conversationId: conversation?.id, keepQuestion, ignored, start };
    } catch (fault) {
      if (resumed) await stores.handovers.release(resumed.handover.id);
      throw fault;
    }
  };
}

const NOTHING: readonly string[] = [];

/** What this model cannot be asked for, of what was asked for. */
function ignoredBy({ connector, client, toolbox }: PreparedRun, sampling: Sampling): readonly string[] {
  const hasChosen = client?.choice !== undefined;
  const told =
    connector.ignores?.filter((wish) =>
      wish === 'tool_choice' ? hasChosen : sampling[wish] !== undefined,
    ) ?? NOTHING;
  const isInVain = hasChosen && client.specs.length === 0 && toolbox?.specs.length === 0;
  return isInVain && !told.includes('tool_choice') ? [...told, 'tool_choice'] : told;
}

/** From now on they are this conversation's, and go with it. */
async function bindFiles(
  sent: readonly ChatMessage[],
  conversationId: string | undefined,
  { stores }: RunDeps,
): Promise<void> {
  const newest = sent.findLast((message) => message.role === 'user');
  const ids = newest ? filesOf(newest.content).map(({ file }) => file.file_id) : [];
  if (conversationId !== undefined && ids.length > 0) await stores.attachments.bind(ids, conversationId);
}

/** Never an empty question to the model: a picture that nobody looks at is told, not dropped. */
function mustSee({ setup }: Assistant, chat: readonly ChatMessage[]): void {
  const newest = chat.findLast((message) => message.role === 'user');
  if (setup.vision || !newest || imagesOf(newest.content).length === 0) return;
  throw unsupportedParameter(
    'This assistant does not look at pictures. Leave them out, or switch on "vision" in its settings.',
    'messages',
  );
}

/** What tells nothing of how an answer came about; a question to whoever is chatting is among it. */
const SHOWN = new Set<StatusEvent['type']>(['run.started', 'model.started', 'approval.required']);

/** The same run for those who are not to see what the assistant does. */
function withoutSteps(start: Run['start']): Run['start'] {
  return async ({ say, tell }) => {
    const shown = { say, tell: (event: StatusEvent) => (SHOWN.has(event.type) ? tell(event) : undefined) };
    return { ...(await start(shown)), tools: [] };
  };
}
