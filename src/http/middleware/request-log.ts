import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { newRequestId } from '../../core/base/ids.js';
import type { Logger } from '../../core/log.js';
import type { ClientAddress } from './client-address.js';
import { maybeCallerOf, setAddress, setRequestId } from './request-facts.js';

export interface LoggingDeps {
  readonly log: Logger;
  readonly clientAddress: ClientAddress;
}

/** Names a request, finds out where it comes from, and says how it went: the route's pattern, never its query or body. */
export function logRequest(
  req: IncomingMessage,
  res: ServerResponse,
  { log, clientAddress }: LoggingDeps,
  routeOf: () => string,
): void {
  const requestId = newRequestId();
  setRequestId(res, requestId);
  res.setHeader('X-Request-Id', requestId);
  const address = clientAddress(req);
  setAddress(res, address);
  const startedAt = performance.now();
  res.once('close', () => {
    const ms = Math.round(performance.now() - startedAt);
    const finished = res.writableFinished;
    const userId = maybeCallerOf(res)?.userId;
    const runId = res.getHeader('X-Run-Id');
    log.info(
      {
        requestId,
        runId,
        method: req.method,
        route: routeOf(),
        status: res.statusCode,
        ms,
        finished,
        userId,
        address,
      },
      'request',
    );
  });
}

export function logRequests(deps: LoggingDeps): RequestHandler {
  return (req, res, next) => {
    logRequest(req, res, deps, () => (req.route as { readonly path?: string } | undefined)?.path ?? 'none');
    next();
  };
}
