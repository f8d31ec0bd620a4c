import { safeLabel } from '../base/text.js';
import { AppError, conflict } from '../errors.js';

const INVALID = 'invalid_request_error';

/** Why a file cannot be sent along, in words for whoever did. */
export const notAllowed = (param: string) =>
  new AppError(
    'This assistant reads no files. Whoever made it can allow them: "attachments" in its settings. Pictures can be sent to one that looks at them.',
    { status: 400, type: INVALID, code: 'attachments_not_allowed', param },
  );

export const ofAnotherConversation = () =>
  conflict('This file belongs to another conversation. Send it again to use it in this one.');

export const couldNotBeRead = (filename: string, reason: string) =>
  new AppError(`"${safeLabel(filename)}" could not be read. ${reason}`, {
    ...{ status: 422, type: INVALID, code: 'attachment_failed' },
  });

export const isStillRead = (filename: string) =>
  new AppError(`"${safeLabel(filename)}" is still being read. Ask again in a moment.`, {
    ...{ status: 409, type: INVALID, code: 'attachment_not_ready', retryAfterSeconds: 10 },
  });

export const sentTooMuch = (message: string) =>
  new AppError(message, { status: 429, type: 'rate_limit_error', code: 'attachment_limit' });
