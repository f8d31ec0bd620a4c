import type { ServerResponse } from 'node:http';
import type { Caller, LaunchedCaller, LinkVisitor } from '../../core/access/caller.js';
import { AppError, forbidden, unauthenticated } from '../../core/errors.js';

/** What was found out about a request on its way in. */
interface Facts {
  requestId?: string;
  address?: string;
  caller?: Caller;
  organizationId?: number;
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

export function setAddress(res: ServerResponse, address: string): void {
  factsOf(res).address = address;
}

/** Where whoever asks comes from, by the word of the proxies we trust. */
export function addressOf(res: ServerResponse): string {
  return factsOf(res).address ?? '';
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

/** Whose settings the answer comes of, where that is not the caller's own organisation. */
export function setOrganization(res: ServerResponse, organizationId: number): void {
  factsOf(res).organizationId = organizationId;
}

/** Whose secrets must not be in the answer. */
export function organizationOf(res: ServerResponse): number | undefined {
  const { organizationId, caller } = factsOf(res);
  return organizationId ?? caller?.organizationId;
}

/** For routes that serve the pages of an activity, and nobody who comes another way. */
export function launchedCallerOf(res: ServerResponse): LaunchedCaller {
  const caller = callerOf(res);
  const { launch } = caller;
  if (!launch) throw forbidden('This is for people who come from a learning platform.');
  return { ...caller, launch };
}

export function launchedInstructorOf(res: ServerResponse): LaunchedCaller {
  const caller = launchedCallerOf(res);
  if (caller.launch.role !== 'instructor') throw forbidden('This is for those who teach the course.');
  return caller;
}

/** For what the page of a public link asks. */
export function linkVisitorOf(res: ServerResponse): LinkVisitor {
  const caller = callerOf(res);
  const { link } = caller;
  if (!link) throw forbidden('This is for people who came by a public link.');
  return { ...caller, link };
}

export const clientLeft = () =>
  new AppError('The client left.', { status: 499, type: 'api_error', code: 'client_closed' });

/** Ends when whoever asked has gone without waiting for the answer. */
export function signalOfLeaving(res: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  // `res`, not `req`: a request is closed as soon as its body was read.
  const onClose = () => {
    if (!res.writableFinished) leaving.abort(clientLeft());
  };
  if (res.closed) onClose();
  else res.once('close', onClose);
  return leaving.signal;
}
