import { AppError, rateLimited } from '../core/errors.js';

/** What the provider's status means for the reader. Its body stays here: it may quote the key or the prompt. */
export function refusal(status: number, retryAfter: string | undefined): AppError {
  const retryAfterSeconds = secondsOf(retryAfter);
  if (status === 429) {
    const message = 'The model provider is receiving too many requests. Try again in a while.';
    return rateLimited(message, retryAfterSeconds, { retryable: true });
  }
  const retryable = status === 408 || status >= 500;
  const [message, code] =
    status === 401 || status === 403
      ? [
          'The model provider refused our credentials. An administrator can check the key.',
          'upstream_credentials',
        ]
      : status === 404
        ? [
            'The model provider does not know this model, or this is not its address. An administrator can check both.',
            'upstream_unknown_model',
          ]
        : [`The model provider answered with an error (${String(status)}).`, 'upstream_failed'];
  return new AppError(message, { status: 502, type: 'api_error', code, retryable, retryAfterSeconds });
}

export const NO_CREDIT = 'insufficient_quota';

/** Asking again helps nobody: somebody has to pay. */
export function noCredit(): AppError {
  const message =
    "The model provider's account has no credit left. An administrator can top it up, or choose another provider.";
  return new AppError(message, { status: 502, type: 'api_error', code: NO_CREDIT });
}

/** What a refusal says of money, by the names providers have for it. It may quote the key or the prompt: nothing else is read. */
export function isOutOfCredit(status: number, body: string): boolean {
  if (status === 402) return true;
  return /"(insufficient_quota|billing_hard_limit_reached|insufficient_balance)"|credit balance is too low/i.test(
    body,
  );
}

/** No answer came, or it broke off. Only before its first byte may it be asked for again. */
export function unreachable(cause: unknown, retryable: boolean): AppError {
  if (/TIMEOUT/.test(String((cause as { readonly code?: unknown } | undefined)?.code))) {
    const message = 'The model provider was silent for too long.';
    return new AppError(message, {
      status: 504,
      type: 'api_error',
      code: 'upstream_timeout',
      retryable,
      cause,
    });
  }
  const message = retryable
    ? 'The model provider could not be reached.'
    : 'The connection to the model provider broke in the middle of its answer.';
  return new AppError(message, { status: 502, type: 'api_error', code: 'upstream_failed', retryable, cause });
}

export function unusable(expected: string): AppError {
  const message = `The model provider did not answer with ${expected}. An administrator can check its base URL.`;
  return new AppError(message, { status: 502, type: 'api_error', code: 'upstream_unusable' });
}

/** After the first byte there is no second try: part of the answer may be with the reader already. */
export function brokenOff(how: string): AppError {
  return new AppError(`The model provider ${how}.`, {
    status: 502,
    type: 'api_error',
    code: 'upstream_incomplete',
  });
}

/** Seconds, or a date, or nonsense, which counts as not said. */
function secondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter);
  if (!/^[A-Z][a-z]{2}, .+ GMT$/.test(retryAfter)) return undefined;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
