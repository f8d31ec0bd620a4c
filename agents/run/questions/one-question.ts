import type { Caller } from '../../../src/core/access/caller.js';
import type { Assistant } from '../../../src/core/assistants/assistant.js';
import { newRunId } from '../../../src/core/base/ids.js';
import { forbidden } from '../../../src/core/errors.js';
import type { Message } from '../../../src/core/message.js';
import { createDeadline } from '../../../src/core/runs/deadline.js';
import type { Ending } from '../../../src/core/runs/event.js';
import type { Sampling } from '../../../src/core/runs/model-choice.js';
import { askModel } from '../../gate/ask-model.js';
import { createSourceList } from '../../gate/citations.js';
import { reserveFor } from '../../gate/spend.js';
import { NO_TOOLS } from '../../gate/toolbox.js';
import type { ChosenModel } from '../../models/choose-model.js';
import { beginRun, budgetFor, type RunBasis, type RunDeps } from '../prepare.js';
import { recordRun, runBegan } from '../record.js';
import { standInFor } from '../stand-in-assistant.js';

export interface OneQuestion {
  /** In whose name it is asked, and who spends what it costs. */
  readonly caller: Caller;
  /** The answer that it belongs to, whose assistant pays for it as well. It is no question of a person then. */
  readonly of?: { readonly assistant: Assistant; readonly runId: string } | undefined;
  readonly chosen: ChosenModel;
  readonly messages: readonly Message[];
  readonly sampling?: Sampling;
  /** A model that goes on beyond this is cut off. */
  readonly mostCharacters: number;
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

/** Asks a model one thing of the service's own, with no assistant's prompt or tools: on record, within budgets and limits like any run. */
export async function askOneQuestion(question: OneQuestion, deps: RunDeps): Promise<string> {
  const deadline = createDeadline(question.signal, question.withinMs);
  try {
    const basis = await beginQuestion({ ...question, signal: deadline.signal }, deps);
    return await ask(basis, question, deps);
  } finally {
    deadline.dispose();
  }
}

async function beginQuestion(
  { caller, of, chosen, sampling = {}, signal }: OneQuestion,
  deps: RunDeps,
): Promise<RunBasis> {
  const assistant = of?.assistant ?? standInFor(caller, []);
  const settings = await deps.settingsOf(assistant.organizationId);
  const parts = {
    ...{ runId: newRunId(), caller, signal, assistant, chat: [], sampling, mayAsk: false },
    ...{ parent: undefined, partOf: of?.runId, conversation: undefined },
    currentAssistant: () => Promise.resolve(assistant),
    startChild: () => Promise.reject(forbidden('A question of the service asks no assistant.')),
  };
  const budget = await budgetFor(parts, settings, deps);
  return beginRun(parts, { settings, budget, model: () => chosen }, deps);
}

/** What ends an answer that is long enough; nothing is wrong with it. */
const ENOUGH = new Error('The answer is long enough.');

function unlessEnough(fault: unknown): void {
  if (fault !== ENOUGH) throw fault;
}

async function ask(
  basis: RunBasis,
  { chosen, messages, mostCharacters }: OneQuestion,
  deps: RunDeps,
): Promise<string> {
  const { ctx, trace, deadline } = basis;
  let ending: Ending | undefined;
  let fault: unknown;
  runBegan(basis, deps);
  try {
    const grant = await reserveFor({ ...chosen, isLast: true }, messages, [], ctx);
    const question = { ...chosen, messages, grant, toolbox: NO_TOOLS };
    const rest = { sources: createSourceList(), mustAnswer: true, round: 1 };
    let text = '';
    const say = (piece: string) => {
      text += piece;
      if (text.length > mostCharacters) throw ENOUGH;
      return undefined;
    };
    await askModel({ ...question, ...rest, say }, ctx).catch(unlessEnough);
    ending = {
      finishReason: 'stop',
      iterations: 1,
      capped: false,
      usage: trace.usage(),
      sources: [],
      tools: [],
    };
    return text.slice(0, mostCharacters);
  } catch (thrown) {
    fault = thrown;
    throw thrown;
  } finally {
    deadline.dispose();
    await recordRun(basis, { answer: '', ending, fault }, deps);
  }
}
