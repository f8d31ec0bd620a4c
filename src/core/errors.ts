/** The only error whose message may be shown: to a user, to the model, in a status event. */
export class AppError extends Error {
  /** Only what this class made has it: nothing else passes for one, and asking never calls code of whoever threw. */
  readonly #isOurs = true;
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly param: string | null;
  /** What is wrong field by field, for forms; absent where there is nothing to say beyond the message. */
  readonly errors: readonly FieldFault[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Which of those with the same code it is, where pages have words of their own for it. */
  readonly reason: string | undefined;
  /** Names and numbers that belong into those words. */
  readonly values: readonly string[] | undefined;
  /** Whether asking again at once, or after a while, may help. Only the retry loop reads it. */
  readonly retryable: boolean;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'AppError';
    this.status = facts.status;
    this.type = facts.type;
    this.code = facts.code;
    this.param = facts.param ?? null;
    this.errors = facts.errors;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.reason = facts.reason;
    this.values = facts.values;
    this.retryable = facts.retryable ?? false;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    const isOurs = typeof value === 'object' && value !== null && #isOurs in value && value.#isOurs;
    // What is ours can be looked at; a class made of this one is asked for by its own prototype.
    return isOurs && Function.prototype[Symbol.hasInstance].call(this, value);
  }
}

/** What is wrong with one field of a body, by its path in it. */
export interface FieldFault {
  readonly path: string;
  readonly message: string;
  /** Which kind of fault it is, where forms have words of their own for it. */
  readonly code?: string;
  /** The bound that was passed. */
  readonly bound?: number;
  /** What somebody calls that which is wrong. */
  readonly name?: string;
}

interface ErrorFacts {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly param?: string | undefined;
  readonly errors?: readonly FieldFault[];
  readonly retryAfterSeconds?: number | undefined;
  readonly reason?: string | undefined;
  readonly values?: readonly string[] | undefined;
  readonly retryable?: boolean;
  /** For the log alone; it never leaves the process. */
  readonly cause?: unknown;
}

const INVALID = 'invalid_request_error';

export const badRequest = (message: string, param?: string, errors?: readonly FieldFault[]) =>
  new AppError(message, {
    ...{ status: 400, type: INVALID, code: 'bad_request', param },
    ...(errors ? { errors } : {}),
  });

/** Asked for, and nothing that could be left out without a word. */
export const unsupportedParameter = (message: string, param: string) =>
  new AppError(message, { status: 400, type: INVALID, code: 'unsupported_parameter', param });

export const unauthenticated = (
  message = 'Send a valid API key or session token as "Authorization: Bearer …".',
) => new AppError(message, { status: 401, type: 'authentication_error', code: 'invalid_api_key' });

/** Somebody whose account was erased while they were at something. */
export const accountGone = () => unauthenticated('This account is not there any more.');

export const forbidden = (message: string, facts: Pick<ErrorFacts, 'reason'> = {}) =>
  new AppError(message, { status: 403, type: 'permission_error', code: 'forbidden', ...facts });

/** An administrator of the organisation decides whether there are any. */
export const publicLinksOff = () =>
  new AppError(
    'Your organisation does not allow links for people without an account. An administrator can allow them in its settings.',
    { status: 403, type: 'permission_error', code: 'public_links_off' },
  );

/** The same words whether it never was, was revoked, has expired or was switched off. */
export const linkOver = () =>
  new AppError('This link does not lead anywhere, or not any more. Ask whoever gave it to you for another.', {
    ...{ status: 404, type: INVALID, code: 'link_over' },
  });

/** The same words whether it never was, was used, was taken back or has expired. */
export const invitationOver = () =>
  new AppError('This invitation is not valid, or not any more. Ask an administrator for another.', {
    ...{ status: 404, type: INVALID, code: 'invitation_over' },
  });

/** What stands between them and what they want is theirs to give. */
export const consentNeeded = (message: string) =>
  new AppError(message, { status: 403, type: 'permission_error', code: 'consent_needed' });

/** An activity is closed to those who learn; what its teacher says of it stands first. */
export const examUnderWay = (until: string, said = '') =>
  new AppError(
    [said, `There is an exam: nobody is answered here until ${until}. Ask again then.`]
      .filter((part) => part !== '')
      .join(' '),
    { status: 403, type: 'permission_error', code: 'exam_window' },
  );

