import { isDeepStrictEqual } from 'node:util';
import type { Call } from './case.js';
import type { Script } from './scripts.js';

export interface Tally {
  /** Calls that arrived as the model wrote them. */
  readonly right: number;
  /** Calls that are wrong, and that nobody carried out. */
  readonly refused: number;
  /** Calls that arrived, and not as they were written. */
  readonly mangled: number;
  /** Calls that never arrived. */
  readonly lost: number;
  /** Calls that are wrong, or that nobody made, and were carried out. */
  readonly carriedOut: number;
}

export const NOTHING: Tally = { right: 0, refused: 0, mangled: 0, lost: 0, carriedOut: 0 };

/** Holds what arrived against what was to arrive. The order of calls that are made together says nothing. */
export function tallyOf({ right, wrong }: Script, arrived: readonly Call[]): Tally {
  const left = [...arrived];
  const take = (isSame: (call: Call) => boolean) => {
    const at = left.findIndex(isSame);
    return at >= 0 && left.splice(at, 1).length > 0;
  };
  const missing = right.filter((call) => !take((other) => isDeepStrictEqual(call, other)));
  const mangled = missing.filter(({ name }) => take((other) => other.name === name)).length;
  return {
    right: right.length - missing.length,
    mangled,
    lost: missing.length - mangled,
    refused: Math.max(0, wrong - left.length),
    carriedOut: left.length,
  };
}

export function added(one: Tally, other: Tally): Tally {
  return {
    right: one.right + other.right,
    refused: one.refused + other.refused,
    mangled: one.mangled + other.mangled,
    lost: one.lost + other.lost,
    carriedOut: one.carriedOut + other.carriedOut,
  };
}
