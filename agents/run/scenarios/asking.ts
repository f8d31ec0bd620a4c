import type { Example } from '../../../src/core/assistants/annotation.js';
import { newRunId } from '../../../src/core/base/ids.js';
import type { Redactor } from '../../../src/core/base/redactor.js';
import { COST_UNITS } from '../../../src/core/budgets/budget.js';
import { unavailable } from '../../../src/core/errors.js';
import type { ChatMessage } from '../../../src/core/message.js';
import type { RunRecord } from '../../../src/core/runs/record.js';
import type { AskingRequest, BeginAsking, MadeCall, Turn } from '../../../src/core/scenarios/asking.js';
import type { Spent } from '../../../src/core/scenarios/suite-run.js';
import { collect } from '../../base/collect.js';
import { createRunAssistant } from '../../run-assistant.js';
import type { RunDeps } from '../prepare.js';
import { LIVE, playingTape, recordingTape, type Tape, taped } from './cassette.js';
import { judgeAnswer } from './judge.js';

export interface AskingDeps extends RunDeps {
  readonly redactor: Redactor;
  /** The knowledge base that an address shows a passage of. */
  readonly collectionAt: (url: string) => string | undefined;
  readonly examplesAmong: (examples: readonly Example[], question: string) => string | undefined;
}

/** Asks an assistant as a chat does, with everything that is checked and counted there, and keeps no conversation. */
export function createAsking(deps: AskingDeps): BeginAsking {
  return (request) => {
    const tape = tapeFor(request, deps);
    const seen = createWatch();
    const own = depsWith(tape, seen, { request, deps });
    const runAssistant = createRunAssistant(own);
    return {
      async ask(chat) {
        const turn = seen.begin();
        const { start } = await runAssistant(runOf(request, chat));
        const { text, ending } = await collect(start).catch((fault: unknown) => {
          const missing = tape.missing();
          throw missing === undefined ? fault : unavailable(missing, 'not_recorded');
        });
        const { calls, spent } = turn();
        const collectionOf = collectionsIn(calls, deps);
        // A model that is asked for something else may find no recording and still be answered for.
        const missing = tape.missing();
        if (missing !== undefined) throw unavailable(missing, 'not_recorded');
        return {
          ...{ answer: text, calls, rounds: ending.iterations, cost: spent.cost },
          sources: ending.sources.map(({ title, cited, url }) => ({
            ...{ title, cited, collection: collectionOf(url) },
          })),
        } satisfies Turn;
      },
      judge: async (question) => {
        const judgement = await judgeAnswer(question, request, own);
        const missing = tape.missing();
        return missing === undefined ? judgement : { passed: null, why: missing };
      },
      spent: seen.spent,
      recording: tape.recording,
    };
  };
}

const runOf = ({ caller, assistantId, version, signal }: AskingRequest, chat: readonly ChatMessage[]) => ({
  ...{ runId: newRunId(), model: String(assistantId), version, caller, chat, signal },
  ...{ sampling: {}, conversationId: undefined, mayAsk: false as const },
});

function tapeFor({ cassette, caller }: AskingRequest, { redactor }: AskingDeps): Tape {
  if (cassette === 'live') return LIVE;
  if (cassette === 'record') return recordingTape(redactor.of(caller.organizationId).redactIn);
  return playingTape(cassette.replay);
}

interface SeenCall extends MadeCall {
  readonly collections: readonly unknown[];
}

/** What happened, as far as the run itself does not tell. */
function createWatch() {
  let calls: SeenCall[] = [];
  let records: RunRecord[] = [];
  let earlier: Spent = { tokens: 0, cost: null };
  const ofTurn = () => records.map(spentBy).reduce(add, { tokens: 0, cost: null });
  return {
    called: (call: SeenCall) => calls.push(call),
    ended: (record: RunRecord) => records.push(record),
    begin() {
      earlier = add(earlier, ofTurn());
      calls = [];
      records = [];
      return () => ({ calls, spent: ofTurn() });
    },
    spent: () => add(earlier, ofTurn()),
  };
}

const add = (one: Spent, other: Spent): Spent => ({
  tokens: one.tokens + other.tokens,
  cost: one.cost === null && other.cost === null ? null : (one.cost ?? 0) + (other.cost ?? 0),
});

/** Its own steps: what it asked of others has a record of its own. */
function spentBy({ steps }: RunRecord): Spent {
  const each = steps.map(({ usage, cost }) => ({
    tokens: (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0),
    cost: cost ? cost.amount / COST_UNITS : null,
  }));
  return each.reduce(add, { tokens: 0, cost: null });
}

function depsWith(
  tape: Tape,
  seen: ReturnType<typeof createWatch>,
  { request, deps }: { readonly request: AskingRequest; readonly deps: AskingDeps },
): RunDeps {
  const plugins = taped(deps.plugins, tape, ({ tool, args, config, ctx }) => {
    // What an assistant that is asked by this one calls is its own affair.
    if (ctx.assistant.id !== request.assistantId) return;
    const { collections } = config as { readonly collections?: unknown };
    seen.called({
      ...{ tool: tool.name, functionName: ctx.functionName, arguments: args },
      collections: Array.isArray(collections) ? collections : [],
    });
  });
  const live: RunDeps = {
    ...deps,
    plugins,
    examplesFor: (assistant) => {
      if (assistant.id !== request.assistantId) return deps.examplesFor(assistant);
      const { examples } = request;
      if (examples.length === 0) return undefined;
      return (question) => Promise.resolve(deps.examplesAmong(examples, question));
    },
    runEnded(run) {
      seen.ended(run.record);
      deps.runEnded(run);
    },
  };
  return typeof request.cassette === 'object' ? offTheNetwork(live, seen.ended) : live;
}

/** Nothing is asked, so nothing is spent and nothing is on record. */
function offTheNetwork(deps: RunDeps, ended: (record: RunRecord) => void): RunDeps {
  const refuse = () => Promise.reject(unavailable('A replay asks nobody.', 'not_recorded'));
  const { runs } = deps.stores;
  return {
    ...deps,
    fetch: refuse,
    models: { post: refuse },
    mcp: { of: () => ({ tools: refuse, call: refuse }) },
    moodleFor: () => undefined,
    budgetOf: () => Promise.resolve(undefined),
    admitRun: () => Promise.resolve(undefined),
    runEnded: ({ record }) => {
      ended(record);
    },
    underWay: { begun: () => undefined, ended: () => undefined },
    stores: { ...deps.stores, runs: { ...runs, record: () => Promise.resolve() } },
  };
}

/** By what the address shows; else the only one that was looked into. */
function collectionsIn(calls: readonly SeenCall[], { collectionAt }: AskingDeps) {
  const looked = [...new Set(calls.flatMap(({ collections }) => collections.map(String)))];
  const only = looked.length === 1 ? looked[0] : undefined;
  return (url: string | undefined) => (url === undefined ? undefined : collectionAt(url)) ?? only;
}