/** The same words for what does not exist and for what the caller may not know of. */
export const notFound = (what: string) =>
  new AppError(`${what} was not found.`, { status: 404, type: INVALID, code: 'not_found' });

export const methodNotAllowed = (message: string) =>
  new AppError(message, { status: 405, type: INVALID, code: 'method_not_allowed' });

export const conflict = (message: string, facts: Pick<ErrorFacts, 'reason'> = {}) =>
  new AppError(message, { status: 409, type: INVALID, code: 'conflict', ...facts });

/** What has to pass its scenarios first has not; each that stands in the way is named. */
export const suiteNotPassed = (message: string, errors: readonly FieldFault[] = []) =>
  new AppError(message, {
    ...{ status: 409, type: INVALID, code: 'suite_not_passed' },
    ...(errors.length > 0 ? { errors } : {}),
  });

export const tooLarge = (message: string, errors?: readonly FieldFault[]) =>
  new AppError(message, { status: 413, type: INVALID, code: 'too_large', ...(errors && { errors }) });

export const unsupportedMediaType = (message: string, errors?: readonly FieldFault[]) =>
  new AppError(message, {
    ...{ status: 415, type: INVALID, code: 'unsupported_media_type' },
    ...(errors && { errors }),
  });

export const invalidConfiguration = (message: string, param?: string) =>
  new AppError(message, { status: 422, type: INVALID, code: 'invalid_configuration', param });

/** More parts, levels or bytes than anybody needs, told before anything is made of them. */
export const tooComplex = (message: string, param?: string) =>
  new AppError(message, { status: 422, type: INVALID, code: 'too_complex', param });

/** A configuration that is invalid field by field; the first one is the one to look at. */
export const invalidFields = (message: string, errors: readonly FieldFault[]) =>
  new AppError(message, {
    ...{ status: 422, type: INVALID, code: 'invalid_configuration' },
    ...{ param: errors[0]?.path, errors },
  });

export const rateLimited = (
  message: string,
  retryAfterSeconds?: number,
  more: { readonly retryable?: boolean; readonly code?: string } = {},
) =>
  new AppError(message, {
    status: 429,
    type: 'rate_limit_error',
    code: 'rate_limit_exceeded',
    retryAfterSeconds,
    ...more,
  });

export const internalFault = () =>
  new AppError('Something went wrong on our side. The X-Request-Id header helps to find it in the log.', {
    status: 500,
    type: 'api_error',
    code: 'internal_error',
  });

export const upstreamFailed = (what: string, cause?: unknown) =>
  new AppError(`${what} could not be reached or gave an unusable answer.`, {
    status: 502,
    type: 'api_error',
    code: 'upstream_failed',
    cause,
  });

/** What is wrong with an answer, in our words. */
export const unusableAnswer = (message: string, facts: Pick<ErrorFacts, 'reason' | 'values'> = {}) =>
  new AppError(message, { status: 502, type: 'api_error', code: 'upstream_failed', ...facts });

/** The status tells enough; what the other side wrote with it is not ours to pass on. */
export const upstreamRefused = (what: string, status: number) =>
  new AppError(`${what} answered with status ${String(status)}.`, {
    status: 502,
    type: 'api_error',
    code: 'upstream_refused',
  });

export const notConfigured = (what: string) =>
  new AppError(`${what} is not configured. An administrator can set it up.`, {
    status: 422,
    type: INVALID,
    code: 'not_configured',
  });

export const unavailable = (message: string, code = 'unavailable', cause?: unknown) =>
  new AppError(message, { status: 503, type: 'api_error', code, retryAfterSeconds: 5, cause });

export const timedOut = (what: string) =>
  new AppError(`${what} took too long.`, { status: 504, type: 'api_error', code: 'timeout' });

/**
 * A document of which nothing can be taken in; the message says what to do about it, and `param` names the setting of its
 * collection that would help.
 */
export const unreadableDocument = (
  message: string,
  facts: Pick<ErrorFacts, 'param' | 'reason' | 'errors'> = {},
) => new AppError(message, { status: 422, type: INVALID, code: 'unreadable_document', ...facts });

/** A tool that somebody ran directly was refused or failed; the reason is one that may be shown. */
export const toolFailed = (reason: string) =>
  new AppError(reason, { status: 422, type: INVALID, code: 'tool_failed' });

/** Reduces anything thrown to something that may be shown. */
export function asAppError(thrown: unknown): AppError {
  return thrown instanceof AppError ? thrown : internalFault();
}
