import type { ErrorRequestHandler } from 'express';
import { AppError } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import { faultToTell } from '../middleware/error-handler.js';

/** RFC 6749 section 5.2, RFC 7591 section 3.2.2, RFC 8707 section 2. */
type OAuthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata';

const TYPE = 'oauth_error';
/** RFC 6749 section 4.1.2.1. */
const OTHERS: Readonly<Record<number, string>> = {
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

export const oauthFault = (code: OAuthCode, message: string) =>
  new AppError(message, { status: code === 'invalid_client' ? 401 : 400, type: TYPE, code });

/** Programs know OAuth's shape of a fault, and begin anew or ask their person by its code. */
export function tellOAuthFaults(log: Logger): ErrorRequestHandler {
  return (thrown: unknown, _req, res, next) => {
    if (res.headersSent) {
      next(thrown);
      return;
    }
    const { status, type, code, message } = faultToTell(thrown, res, log);
    res.status(status).json({
      error: type === TYPE ? code : (OTHERS[status] ?? 'invalid_request'),
      // The characters that RFC 6749 allows in it.
      error_description: message
        .replaceAll('"', "'")
        .replaceAll('\\', '/')
        .replace(/[^\x20-\x7e]/g, '?'),
    });
  };
}
