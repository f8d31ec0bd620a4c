import { parseStrictJson, isRecord } from '../../../src/core/base/json.js';
import type { ChatMessage, Message } from '../../../src/core/message.js';
import type { BroughtResult } from '../../../src/core/runs/conversation.js';
import type { Tell } from '../../../src/core/runs/event.js';
import type { RunContext } from '../../../src/core/runs/run-context.js';
import type { SourceList } from '../citations.js';
import { newestResults, personOf, setUpOf } from './remember.js';
import { announcer, answerStep } from '../report.js';
import { readResult } from '../result.js';
import type { ReadyTool, Toolbox } from '../toolbox.js';
import { usablePart } from '../usable-part.js';

/** More are seldom of use, and each is a step that is shown. */
const MOST_RESULTS = 20;

interface Means {
  readonly toolbox: Toolbox;
  readonly sources: SourceList;
  /** For which answer. */
  readonly brought: Brought;
  readonly tell: Tell;
}

type Brought = ReadonlyMap<ChatMessage, readonly BroughtResult[]>;

interface Recalled extends BroughtResult {
  readonly said: ChatMessage;
  readonly ready: ReadyTool;
}

/**
 * The chat with what functions brought for its answers, as calls and results. Only what the assistant could have brought
 * again now, for the same person: whether it may is asked anew.
 */
export async function recallResults(
  ctx: RunContext,
  { toolbox, sources, brought, tell }: Means,
): Promise<readonly ChatMessage[]> {
  const { rememberTools } = ctx.assistant.setup;
  const usable = await usableResults(brought, ctx, toolbox);
  const recalled = newestResults(usable, rememberTools?.maxTokens ?? 0);
  if (recalled.length === 0) return ctx.chat;
  const before = new Map<ChatMessage, Message[]>();
  for (const [at, result] of recalled.entries()) {
    const callId = `earlier_${String(at + 1)}`;
    const { said, ready, name, arguments: args } = result;
    before.set(said, [
      ...(before.get(said) ?? []),
      { role: 'assistant', content: '', toolCalls: [{ id: callId, name, arguments: args }] },
      { role: 'tool', toolCallId: callId, content: readResult({ ok: true, ...result }, sources) },
    ]);
    const site = { kind: 'tool', iteration: 0, callId } as const;
    const ended = announcer(site, ready, new Date()).ended('completed', argsIn(args), { remembered: true });
    ctx.trace.ended(answerStep(ended));
    await tell(ended);
  }
  return ctx.chat.map((message) => {
    const earlier = before.get(message);
    if (!earlier || message.role !== 'assistant') return message;
    return { ...message, before: [...(message.before ?? []), ...earlier] };
  });
}

/** The newest of each call, in the order they came. */
async function usableResults(
  brought: Brought,
  ctx: RunContext,
  { functions }: Toolbox,
): Promise<readonly Recalled[]> {
  const current = brought.size === 0 ? undefined : await ctx.currentAssistant();
  if (!current?.setup.rememberTools) return [];
  const person = personOf(ctx.caller);
  const calls = new Set<string>();
  const usable: Recalled[] = [];
  for (const said of ctx.chat.toReversed()) {
    for (const result of (brought.get(said) ?? []).toReversed()) {
      const ready = functions.get(result.name);
      const call = `${result.name} ${result.arguments}`;
      if (!ready || calls.has(call) || result.person !== person || usable.length === MOST_RESULTS) continue;
      if (ready.tool.name !== result.tool || setUpOf(ready.entry) !== result.setUp) continue;
      if (!isStillThere(ready, current) || !(await isAllowed(ready, result, ctx))) continue;
      calls.add(call);
      usable.push({ ...result, said, ready });
    }
  }
  return usable.reverse();
}

type Current = NonNullable<Awaited<ReturnType<RunContext['currentAssistant']>>>;

function isStillThere({ entry }: ReadyTool, { setup }: Current): boolean {
  const wanted = setUpOf(entry);
  return setup.tools.some((other) => other.enabled && setUpOf(other) === wanted);
}

/** All that the call touched, as things stand now. */
async function isAllowed(ready: ReadyTool, { arguments: args }: BroughtResult, ctx: RunContext) {
  const { tool, config } = ready;
  const { refused } = await usablePart({ tool, args: argsIn(args), config }, ctx);
  return refused.length === 0;
}

function argsIn(written: string): Record<string, unknown> {
  const parsed = parseStrictJson(written.trim() === '' ? '{}' : written);
  return parsed.ok && isRecord(parsed.value) ? parsed.value : {};
}
