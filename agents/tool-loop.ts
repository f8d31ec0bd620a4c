import type { BudgetGrant } from '../src/core/budgets/run-budget.js';
import { type Message, type ToolCall, toldFailure } from '../src/core/message.js';
import type { ApprovalQuestion, AskApproval } from '../src/core/runs/approval.js';
import type { Capped, FinishReason, Listener, Tell } from '../src/core/runs/event.js';
import type { ClientTools } from '../src/core/runs/handover.js';
import type { RunContext } from '../src/core/runs/run-context.js';
import { askModel } from './gate/ask-model.js';
import type { SourceList } from './gate/citations.js';
import type { ToolOutcome } from './gate/invocation.js';
import { invokeTool, sideBySide } from './gate/invoke-tool.js';
import { isSpent, reserveFor } from './gate/spend.js';
import { rememberResult } from './gate/memory/remember.js';
import { readResult } from './gate/result.js';
import type { Toolbox } from './gate/toolbox.js';
import type { ChosenModel } from './models/choose-model.js';

const MAX_TOOL_ROUNDS = 5;
const MAX_CALLS_A_ROUND = 32;

const TOO_MANY: ToolOutcome = {
  ok: false,
  reason: `At most ${String(MAX_CALLS_A_ROUND)} calls are run in one round.`,
};

/** For a model whose tools brought more than may be spent on reading it. */
const ANSWER_NOW: Message = {
  role: 'system',
  content:
    'What the tools found cannot be read any more. Answer now, with what you know, and say that it is incomplete.',
};

/** For a model that asks for tools even when told to answer: the reader is owed a sentence. */
const NO_ANSWER = 'I could not finish this with the tools I have. Please try again with a smaller question.';

export interface LoopParts extends ChosenModel, Listener {
  readonly prompt: readonly Message[];
  readonly toolbox: Toolbox;
  /** What is offered in the first round; all of it afterwards. */
  readonly first?: Toolbox;
  readonly sources: SourceList;
  /** Offered beside ours; a call of one of them ends this part of the run. */
  readonly client?: ClientTools | undefined;
  /** How many rounds there were before this part. */
  readonly rounds?: number;
  /** Calls of the last of these that somebody was asked about, and what they said. */
  readonly approved?: { readonly calls: readonly ToolCall[]; readonly askApproval: AskApproval } | undefined;
}

export interface LoopEnding {
  readonly finishReason: FinishReason;
  readonly iterations: number;
  readonly capped: Capped;
  /** Calls that wait for the client, and all that was said until then. */
  readonly handed?: {
    readonly calls: readonly ToolCall[];
    readonly messages: readonly Message[];
    /** For each call, where these are ours and not of its tools: nobody who brings tools answers later. */
    readonly questions?: readonly ApprovalQuestion[];
  };
}

/** Model, tools, model again, until the model answers. After five rounds of tools it must. */
export async function toolLoop(parts: LoopParts, ctx: RunContext): Promise<LoopEnding> {
  const { connector, model, fallback, toolbox: all, first = all, sources, client, rounds = 0 } = parts;
  const { say, tell } = parts;
  const messages = [...parts.prompt];
  let before = rounds === 0 ? 0 : messages.findLastIndex(({ role }) => role === 'assistant');
  if (parts.approved) {
    const { calls, askApproval } = parts.approved;
    // What they said is for these calls alone, whatever the model calls the next ones.
    const round = { round: rounds, toolbox: all, sources, messages, tell };
    await runCalls(calls, round, { ...ctx, askApproval });
  }

  for (let round = rounds + 1; ; round++) {
    const bound = boundOf(round, ctx);
    const affording = affordableCall(
      { connector, model, fallback, isLast: bound !== false },
      { messages, toolbox: besideOurs(round === 1 ? first : all, client) },
      // As it was for the call before.
      round === 1
        ? undefined
        : {
            messages: messages.slice(0, before),
            toolbox: besideOurs(round === 2 ? first : all, client),
          },
      ctx,
    );
    // Nothing to wait for without a budget, or where enough is set aside already.
    const afforded = affording instanceof Promise ? await affording : affording;
    if (!afforded) {
      await say(NO_ANSWER);
      return { finishReason: 'stop', iterations: round - 1, capped: 'budget' };
    }
    const { asked, toolbox, grant, isLast } = afforded;
    const capped = bound === false && isLast ? 'budget' : bound;
    const mustAnswer = capped !== false;
    const question = {
      connector,
      model,
      fallback,
      messages: asked,
      toolbox,
      sources,
      say,
      tell,
      mustAnswer,
      round,
      grant,
      choice: round === rounds + 1 ? client?.choice : undefined,
    };
    const reply = await askModel(question, ctx);
    const calls = normalizeToolCalls(reply.toolCalls, round);

    if (calls.length === 0 || mustAnswer) {
      if (mustAnswer && reply.text.trim() === '') await say(NO_ANSWER);
      // Whoever reads of calls looks for them: a model that asks in vain has stopped.
      const finishReason = reply.finishReason === 'tool_calls' ? 'stop' : reply.finishReason;
      return { finishReason, iterations: round, capped };
    }

    const [ours, theirs] = apart(calls, toolbox, client);
    before = messages.length;
    messages.push({ role: 'assistant', content: reply.text, toolCalls: calls });
    const waiting = await runCalls(ours, { round, toolbox, sources, messages, tell }, ctx);
    const handed =
      waiting.length > 0
        ? { calls: waiting.map(({ call }) => call), questions: waiting.map(({ question }) => question) }
        : { calls: theirs };
    if (handed.calls.length > 0) {
      return {
        ...{ finishReason: 'tool_calls', iterations: round, capped: false },
        handed: { ...handed, messages },
      };
    }
  }
}

