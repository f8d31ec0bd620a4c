import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import {
  AppError,
  badRequest,
  internalFault,
  notFound,
  tooLarge,
  unavailable,
  unsupportedMediaType,
} from '../core/errors.js';
import type { Logger } from '../core/log.js';
import type { Redactor } from '../core/redactor.js';
import { whereItBroke } from '../core/where-it-broke.js';
import { requestIdOf } from './request-facts.js';
import { sendJson } from './send-json.js';

export const noSuchRoute: RequestHandler = (req) => {
  throw notFound(`The route ${req.method} ${req.path.slice(0, 200)}`);
};

/** The one way out for errors: OpenAI's shape, and nothing in it that we did not write ourselves. */
export function handleErrors(log: Logger, redactor: Redactor): ErrorRequestHandler {
  return (thrown: unknown, _req, res, _next) => {
    tellFault(thrown, res, { log, redactor });
  };
}

export function tellFault(
  thrown: unknown,
  res: ServerResponse,
  { log, redactor }: { readonly log: Logger; readonly redactor: Redactor },
): void {
  const error = faultToTell(thrown, res, log);
  // A stream that has begun tells of its own end; here nothing more can be said.
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (error.status === 401) res.setHeader('WWW-Authenticate', 'Bearer');
  sendJson(res, error.status, errorBody(error, redactor));
}

/** What is to be said of a fault, which is in the log when it is ours. */
export function faultToTell(thrown: unknown, res: ServerResponse, log: Logger): AppError {
  const error = toShow(thrown);
  if (error.status >= 500) {
    log.error(
      { requestId: requestIdOf(res), code: error.code, fault: whereItBroke(error.cause ?? thrown) },
      'request failed',
    );
  }
  if (error.retryAfterSeconds !== undefined && !res.headersSent) {
    res.setHeader('Retry-After', String(error.retryAfterSeconds));
  }
  return error;
}

export function errorBody({ message, type, code, param, errors }: AppError, { redact }: Redactor) {
  const fields = errors?.map((fault) => ({ ...fault, message: redact(fault.message) }));
  return { error: { message: redact(message), type, code, param, ...(fields ? { errors: fields } : {}) } };
}

/** Express' own faults, the database's, and everything unforeseen, in our words. */
export function toShow(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const { type, code, name, status } = facts(thrown);
  switch (type) {
    case 'entity.too.large':
      return tooLarge('The body is larger than this server takes (BODY_LIMIT).');
    case 'entity.parse.failed':
      return badRequest('The body is not valid JSON.');
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return unsupportedMediaType('Send the body as UTF-8 JSON, not compressed in an unknown way.');
    case 'request.aborted':
    case 'request.size.invalid':
      return badRequest('The body ended too early.');
    default:
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_FULL') || name === 'KnexTimeoutError') {
    return unavailable('The database is busy. Try again in a moment.', 'database_busy');
  }
  if (thrown instanceof URIError) return badRequest('The address is not encoded correctly.');
  // A body that cannot be unpacked, and whatever else Express blames on the client.
  return status === 400 ? badRequest('The request could not be read as it was sent.') : internalFault();
}

interface Facts {
  readonly type: string;
  readonly code: string;
  readonly name: string;
  readonly status: number;
}

function facts(thrown: unknown): Facts {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const bag = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Partial<
    Record<keyof Facts, unknown>
  >;
  return {
    type: text(bag.type),
    code: text(bag.code),
    name: text(bag.name),
    status: Number(bag.status ?? 0),
  };
}
