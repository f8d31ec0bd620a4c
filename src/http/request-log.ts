import type { RequestHandler } from 'express';
import { newRequestId } from '../core/ids.js';
import type { Logger } from '../core/log.js';
import { maybeCallerOf, setRequestId } from './request-facts.js';

/** Names every request, and says how it went: the route's pattern, never its query or body. */
export function logRequests(log: Logger): RequestHandler {
  return (req, res, next) => {
    const requestId = newRequestId();
    setRequestId(res, requestId);
    res.setHeader('X-Request-Id', requestId);
    const startedAt = performance.now();
    res.once('close', () => {
      const route = (req.route as { readonly path?: string } | undefined)?.path ?? 'none';
      const ms = Math.round(performance.now() - startedAt);
      const finished = res.writableFinished;
      const userId = maybeCallerOf(res)?.userId;
      const runId = res.getHeader('X-Run-Id');
      log.info(
        { requestId, runId, method: req.method, route, status: res.statusCode, ms, finished, userId },
        'request',
      );
    });
    next();
  };
}
