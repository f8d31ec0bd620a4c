import { hash } from 'node:crypto';
import type { Caller } from '../../../src/core/access/caller.js';
import type { ToolEntry } from '../../../src/core/assistants/assistant.js';
import type { ToolCall } from '../../../src/core/message.js';
import type { BroughtResult } from '../../../src/core/runs/conversation.js';
import type { RunContext } from '../../../src/core/runs/run-context.js';
import { createSourceList } from '../citations.js';
import type { Success } from '../invocation.js';
import { presentResult, readResult } from '../result.js';
import type { Toolbox } from '../toolbox.js';

const CHARS_PER_TOKEN = 4;
/** Calls with longer arguments are seldom made again, and would take the room of what was found. */
const LONGEST_ARGUMENTS = 2_000;
const HASHED = 16;

/** Keeps what a function brought for the turns after this one, where its author wants that. */
export function rememberResult(
  { name, arguments: args }: ToolCall,
  outcome: Success,
  { functions }: Toolbox,
  ctx: RunContext,
): void {
  const { rememberTools } = ctx.assistant.setup;
  const ready = functions.get(name);
  if (!rememberTools || !ready || args.length > LONGEST_ARGUMENTS) return;
  const { tool, entry } = ready;
  const cut = cutTo(outcome, rememberTools.maxTokens * CHARS_PER_TOKEN);
  ctx.trace.brought({
    ...{ tool: tool.name, name, arguments: args },
    ...{ setUp: setUpOf(entry), person: personOf(ctx.caller), ...cut },
  });
}

/** How its author has set it up: what another set-up brought is another matter. */
export const setUpOf = ({ type, config, approval }: ToolEntry) => hashed([type, config, approval ?? null]);

/** Behind one account there may be several people whom a proxy vouches for. */
export const personOf = ({ userId, verifiedEmail, lms }: Caller) =>
  hashed([userId, verifiedEmail ?? null, lms?.issuer ?? null, lms?.userId ?? null]);

const hashed = (facts: readonly unknown[]) => hash('sha256', JSON.stringify(facts)).slice(0, HASHED);

/** What has passed the gate once, and no more of it than this. */
function cutTo(result: Omit<Success, 'ok'>, maxChars: number) {
  const { content, sources, numbered, passages } = result;
  const whole = { content, sources, ...(numbered ? { numbered } : {}), ...(passages ? { passages } : {}) };
  const { ok: _, facts: __, ...cut } = presentResult(whole, { hide: (text) => text, maxChars });
  return cut;
}

/** The newest that fit, in the order they came; the oldest of them may be cut. */
export function newestResults<Result extends BroughtResult>(
  results: readonly Result[],
  maxTokens: number,
): readonly Result[] {
  const kept: Result[] = [];
  let left = maxTokens * CHARS_PER_TOKEN;
  for (const result of results.toReversed()) {
    if (left < LEAST_CHARS) break;
    const fitting = { ...result, ...cutTo(result, left) };
    left -= lengthOf(fitting);
    kept.push(fitting);
  }
  return kept.reverse();
}

/** Less than this says nothing. */
const LEAST_CHARS = 200;

function lengthOf(result: BroughtResult): number {
  return result.arguments.length + readResult({ ok: true, ...result }, createSourceList()).length;
}
