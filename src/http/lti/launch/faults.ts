import { AppError } from '../../../core/errors.js';
import { en, type KnownFault } from './notice-texts.js';

const TYPES = { 403: 'permission_error', 404: 'invalid_request_error', 502: 'api_error' } as const;

const told = (code: KnownFault, status: keyof typeof TYPES, cause?: unknown) =>
  new AppError(en.faults[code].text, { status, type: TYPES[status], code, cause });

/** The visit has ended, or is not this browser's. The page says how to come back. */
export const launchOver = () =>
  new AppError('This visit is over. Open the activity again from your course.', {
    status: 401,
    type: 'authentication_error',
    code: 'launch_over',
  });

/** Its keys cannot be had, so nothing it says can be proved. */
export const platformUnreachable = (cause: unknown) => told('platform_unreachable', 502, cause);

export const cookieLost = () => told('cookie_lost', 403);

export const pageMissing = () => told('page_missing', 404);
