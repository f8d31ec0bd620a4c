import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { newRequestId } from '../core/ids.js';
import type { Logger } from '../core/log.js';
import { maybeCallerOf, setRequestId } from './request-facts.js';

/** Names a request, and says how it went: the route's pattern, never its query or body. */
export function logRequest(
  req: IncomingMessage,
  res: ServerResponse,
  log: Logger,
  routeOf: () => string,
): void {
  const requestId = newRequestId();
  setRequestId(res, requestId);
  res.setHeader('X-Request-Id', requestId);
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
      },
      'request',
    );
  });
}

export function logRequests(log: Logger): RequestHandler {
  return (req, res, next) => {
    logRequest(req, res, log, () => (req.route as { readonly path?: string } | undefined)?.path ?? 'none');
    next();
  };
}
