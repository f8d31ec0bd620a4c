import type { ServerResponse } from 'node:http';
import type { Caller } from '../core/caller.js';
import { unauthenticated } from '../core/errors.js';

/** What was found out about a request on its way in. */
interface Facts {
  requestId?: string;
  caller?: Caller;
}

const FACTS = Symbol('facts of the request');

interface WithFacts extends ServerResponse {
  [FACTS]?: Facts;
}

function factsOf(res: WithFacts): Facts {
  const facts = res[FACTS] ?? {};
  res[FACTS] = facts;
  return facts;
}

export function setRequestId(res: ServerResponse, id: string): void {
  factsOf(res).requestId = id;
}

export function requestIdOf(res: ServerResponse): string {
  return factsOf(res).requestId ?? '';
}

export function setCaller(res: ServerResponse, caller: Caller): void {
  factsOf(res).caller = caller;
}

/** Fails closed: a route that forgot to ask for a credential answers 401, not with somebody's data. */
export function callerOf(res: ServerResponse): Caller {
  const { caller } = factsOf(res);
  if (!caller) throw unauthenticated();
  return caller;
}

export function maybeCallerOf(res: ServerResponse): Caller | undefined {
  return factsOf(res).caller;
}
