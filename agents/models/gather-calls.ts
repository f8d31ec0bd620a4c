import { brokenOff } from '../../src/clients/provider.js';
import type { ToolCall } from '../../src/core/message.js';

/** A piece of a call, as a provider streams it; what it does not say is empty. */
export interface CallFragment {
  readonly index: number | string | undefined;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

interface OpenCall {
  readonly place: number;
  id: string;
  name: string;
  arguments: string;
}

const MOST_CALLS = 128;

/**
 * Puts the pieces of streamed calls together: only those that carry the same id or the same index. A new id is a new call,
 * whatever its index, and so is a name that comes when the arguments have begun.
 */
export function gatherCalls() {
  const calls: OpenCall[] = [];
  const byIndex = new Map<number | string, OpenCall>();
  let hasStray = false;

  function begin({ index, id }: CallFragment): OpenCall {
    const call = { place: typeof index === 'number' ? index : calls.length, id, name: '', arguments: '' };
    calls.push(call);
    if (index !== undefined) byIndex.set(index, call);
    if (calls.length > MOST_CALLS) throw brokenOff('asked for too many functions');
    return call;
  }

  /** The call that a piece says it belongs to. */
  function callOf(fragment: CallFragment): OpenCall | undefined {
    const { index, id, name } = fragment;
    const there = index === undefined ? undefined : byIndex.get(index);
    if (there && (id === '' || id === there.id || (there.id === '' && name === ''))) return there;
    // A provider that has one id for all tells its calls apart by their index.
    if (id === '' || (index !== undefined && !there && name !== '')) return undefined;
    return calls.findLast((call) => call.id === id);
  }

  return {
    take(fragment: CallFragment): void {
      const { index, id, name } = fragment;
      const said = callOf(fragment);
      const repeatsName = said !== undefined && id !== '' && said.id === id && said.name === name;
      let call = said?.arguments && name !== '' && !repeatsName ? undefined : said;
      if (!call && index === undefined && id === '' && name === '') {
        // It can only belong to the one there is; whether that stays the only one is seen at the end.
        hasStray = true;
        call = calls[0];
      }
      call ??= begin(fragment);
      if (call.id === '') call.id = id;
      if (!(repeatsName && call.arguments !== '')) call.name += name;
      call.arguments += fragment.arguments;
    },
    /** In the order of their indexes. Throws when a piece cannot be told to belong to any one of them. */
    calls(): ToolCall[] {
      if (hasStray && calls.length > 1)
        throw brokenOff('asked for functions in pieces that cannot be told apart');
      return [...calls]
        .sort((a, b) => a.place - b.place)
        .map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
    },
  };
}
