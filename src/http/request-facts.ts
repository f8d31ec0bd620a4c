import type { Response } from 'express';
import type { Caller } from '../core/caller.js';
import { unauthenticated } from '../core/errors.js';

/** What middleware found out about a request, typed; Express itself keeps an untyped bag. */
interface Facts {
  requestId?: string;
  caller?: Caller;
}

const factsOf = (res: Response): Facts => res.locals;

export function setRequestId(res: Response, id: string): void {
  factsOf(res).requestId = id;
}

export function requestIdOf(res: Response): string {
  return factsOf(res).requestId ?? '';
}

export function setCaller(res: Response, caller: Caller): void {
  factsOf(res).caller = caller;
}

/** Fails closed: a route that forgot to ask for a credential answers 401, not with somebody's data. */
export function callerOf(res: Response): Caller {
  const { caller } = factsOf(res);
  if (!caller) throw unauthenticated();
  return caller;
}

export function maybeCallerOf(res: Response): Caller | undefined {
  return factsOf(res).caller;
}
