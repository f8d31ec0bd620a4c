import type { Assistant } from '../src/core/assistant.js';
import type { Caller } from '../src/core/caller.js';
import type { Sampling } from '../src/core/sampling.js';
import type { Ending, RunEvent } from '../src/core/event.js';
import type { Endable } from '../src/core/deadline.js';
import type { ChatMessage } from '../src/core/message.js';
import { openConversation } from './conversation.js';
import { findAssistant } from './find-assistant.js';
import { prepareRun, type RunDeps } from './prepare-run.js';
import { startChild } from './start-child.js';
import { tellRun } from './tell-run.js';

export interface RunRequest {
  readonly runId: string;
  /** Which assistant, in any of the ways a client may name one. */
  readonly model: string;
  readonly caller: Caller;
  readonly chat: readonly ChatMessage[];
  readonly sampling: Sampling;
  readonly conversationId: string | undefined;
  /** Whether whoever is chatting sees what the run tells while it goes on. */
  readonly mayAsk: boolean;
  readonly signal: AbortSignal;
  /** What the signal belongs to, to be ended when the run's time is up; a signal without is followed. */
  readonly end?: Endable['end'];
}

/** A run that was let in. Nothing happens until its events are read. */
export interface Run {
  readonly assistant: Assistant;
  readonly conversationId: string | undefined;
  readonly events: AsyncGenerator<RunEvent, Ending>;
}

export type RunAssistant = (request: RunRequest) => Promise<Run>;

/** One request to one assistant. What is wrong with the request itself is thrown before anything streams. */
export function createRunAssistant(deps: RunDeps): RunAssistant {
  const { stores, policy } = deps;
  const { assistants, audit, conversations } = stores;

  const directory = { assistants, audit, policy };

  return async ({ runId, model, caller, chat, sampling, conversationId, mayAsk, signal, end }) => {
    const found = await findAssistant({ model, caller, runId }, directory);
    const assistant = await deps.onAccess(found);
    const conversation =
      conversationId === undefined
        ? undefined
        : await openConversation(conversationId, chat, { caller, assistant, conversations });

    const run = await prepareRun(
      {
        runId,
        parent: undefined,
        assistant,
        caller,
        chat: conversation?.chat ?? chat,
        sampling,
        signal,
        end,
        conversation,
        mayAsk,
        currentAssistant: async () => {
          const current = await assistants.get(assistant.id);
          return current && (await policy.mayRun(caller, current)).allowed ? current : undefined;
        },
        startChild: (child, parent) => startChild(child, parent, deps),
      },
      deps,
    );
    return { assistant, conversationId: conversation?.id, events: tellRun(run, deps) };
  };
}
