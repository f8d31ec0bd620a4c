import type { ToolCall } from '../src/core/message.js';

/** What is shown to readers and sent back to providers must be short and plain. */
const USABLE = /^[\w.:-]{1,100}$/;

/**
 * Gives every call an id of its own and drops the same call said twice: providers leave ids empty,
 * use one for all, or repeat a call while streaming. Each runs once, and each id is answered once.
 */
export function tidyCalls(calls: readonly ToolCall[], round: number): ToolCall[] {
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