interface Round {
  readonly round: number;
  readonly toolbox: Toolbox;
  readonly sources: SourceList;
  /** What was said until now; what the calls bring is put below it. */
  readonly messages: Message[];
  readonly tell: Tell;
}

interface WaitingCall {
  readonly call: ToolCall;
  readonly question: ApprovalQuestion;
}

/** Those that were not made because somebody is asked about them first. */
async function runCalls(
  calls: readonly ToolCall[],
  { round, toolbox, sources, messages, tell }: Round,
  ctx: RunContext,
): Promise<WaitingCall[]> {
  const execute = (call: ToolCall) =>
    invokeTool(
      {
        site: { kind: 'tool', iteration: round, callId: call.id },
        ready: toolbox.functions.get(call.name),
        args: { fromModel: call.arguments },
      },
      ctx,
      tell,
    );
  const outcomes = await sideBySide(
    calls.map((call, i) => () => (i < MAX_CALLS_A_ROUND ? execute(call) : Promise.resolve(TOO_MANY))),
    ctx,
  );
  return calls.flatMap((call, i) => {
    const outcome = outcomes[i] as ToolOutcome;
    if (!outcome.ok && outcome.waiting) return [{ call, question: outcome.waiting }];
    messages.push({ role: 'tool', toolCallId: call.id, content: textFor(outcome, sources) });
    if (outcome.ok) rememberResult(call, outcome, toolbox, ctx);
    return [];
  });
}

function besideOurs(toolbox: Toolbox, client: ClientTools | undefined): Toolbox {
  return client ? { ...toolbox, specs: [...toolbox.specs, ...client.specs] } : toolbox;
}

/** Ours are run here, whatever the client calls its own. */
function apart(calls: readonly ToolCall[], { functions }: Toolbox, client: ClientTools | undefined) {
  if (!client) return [calls, []] as const;
  const isTheirs = ({ name }: ToolCall) =>
    !functions.has(name) && client.specs.some((spec) => spec.name === name);
  const theirs = calls.filter(isTheirs).slice(0, MAX_CALLS_A_ROUND);
  return [calls.filter((call) => !theirs.includes(call)), theirs] as const;
}

/** Why the model may ask for no more tools. */
function boundOf(round: number, { deadline }: RunContext): Capped {
  if (round > MAX_TOOL_ROUNDS) return 'rounds';
  return round > 1 && deadline.nearlySpent() ? 'time' : false;
}

type Call = Parameters<typeof reserveFor>[0];

interface Told {
  readonly messages: readonly Message[];
  readonly toolbox: Toolbox;
}

interface Afforded extends Pick<Told, 'toolbox'> {
  readonly asked: readonly Message[];
  readonly grant: BudgetGrant | undefined;
  /** Nothing is left for another call. */
  readonly isLast: boolean;
}

function affordableCall(
  call: Call,
  { messages, toolbox }: Told,
  earlier: Told | undefined,
  ctx: RunContext,
): Afforded | Promise<Afforded | undefined> {
  const afforded = (grant: BudgetGrant | undefined): Afforded => ({
    ...{ asked: messages, toolbox, grant, isLast: grant?.isLast ?? false },
  });
  const grant = reserveFor(call, messages, toolbox.specs, ctx);
  if (!(grant instanceof Promise)) return afforded(grant);
  return grant.then(afforded, (fault: unknown) => {
    if (!earlier || !isSpent(fault)) throw fault;
    return affordableBefore(call, earlier, ctx);
  });
}

/**
 * What the tools brought may be more than is left to read it: then the model answers with what it had before, for which
 * enough was kept. Undefined where not even that is left, because a provider counted more than it was asked for.
 */
async function affordableBefore(
  call: Call,
  { messages, toolbox }: Told,
  ctx: RunContext,
): Promise<Afforded | undefined> {
  const asked = [...messages, ANSWER_NOW];
  try {
    const grant = await reserveFor({ ...call, isLast: true }, asked, toolbox.specs, ctx);
    return { asked, toolbox, grant, isLast: true };
  } catch (fault) {
    if (isSpent(fault)) return undefined;
    throw fault;
  }
}

function textFor(outcome: ToolOutcome, sources: SourceList): string {
  return outcome.ok ? readResult(outcome, sources) : toldFailure(outcome.reason);
}

/** What is shown to readers and sent back to providers must be short and plain. */
const USABLE = /^[\w.:-]{1,100}$/;

/**
 * Gives every call an id of its own and drops the same call said twice: providers leave ids empty,
 * use one for all, or repeat a call while streaming. Each runs once, and each id is answered once.
 */
export function normalizeToolCalls(calls: readonly ToolCall[], round: number): ToolCall[] {
  const given = new Set(calls.map(({ id }) => id));
  const kept = new Map<string, ToolCall>();
  calls.forEach((call, i) => {
    const earlier = kept.get(call.id);
    if (earlier?.name === call.name && earlier.arguments === call.arguments) return;
    const id = earlier || !USABLE.test(call.id) ? ownId(round, i, given) : call.id;
    kept.set(id, { ...call, id });
  });
  return [...kept.values()];
}

function ownId(round: number, place: number, given: ReadonlySet<string>): string {
  let id = `call_${String(round)}_${String(place)}`;
  while (given.has(id)) id += '_';
  return id;
}
