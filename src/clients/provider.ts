import { AppError, notConfigured, rateLimited } from '../core/errors.js';
import type { AnswerBody, ModelTransport, ProviderSettings, Settings } from '../core/runs/run-context.js';

export interface ProviderCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** The kind of answer that can be read, by its content type and in words. */
  readonly expects: { readonly type: string; readonly words: string };
}

interface ReadCall extends ProviderCall {
  /** Whether what was read so far says of itself that it is the whole answer. */
  readonly isWhole?: () => boolean;
}

export const EVENT_STREAM: ProviderCall['expects'] = { type: 'text/event-stream', words: 'an event stream' };

/** No model says this much in earnest: a server that goes on for ever is cut off here. */
const MOST_BYTES = 32_000_000;

/** Asks a provider for an answer of one kind. What goes wrong before its first byte is thrown here, typed. */
export async function askProvider(call: ProviderCall, models: ModelTransport): Promise<AnswerBody> {
  const { expects, signal } = call;
  const response = await models.post(call).catch((fault: unknown) => {
    throw signal.aborted ? fault : unreachable(fault, true);
  });
  if (response.status === 200 && (response.header('content-type') ?? '').includes(expects.type)) {
    return response.body;
  }
  const { status } = response;
  const isSpent = MAY_BE_ABOUT_MONEY.has(status) && isOutOfCredit(status, await firstWordsOf(response.body));
  await response.discard();
  if (isSpent) throw noCredit();
  throw status === 200 ? unusable(expects.words) : refusal(status, response.header('retry-after'));
}

const MAY_BE_ABOUT_MONEY: ReadonlySet<number> = new Set([400, 402, 403, 429]);
const MOST_WORDS = 8_192;
const LONGEST_WAIT_MS = 1_000;

/** As much of a refusal as there is at once: nobody waits for the rest, and it may break off. */
async function firstWordsOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let words = '';
  let isEnough = false;
  const read = async () => {
    for await (const bytes of body) {
      words += decoder.decode(bytes, { stream: true });
      if (isEnough || words.length >= MOST_WORDS) return;
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LONGEST_WAIT_MS);
  });
  await Promise.race([read().catch(() => undefined), late]);
  clearTimeout(timer);
  isEnough = true;
  return words;
}

/** The same with its bytes looked after as well: an end to them, and typed faults on the way. */
export async function* bytesFromProvider(
  call: ReadCall,
  models: ModelTransport,
): AsyncGenerator<Uint8Array, void> {
  let received = 0;
  try {
    const body = await askProvider(call, models);
    for await (const bytes of body) {
      received += bytes.length;
      yield bytes;
      if (call.isWhole?.()) body.enough();
      if (received > MOST_BYTES) throw brokenOff('sent too much');
    }
  } catch (fault) {
    if (call.signal.aborted || fault instanceof AppError) throw fault;
    throw unreachable(fault, received === 0);
  }
}

/** What the provider's status means for the reader. Its body stays here: it may quote the key or the prompt. */
function refusal(status: number, retryAfter: string | undefined): AppError {
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
function noCredit(): AppError {
  const message =
    "The model provider's account has no credit left. An administrator can top it up, or choose another provider.";
  return new AppError(message, { status: 502, type: 'api_error', code: NO_CREDIT });
}

/** What a refusal says of money, by the names providers have for it. It may quote the key or the prompt: nothing else is read. */
function isOutOfCredit(status: number, body: string): boolean {
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

export const BROKEN_OFF = 'upstream_incomplete';

/** After the first byte there is no second try: part of the answer may be with the reader already. */
export function brokenOff(how: string): AppError {
  return new AppError(`The model provider ${how}.`, {
    status: 502,
    type: 'api_error',
    code: BROKEN_OFF,
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

/** What is set up for a provider that may be asked now. */
export function enabledProvider({ providers }: Settings, name: string): ProviderSettings {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (!provider?.enabled) throw notConfigured(`The provider "${name}"`);
  return provider;
}

/** The models an organisation has named, its default first; the usual ones where it has named none. */
export function offeredModels(
  { providers }: Settings,
  name: string,
  { usual, fits = () => true }: { usual: readonly string[]; fits?: (model: string) => boolean },
): readonly string[] {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (!provider?.enabled) return [];
  const named = [...(provider.defaultModel ? [provider.defaultModel] : []), ...provider.models].filter(fits);
  return [...new Set(named.length === 0 ? usual : named)];
}
