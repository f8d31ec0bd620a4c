import type { RequestListener, ServerResponse } from 'node:http';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { Hiding, Redactor } from '../../core/base/redactor.js';
import {
  AppError,
  badRequest,
  internalFault,
  notFound,
  tooLarge,
  unavailable,
  unsupportedMediaType,
} from '../../core/errors.js';
import { type Logger, errorLocation } from '../../core/log.js';
import type { ErrorBody } from '../contract/common.js';
import { RefusedBody } from './json-body.js';
import { organizationOf, requestIdOf } from './request-facts.js';

export const noSuchRoute: RequestHandler = (req) => {
  throw notFound(`The route ${req.method} ${req.path.slice(0, 200)}`);
};

interface TellingDeps {
  readonly log: Logger;
  readonly redactor: Redactor;
}

/**
 * The app as a listener of ours. Whatever its routes throw, and whatever Express itself would make a page of, has one
 * way out: OpenAI's shape, and nothing in it that we did not write ourselves.
 */
export function listenerOf(app: Express, deps: TellingDeps): RequestListener {
  return (req, res) => {
    const onFault = (thrown: unknown) => {
      tellFault(thrown ?? notFound('The route'), res, deps);
    };
    try {
      // Given a last step of ours, Express leaves out its own, which shows stacks.
      app(req as Request, res as Response, onFault);
    } catch (thrown) {
      onFault(thrown);
    }
  };
}

/** Never throws: after it there is nobody left to tell. */
export function tellFault(thrown: unknown, res: ServerResponse, deps: TellingDeps): void {
  try {
    tell(thrown, res, deps);
  } catch {
    if (res.headersSent) res.destroy();
    else sendJson(res, 500, errorBody(internalFault(), { redact: (text) => text }));
  }
}

function tell(thrown: unknown, res: ServerResponse, { log, redactor }: TellingDeps): void {
  const error = faultToTell(thrown, res, log);
  // A stream that has begun tells of its own end; here nothing more can be said.
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (error.status === 401 && !res.hasHeader('WWW-Authenticate')) {
    res.setHeader('WWW-Authenticate', 'Bearer');
  }
  sendJson(res, error.status, errorBody(error, redactor.of(organizationOf(res))));
}

/** What is to be said of a fault, which is in the log when it is ours. */
export function faultToTell(thrown: unknown, res: ServerResponse, log: Logger): AppError {
  const error = toShow(thrown);
  if (error.status >= 500) {
    log.error(
      { requestId: requestIdOf(res), code: error.code, fault: errorLocation(error.cause ?? thrown) },
      'request failed',
    );
  }
  if (error.retryAfterSeconds !== undefined && !res.headersSent) {
    res.setHeader('Retry-After', String(error.retryAfterSeconds));
  }
  return error;
}

export function errorBody(
  { message, type, code, param, errors }: AppError,
  { redact }: Pick<Hiding, 'redact'>,
): ErrorBody {
  const fields = errors?.map(({ name, ...fault }) => ({
    ...{ ...fault, message: redact(fault.message) },
    ...(name === undefined ? {} : { name: redact(name) }),
  }));
  return { error: { message: redact(message), type, code, param, ...(fields ? { errors: fields } : {}) } };
}

/** Express' own faults, the database's, and everything unforeseen, in our words. */
export function toShow(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  try {
    return inOurWords(thrown);
  } catch {
    // What cannot even be looked at.
    return internalFault();
  }
}

function inOurWords(thrown: unknown): AppError {
  if (thrown instanceof RefusedBody) return thrown.refusal;
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
  if (code.startsWith('SQLITE_FULL') || code === 'ENOSPC') {
    return unavailable(
      'The disk of the service is full. Whoever looks after it has to make room.',
      'storage_unavailable',
    );
  }
  if (code.startsWith('SQLITE_BUSY') || name === 'KnexTimeoutError') {
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

export function sendJson(res: ServerResponse, status: number, value: object): void {
  const body = Buffer.from(JSON.stringify(value));
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(body.length),
  });
  res.end(body);
}
